import type { Connection, Credential } from '../../../shared/connections/connections.ts';

/** The inputs of credentials; the other method's inputs stay. */
export interface SecretInputs {
  readonly method: Connection['method'];
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
}

/** The credentials of the selected method. Main accepts keys with a leading `API `. */
export function toCredential({ method, apiKey, email, password }: SecretInputs): Credential {
  return method === 'api_key' ? { method, apiKey: apiKey.trim() } : { method, email: email.trim(), password };
}

/** The initial inputs when a connection needs credentials again. */
export const initialSecretInputs = ({ method, email = '' }: Connection): SecretInputs => ({
  method,
  apiKey: '',
  email,
  password: '',
});

/** Why a connection needs credentials again; null: it doesn't, as far as known. */
export function signInReason({ refused, secret, sample }: Connection) {
  if (sample) return null;
  return refused ?? (secret === 'missing' ? 'secret_missing' : null);
}
