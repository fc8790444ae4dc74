import { invalidInput, AppError } from '../../shared/errors/errors.ts';
import type { CredentialSource } from '../http/credential-source.ts';

/**
 * The key in what a person pasted: white space around it, the header's name and the word `API` before it are
 * understood.
 * @param field the field, or the variable, that it came from
 * @throws AppError `invalid_input` when a header can't hold it; the sentence never shows it
 */
export function apiKeyIn(pasted: string, field = 'apiKey'): string {
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
  /** Gives the key, or null when there is none; asked once, at the first request. */
  readonly read: () => Promise<string | null>;
  /** Whether a service has accepted it in the past: one that is refused then is not mistyped. */
  readonly acceptedBefore: boolean;
  /** Told once, at the first request that was let in. */
  readonly onAccepted?: (() => void) | undefined;
}

/**
 * An API key as the source of headers (specification, section 5). A key that was refused is not tried again.
 */
export function apiKeyCredential({ read, acceptedBefore, onAccepted }: StoredKey): CredentialSource {
  let reading: Promise<string | null> | null = null;
  let known: string | null = null;
  let accepted = acceptedBefore;
  let told = false;
  return {
    async header() {
      reading ??= read();
      try {
        known = await reading;
      } catch (error) {
        reading = null;
        throw error;
      }
      if (known !== null) return `API ${known}`;
      reading = null;
      throw new AppError('not_authenticated', { service: 'platform', why: 'secret_missing' });
    },
    refused: () => false,
    accepted() {
      accepted = true;
      if (!told) onAccepted?.();
      told = true;
    },
    whyRefused: () => (accepted ? 'key_ended' : 'key_unknown'),
    secrets: () => (known === null ? [] : [known]),
  };
}
