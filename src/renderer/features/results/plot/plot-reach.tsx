import { useStore } from 'zustand';
import { Alert } from '../../../ui/alert.tsx';
import { Bar } from '../../../ui/bar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Status } from '../../../ui/status.tsx';
import { words } from '../../../words/words.ts';
import { mostLoaded } from '../load-all.ts';
import { isLimited, type Answered } from '../results.ts';
import { useShape } from '../use-shape.ts';
import { useTab } from '../../../state/contexts.ts';

/** How much of what matches a plot shows, where that is not all; and the way to the rest. */
export function PlotReach({ answered }: { answered: Answered }) {
  const { actions, loadAll } = useTab('results');
  const state = useStore(loadAll.store);
  const { rows, known, held, complete } = useShape(answered.held);
  const all = complete ? rows : null;
  if (state.face === 'running')
    return (
      <div className="plot-reach">
        <Progress done={state.done} all={all} />
        <Button variant="quiet" onPress={loadAll.actions.stop}>
          {words.plot.reach.stop}
        </Button>
      </div>
    );
  if (state.face === 'failed')
    return (
      <Alert
        tone="error"
        actions={
          <Button variant="quiet" onPress={() => void actions.loadAll()}>
            {words.tryAgain}
          </Button>
        }
      >
        {words.plot.reach.failed(held, all)} {state.error.message}
      </Alert>
    );
  const more = isLimited(answered) && answered.asked.kind === 'find';
  if (!more && complete && held >= rows) return null;
  const most = held >= Math.min(mostLoaded, rows);
  return (
    <div className="plot-reach">
      <Status>{more ? words.plot.reach.limited(held) : words.plot.reach.part(held, all ?? known)}</Status>
      {most && !more ? (
        <span className="quiet">{words.plot.reach.most}</span>
      ) : (
        <Button variant="quiet" onPress={() => void actions.loadAll()}>
          {words.plot.reach.load(all !== null && !more ? Math.min(all, mostLoaded) : null)}
        </Button>
      )}
    </div>
  );
}

function Progress({ done, all }: { done: number; all: number | null }) {
  const share = all === null ? null : done / Math.max(Math.min(all, mostLoaded), 1);
  return (
    <>
      <Status>{words.plot.reach.loading(done, all)}</Status>
      <Bar label={words.plot.reach.progress} share={share} />
    </>
  );
}
