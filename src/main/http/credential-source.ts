import type { RefusalReason } from '../../shared/errors/errors.ts';

/** What gives each request its Authorization header (specification, section 5). */
export interface CredentialSource {
  /**
   * The header for the next request; may log in or refresh first.
   * @throws AppError `not_authenticated` when there is none to be had, or why the platform could not be asked
   */
  header(signal?: AbortSignal): Promise<string>;
  /** Told that a request with this header was answered 401. True: another can be had, ask again. */
  refused(header: string): boolean;
  /** Told that a service let a request with this header in. */
  accepted?(header: string): void;
  /** Why a 401 stands, where that is known. */
  whyRefused?(): RefusalReason | undefined;
  /** What must never be seen: for redaction. */
  secrets(): readonly string[];
}
