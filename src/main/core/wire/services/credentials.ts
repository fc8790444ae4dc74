import { abortable } from '../../../../shared/abort.ts';
import { isAppError, type RefusalReason, invalidInput, AppError } from '../../../../shared/errors/errors.ts';
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
      storedKey ??= await (pendingKey ??= read().finally(() => (pendingKey = null)));
      if (storedKey !== null) return `API ${storedKey}`;
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

/** A credential source that can be replaced while requests run. */
export interface ReplaceableCredential extends CredentialSource {
  onAccepted(header: string): void;
  /** Later requests use this source; waiting requests resume. */
  replace(next: CredentialSource): void;
  /**
   * Resolves at the next replacement, or as soon as the current source is accepted: at once if it wasn't refused.
   * @returns whether it was replaced
   * @throws AppError `cancelled` when the signal aborts
   */
  waitForReplacement(signal?: AbortSignal): Promise<boolean>;
}

const maxHeaders = 16;

/**
 * @param onChange called with the reason when the source is refused, and with null when it is accepted or
 *   replaced
 */
export function replaceable(
  first: CredentialSource,
  onChange: (refusal: RefusalReason | null) => void = () => undefined,
): ReplaceableCredential {
  let current = first;
  const waiters = new Set<(isReplaced: boolean) => void>();
  // Their secrets are still redacted: responses to earlier requests may arrive.
  const previous: CredentialSource[] = [];
  /** The source of each of the last headers. */
  const sources = new Map<string, CredentialSource>();
  /** The first header that was refused since one was accepted, or '' if there was none to send. If a second one is, renewing is in vain. */
  let refusedHeader: string | null = null;
  let reportedReason: RefusalReason | null = null;
  const reportReason = (refusal: RefusalReason | null): void => {
    if (refusal !== reportedReason) onChange((reportedReason = refusal));
  };
  const endRefusal = (isReplaced: boolean): void => {
    refusedHeader = null;
    reportReason(null);
    for (const wake of waiters) wake(isReplaced);
    waiters.clear();
  };
  const isOld = (header: string): boolean => (sources.get(header) ?? current) !== current;
  return {
    async header(signal) {
      const source = current;
      const header = await source.header(signal).catch((error: unknown) => {
        if (source === current && isAppError(error, 'not_authenticated')) {
          refusedHeader ??= '';
          reportReason(error.details.why ?? 'login_needed');
        }
        throw error;
      });
      sources.set(header, source);
      const [oldest] = sources.keys();
      if (sources.size > maxHeaders && oldest !== undefined) sources.delete(oldest);
      return header;
    },
    onRefused(header) {
      if (isOld(header)) return true;
      refusedHeader ??= header;
      const hasNextHeader = current.onRefused(header);
      if (!hasNextHeader || header !== refusedHeader)
        reportReason(current.refusalReason?.() ?? 'key_unknown');
      return hasNextHeader;
    },
    onAccepted(header) {
      if (isOld(header)) return;
      endRefusal(false);
      current.onAccepted?.(header);
    },
    refusalReason: () => current.refusalReason?.(),
    secrets: () => [...previous, current].flatMap((source) => source.secrets()),
    replace(next) {
      previous.push(current);
      current = next;
      endRefusal(true);
    },
    async waitForReplacement(signal) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      if (refusedHeader !== null) waiters.add(resolve);
      else resolve(false);
      try {
        return await abortable(promise, signal);
      } finally {
        waiters.delete(resolve);
      }
    },
  };
}
