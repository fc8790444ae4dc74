import { TimerReset, TriangleAlert } from 'lucide-react';
import { useNow } from '../../state/use-now.ts';
import { useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { secondsUntil } from './workspace.ts';

/** Requests that will be retried, with the remaining seconds, and lists with entries that could not be read. */
export function ServiceNotices() {
  const notices = useAppState('workspace', (state) => state.notices);
  const now = useNow(Date.now, 250, notices.length > 0);
  if (notices.length === 0) return null;
  return (
    <span className="retry-notices row gap-3 numbers">
      {notices.map(({ notice, at }) => (
        <span
          key={`${notice.kind} ${notice.service} ${notice.host}`}
          className="ellipsis row gap-1 tone-warning"
          title={notice.kind === 'retry' ? notice.cause : words.jobs.skippedHint(notice.what)}
        >
          {notice.kind === 'retry' ? (
            <TimerReset size={14} aria-hidden />
          ) : (
            <TriangleAlert size={14} aria-hidden />
          )}
          {notice.kind === 'retry'
            ? words.jobs.retry(words.jobs.services[notice.service], secondsUntil(at, now), notice.attempt)
            : words.jobs.skipped(words.jobs.services[notice.service], notice.count)}
        </span>
      ))}
    </span>
  );
}
