import { AppError } from '../../shared/errors/errors.ts';
import type { CredentialSource } from '../http/credential-source.ts';

export interface StoredKey {
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
