import { KeptAge } from '../../ui/kept-age.tsx';
import { Status } from '../../ui/status.tsx';
import { useSessionState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { mostChosen } from './wells-state.ts';

/** How many wells are shown and chosen, and how old the list is where that matters. */
export function ListFoot({ onAgain }: { onAgain: () => void }) {
  const found = useSessionState('wells', (state) => state.found?.length ?? 0);
  const list = useSessionState('wells', (state) =>
    state.list.status === 'loaded' ? state.list.value.count : 0,
  );
  const asked = useSessionState('wells', (state) =>
    state.answer.status === 'loaded' ? state.answer.value.count : null,
  );
  const chosen = useSessionState('wells', (state) => state.chosen.length);
  const freshness = useSessionState('wells', (state) => state.freshness);
  const coming = freshness.isLoading && freshness.asOf === null;
  const w = words.wells;
  return (
    <div className="list-foot">
      <Status className="quiet numbers">
        {coming ? w.soFar(list) : w.shown(found, asked ?? list)} ·{' '}
        {chosen < mostChosen ? w.chosen(chosen) : w.chosenMost(chosen)}
      </Status>
      <KeptAge freshness={freshness} onAgain={onAgain} />
    </div>
  );
}
