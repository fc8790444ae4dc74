import type { Notice } from '../../../shared/workspace/workspace.ts';

/** A notice as a sentence, for the log and the command line. */
export function describeNotice(notice: Notice): string {
  if (notice.kind === 'retry')
    return `${notice.cause} Trying ${notice.host} again in ${Math.ceil(notice.nextTryMs / 1000)} s.`;
  const { what, host, count } = notice;
  const entries = count === 1 ? '1 entry' : `${count} entries`;
  return `${entries} of ${what} of ${host} could not be read. The others are shown.`;
}
