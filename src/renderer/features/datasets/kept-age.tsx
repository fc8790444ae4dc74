import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { formatAgo } from '../../format/times.ts';
import type { Freshness } from '../../state/kept.ts';
import { useNow } from '../../state/use-now.ts';
import { words } from '../../words/words.ts';

const minute = 60_000;

/** Says when what is shown is not what the service says now, how old it is, and why; nothing where it is fresh. */
export function KeptAge({ freshness, onAgain }: { freshness: Freshness; onAgain: () => void }) {
  const { asOf, asking, stale, error } = freshness;
  const now = useNow(Date.now, minute, stale);
  if (asking || (!stale && !error)) return null;
  const ago = asOf === null ? null : formatAgo(asOf, now);
  return (
    <div className="list-foot list-foot-line" title={error?.message}>
      <Status className="list-foot-text">
        {words.datasets.asOf(ago)} {error?.message}
      </Status>
      <Button variant="quiet" onPress={onAgain}>
        {words.tryAgain}
      </Button>
    </div>
  );
}
