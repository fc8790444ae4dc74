import { RefreshCw, TriangleAlert, WifiOff } from 'lucide-react';
import { formatAgo } from '../format/times.ts';
import type { Freshness } from '../state/resource.ts';
import { minuteMs, useTimeOfDay } from '../state/use-now.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Status } from './status.tsx';
import './list-age.css';

/** The age of an outdated list, and the reason; nothing for a current one. */
export function ListAge({ freshness, onAgain }: { freshness: Freshness; onAgain: () => void }) {
  const { asOf, isLoading, isStale, error } = freshness;
  const now = useTimeOfDay(minuteMs);
  const w = words.kept;
  if (!isStale && !error) return null;
  const isNew = asOf === null || now - Date.parse(asOf) < minuteMs;
  const ago = (isNew ? null : formatAgo(asOf, now)) ?? w.justNow;
  const text = asOf === null ? w.partial : isLoading ? w.checking(ago) : w.stale(ago);
  const Icon = error?.is('unreachable') || error?.is('timed_out') ? WifiOff : TriangleAlert;
  return (
    <span className={error ? 'row gap-1 tone-warning' : 'row gap-1 quiet'} title={error?.message}>
      {error && <Icon size={12} aria-hidden />}
      <Status className="list-foot-text grow">
        {text}
        {error && !isLoading && ` · ${error.message}`}
      </Status>
      {!isLoading && (
        <Button
          variant="quiet"
          className="list-again"
          icon={RefreshCw}
          aria-label={w.refresh}
          onPress={onAgain}
        />
      )}
    </span>
  );
}
