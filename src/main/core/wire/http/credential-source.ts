import type { RefusalReason } from '../../../../shared/errors/errors.ts';

/** Provides the Authorization header of each request (specification, section 5). */
export interface CredentialSource {
  /**
   * The header for the next request; may sign in or refresh the token first.
   * @throws AppError `not_authenticated` when there are no credentials; `unreachable`, `timed_out`, or
   *   another error of the platform service when signing in fails
   */
  header(signal?: AbortSignal): Promise<string>;
  /**
   * Reports a header that a service answered with 401.
   * @returns whether another header is available, so the request can be retried
   */
  onRefused(header: string): boolean;
  /** Reports a header that a service accepted. */
  onAccepted?(header: string): void;
  /** Why the credentials were refused, if that can be determined. */
  refusalReason?(): RefusalReason | undefined;
  /** Texts to redact. */
  secrets(): readonly string[];
}
