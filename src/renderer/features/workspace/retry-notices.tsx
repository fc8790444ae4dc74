import { TimerReset } from 'lucide-react';
import { useNow } from '../../state/use-now.ts';
import { useAppState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { secondsUntil } from './workspace.ts';

/** Requests that will be retried, with the remaining seconds. */
export function RetryNotices() {
  const notices = useAppState('workspace', (state) => state.notices);
  const now = useNow(Date.now, 250, notices.length > 0);
  if (notices.length === 0) return null;
  return (
    <span className="retry-notices row gap-3 numbers">
      {notices.map(({ notice, at }) => (
        <span
          key={`${notice.service} ${notice.host}`}
          className="ellipsis row gap-1 tone-warning"
          title={notice.cause}
        >
          <TimerReset size={14} aria-hidden />
          {words.jobs.retry(words.jobs.services[notice.service], secondsUntil(at, now), notice.attempt)}
        </span>
      ))}
    </span>
  );
}
