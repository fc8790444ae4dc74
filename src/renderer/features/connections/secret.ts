import type { Connection, Credential } from '../../../shared/connections/connections.ts';

/** What a person types to prove who they are; the other method's fields stay as they were left. */
export interface SecretInputs {
  readonly method: Connection['method'];
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
}

/** The credential that the inputs of the chosen method make; `API ` before a key is main's to understand. */
export function secretFrom({ method, apiKey, email, password }: SecretInputs): Credential {
  return method === 'api_key' ? { method, apiKey: apiKey.trim() } : { method, email: email.trim(), password };
}

/** What is asked for when a connection has to be given its secret again. */
export const secretInputsOf = ({ method, email = '' }: Connection): SecretInputs => ({
  method,
  apiKey: '',
  email,
  password: '',
});

/** Why a connection needs its key or login given again; null: it does not, as far as it is known. */
export function whyAsked({ refused, secret, sample }: Connection) {
  if (sample) return null;
  return refused ?? (secret === 'missing' ? 'secret_missing' : null);
}
