import type { ErrorCode } from '../../../shared/errors/errors.ts';

export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

/** The exit code of each error: 2 for invalid input, 4 for credentials or permissions. */
export const exitCodes: Record<ErrorCode, ExitCode> = {
  invalid_input: 2,
  not_authenticated: 4,
  forbidden: 4,
  not_found: 1,
  refused: 1,
  too_many_requests: 1,
  too_large: 1,
  service_failed: 1,
  bad_answer: 1,
  unreachable: 1,
  timed_out: 1,
  outcome_unknown: 3,
  cancelled: 130,
  addresses_swapped: 2,
  connection_unknown: 2,
  keychain_unavailable: 1,
  connection_read_only: 2,
  file_unreadable: 2,
  file_unsuitable: 2,
  file_too_new: 1,
  file_changed: 1,
  file_exists: 2,
  disk_full: 1,
  file_unwritable: 1,
  job_unknown: 2,
  job_busy: 1,
  job_too_new: 1,
  job_state: 2,
  upload_repeated: 2,
  upload_changed: 1,
  sql_unavailable: 1,
  internal: 1,
};
