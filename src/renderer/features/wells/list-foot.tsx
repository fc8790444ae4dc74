import { RefreshCw, TriangleAlert, WifiOff } from 'lucide-react';
import type { Freshness } from '../../state/kept.ts';
import { formatAgo } from '../../format/times.ts';
import { useNow } from '../../state/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { useWells } from './context.ts';
import { mostChosen } from './wells-state.ts';

const minute = 60_000;

/** How many wells are shown and chosen, and how old the list is where that matters. */
export function ListFoot({ onAgain }: { onAgain: () => void }) {
  const found = useWells((state) => state.found?.length ?? 0);
  const list = useWells((state) => (state.list.face === 'full' ? state.list.value.count : 0));
  const asked = useWells((state) => (state.answer.face === 'full' ? state.answer.value.count : null));
  const chosen = useWells((state) => state.chosen.length);
  const freshness = useWells((state) => state.freshness);
  const coming = freshness.asking && freshness.asOf === null;
  const w = words.wells;
  return (
    <div className="list-foot">
      <Status className="quiet numbers">
        {coming ? w.soFar(list) : w.shown(found, asked ?? list)} ·{' '}
        {chosen < mostChosen ? w.chosen(chosen) : w.chosenMost(chosen)}
      </Status>
      <Age freshness={freshness} onAgain={onAgain} />
    </div>
  );
}

/** Says of a list that is not of today how old it is, and why. */
export function Age({ freshness, onAgain }: { freshness: Freshness; onAgain: () => void }) {
  const { asOf, asking, stale, error } = freshness;
  const now = useNow(Date.now, minute, stale);
  const w = words.wells.kept;
  if (!stale && !error) return null;
  const isNew = asOf === null || now - Date.parse(asOf) < minute;
  const ago = (isNew ? null : formatAgo(asOf, now)) ?? w.justNow;
  const text = asOf === null ? w.partial : asking ? w.checking(ago) : w.stale(ago);
  const Icon = error?.is('unreachable') || error?.is('timed_out') ? WifiOff : TriangleAlert;
  return (
    <span className="list-age" data-failed={error !== null || undefined} title={error?.message}>
      {error && <Icon size={12} aria-hidden />}
      <Status className="list-age-text">
        {text}
        {error && !asking && <span className="list-age-why"> · {error.message}</span>}
      </Status>
      {!asking && (
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
