import { invalidInput, AppError } from '../../../../shared/errors/errors.ts';
import type { CredentialSource } from '../http/http.ts';

/**
 * The API key in a pasted text. White space, a header name, and the word `API` around it are removed.
 * @param field the field or variable that the error names
 * @throws AppError `invalid_input` when the key is empty or can't be a header value; the message never
 *   contains it
 */
export function parseApiKey(pasted: string, field = 'apiKey'): string {
  const key = pasted
    .trim()
    .replace(/^authorization:\s*/i, '')
    .replace(/^API(\s+|$)/i, '')
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim();
  if (key === '') throw invalidInput('The API key is empty. Paste the key.', { field });
  if (/^bearer\s/i.test(key)) {
    throw invalidInput(
      'This is a bearer token, not an API key. Paste an API key, or sign in with your email.',
      { field },
    );
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw invalidInput(
      'The API key contains a space, a line break, or an invalid character. Copy only the key and paste it again.',
      { field },
    );
  }
  return key;
}

interface StoredKey {
  /** Reads the key; null if there is none. Called once, before the first request. */
  readonly read: () => Promise<string | null>;
  /** Whether a service accepted the key before; if so, a refusal means that it expired or was revoked. */
  readonly wasAccepted: boolean;
  /** Called once, after the first accepted request. */
  readonly onAccepted?: (() => void) | undefined;
}

/**
 * An API key as a credential source (specification, section 5). A refused key is not retried.
 * @throws AppError `not_authenticated` from `header` when there is no key
 */
export function apiKeyCredential({ read, wasAccepted, onAccepted }: StoredKey): CredentialSource {
  let pendingKey: Promise<string | null> | null = null;
  let storedKey: string | null = null;
  let isAccepted = wasAccepted;
  let hasReported = false;
  return {
    async header() {
      pendingKey ??= read();
      try {
        storedKey = await pendingKey;
      } catch (error) {
        pendingKey = null;
        throw error;
      }
      if (storedKey !== null) return `API ${storedKey}`;
      pendingKey = null;
      throw new AppError('not_authenticated', { service: 'platform', why: 'secret_missing' });
    },
    onRefused: () => false,
    onAccepted() {
      isAccepted = true;
      if (!hasReported) onAccepted?.();
      hasReported = true;
    },
    refusalReason: () => (isAccepted ? 'key_ended' : 'key_unknown'),
    secrets: () => (storedKey === null ? [] : [storedKey]),
  };
}
