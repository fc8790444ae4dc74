import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { type Answered, isAll, isLimited } from '../results.ts';
import type { Shape } from '../../records/answer.ts';
import type { Records } from '../../records/records.ts';
import { useShape } from '../use-shape.ts';
import { DatasetPlot } from '../../plot/dataset-plot.tsx';
import { useTab } from '../../../state/contexts.ts';
import './results-plot.css';
import { pathId } from '../../records/columns.ts';
import type { PlotSource } from '../../plot/source.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Bar } from '../../../ui/bar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Status } from '../../../ui/status.tsx';
import { words } from '../../../words/words.ts';
import { mostLoaded } from '../load-all.ts';

/** What is drawn of an answer: while all of it is loaded not each page anew, but whenever there is twice as much. */
function useDrawn(records: Records): Shape {
  const { loadAll } = useTab('results');
  const loading = useStore(loadAll.store, ({ status }) => status === 'running');
  const shape = useShape(records);
  const [drawn, draw] = useState({ records, shape });
  if (drawn.shape === shape) return shape;
  if (loading && drawn.records === records && shape.held < 2 * drawn.shape.held) return drawn.shape;
  draw({ records, shape });
  return shape;
}

/** The records of an answer as a plot. */
export default function ResultsPlot({ answered }: { answered: Answered }) {
  const { dataset, plot } = useTab('results');
  const { held, asked } = answered;
  const zone = useTab('zone');
  const drawn = useDrawn(held);
  const source = useMemo(
    () => recordsSource(held, drawn, isAll(answered, drawn.held)),
    [answered, held, drawn],
  );
  return (
    <div className="plot-place">
      <PlotReach answered={answered} />
      <DatasetPlot
        connection={asked.request.connection}
        dataset={dataset}
        plot={plot}
        source={source}
        zone={zone}
      />
    </div>
  );
}

/** The records of an answer, as plots see them: those that are held. @param all whether these are all that match */
function recordsSource(records: Records, shape: Shape, all: boolean): PlotSource {
  const { rows, columns, held, gaps } = shape;
  const paths = new Map(columns.map(({ path }) => [pathId(path), path]));
  const pathsOf = (ids: readonly string[]) => ids.flatMap((id) => [paths.get(id) ?? []]);
  return {
    rows,
    part: all ? null : { selected: false, count: held, gaps },
    fields: columns.map(({ path, kind }) => ({ id: pathId(path), kind })),
    numbers: (ids) => records.numbers(pathsOf(ids)),
    groups: (ids) => records.groups(pathsOf(ids)),
  };
}

/** How much of what matches a plot shows, where that is not all; and the way to the rest. */
function PlotReach({ answered }: { answered: Answered }) {
  const { actions, loadAll } = useTab('results');
  const state = useStore(loadAll.store);
  const { rows, known, held, complete } = useShape(answered.held);
  const all = complete ? rows : null;
  if (state.status === 'running')
    return (
      <div className="plot-reach">
        <Progress done={state.done} all={all} />
        <Button variant="quiet" onPress={loadAll.actions.stop}>
          {words.plot.reach.stop}
        </Button>
      </div>
    );
  if (state.status === 'failed')
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
