import { AppError, isAppError, type RefusalReason } from '../../shared/errors/errors.ts';
import type { CredentialSource } from '../http/credential-source.ts';

/** A credential in whose place another can be put while requests run. */
export interface ReplaceableCredential extends CredentialSource {
  accepted(header: string): void;
  /** From now on requests go with this one; whoever waits for it goes on. */
  replace(next: CredentialSource): void;
  /**
   * Resolves at the next replacement; at once where the current one was not refused yet.
   * @throws AppError `cancelled` as soon as the signal aborts
   */
  replaced(signal?: AbortSignal): Promise<void>;
}

const mostHeaders = 16;

/** @param onChange told when it is refused for good, and null when it is let in again or another takes its place */
export function replaceable(
  first: CredentialSource,
  onChange: (refusal: RefusalReason | null) => void = () => undefined,
): ReplaceableCredential {
  let current = first;
  const waiting = new Set<() => void>();
  // The old one's secrets stay hidden: answers to what was sent with it may still come.
  const before: CredentialSource[] = [];
  /** Who gave which of the last headers. */
  const givers = new Map<string, CredentialSource>();
  let wasRefused = false;
  let told: RefusalReason | null = null;
  const tell = (refusal: RefusalReason | null): void => {
    if (refusal === told) return;
    told = refusal;
    onChange(refusal);
  };
  const isOld = (header: string): boolean => (givers.get(header) ?? current) !== current;
  return {
    async header(signal) {
      const asked = current;
      const header = await asked.header(signal).catch((error: unknown) => {
        if (asked === current && isAppError(error, 'not_authenticated')) {
          wasRefused = true;
          tell(error.details.why ?? 'login_needed');
        }
        throw error;
      });
      givers.set(header, asked);
      const [oldest] = givers.keys();
      if (givers.size > mostHeaders && oldest !== undefined) givers.delete(oldest);
      return header;
    },
    refused(header) {
      if (isOld(header)) return true;
      wasRefused = true;
      const isMore = current.refused(header);
      if (!isMore) tell(current.whyRefused?.() ?? 'key_unknown');
      return isMore;
    },
    accepted(header) {
      if (isOld(header)) return;
      wasRefused = false;
      tell(null);
      current.accepted?.(header);
    },
    whyRefused: () => current.whyRefused?.(),
    secrets: () => [...before, current].flatMap((one) => one.secrets()),
    replace(next) {
      before.push(current);
      current = next;
      wasRefused = false;
      tell(null);
      for (const goOn of waiting) goOn();
      waiting.clear();
    },
    replaced(signal) {
      return new Promise((resolve, reject) => {
        const done = (): void => {
          signal?.removeEventListener('abort', leave);
          resolve();
        };
        const leave = (): void => {
          waiting.delete(done);
          reject(new AppError('cancelled', {}));
        };
        if (signal?.aborted) return leave();
        if (!wasRefused) return resolve();
        signal?.addEventListener('abort', leave, { once: true });
        waiting.add(done);
      });
    },
  };
}
