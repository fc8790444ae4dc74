import type { Http } from '../http/http.ts';
import { apiKeyCredential } from '../services/api-key-credential.ts';
import { loginCredential } from '../services/token.ts';
import type { TokenStore } from '../services/tokens.ts';
import type { CredentialSource } from '../http/credential-source.ts';
import type { Slot } from './slot.ts';

export interface Proof {
  readonly method: 'api_key' | 'login';
  readonly slot: Slot;
  readonly acceptedBefore: boolean;
  /** Told when a service lets a request with the key in. */
  readonly onAccepted: () => void;
}

/** The headers of a connection whose secret is kept in a slot. */
export function credentialOf(
  { method, slot, acceptedBefore, onAccepted }: Proof,
  http: Http,
): CredentialSource {
  if (method === 'login') return loginCredential({ http, login: null, store: tokensIn(slot) });
  const read = async (): Promise<string | null> => {
    const secret = await slot.read();
    return secret?.method === 'api_key' ? secret.apiKey : null;
  };
  return apiKeyCredential({ read, acceptedBefore, onAccepted });
}

function tokensIn(slot: Slot): TokenStore {
  return {
    async read() {
      const secret = await slot.read();
      return secret?.method === 'login' ? secret.tokens : null;
    },
    write: (tokens) => slot.write(tokens && { method: 'login', tokens }),
    alone: (work) => slot.alone(work),
  };
}
