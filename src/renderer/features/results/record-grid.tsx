import { lazy, type RefObject, Suspense, useMemo, useState, useSyncExternalStore } from 'react';
import { Loading } from '../../ui/view-states.tsx';
import { DataGrid, type GridControl, type GridPlace, type Point } from '../../ui/grid/index.ts';
import { words } from '../../words/words.ts';
import { BesideGrid } from './beside-grid.tsx';
import { gridColumns } from './grid-columns.ts';
import { pathId } from '../records/columns.ts';
import { useTab, useTabState } from '../../state/contexts.ts';
import { GridMenuAt } from './grid-menu-at.tsx';
import { plotField } from './plot/plot-field.ts';
import type { Answered } from './results.ts';
import { sortsOf, sortTextOf } from './sorts.ts';
import { useCopy } from './use-copy.ts';
import { useHeads, useShape } from './use-shape.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import type { RowsInView } from './rows-in-view.ts';

// What stands beside the grid is loaded when it is first asked for.
const RecordOfRow = lazy(() =>
  import('./record-of-row.tsx').then((found) => ({ default: found.RecordOfRow })),
);
const SummaryPanel = lazy(() =>
  import('./summary-panel.tsx').then((found) => ({ default: found.SummaryPanel })),
);

export interface RecordGridProps {
  readonly answered: Answered;
  readonly control: RefObject<GridControl | null>;
}

/** The records as rows; the chosen one is shown whole beside them, or what a column holds is. */
export function RecordGrid({ answered, control }: RecordGridProps) {
  const selected = useTabState('results', (state) => state.selected);
  const summed = useTabState('results', (state) => state.summed);
  const beside = summed ? (
    <SummaryPanel key={pathId(summed)} answered={answered} path={summed} />
  ) : selected === null ? null : (
    <RecordOfRow row={selected} />
  );
  return (
    <BesideGrid beside={beside}>
      <Grid answered={answered} control={control} />
    </BesideGrid>
  );
}

/** Whether a plot, or the way to it, is at this place. */
const isPlotAt = ({ x, y }: Point): boolean =>
  document.elementFromPoint(x, y)?.closest('.plot-view, .answer-views') != null;

function Grid({ answered, control }: RecordGridProps) {
  const results = useTab('results');
  const { actions, dataset, rows } = results;
  const view = useTabState('results', (state) => state.grid);
  const zone = useTab('zone');
  const units = useTabState('results', (state) => state.units);
  const shape = useShape(answered.held);
  const heads = useHeads(shape.columns);
  const sortText = sortTextOf(answered.asked);
  const copy = useCopy(answered);
  const [menu, setMenu] = useState<{
    of: Answered;
    place: GridPlace;
    selected: readonly number[];
  } | null>(null);
  const sorts = useMemo(() => sortsOf(sortText), [sortText]);
  const columns = useMemo(
    () => gridColumns({ heads, rows, view, zone, units, sorts, words: words.results }),
    [heads, rows, view, zone, units, sorts],
  );
  return (
    <div className="answer-grid">
      <ProblemRows rows={rows} />
      <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
        <DataGrid
          ref={control}
          label={words.results.grid(dataset.dataset)}
          of={answered}
          columns={columns}
          rows={shape.rows}
          source={rows}
          onSelect={(row) => void actions.select(row)}
          onLayout={({ order, pinned, widths }) =>
            actions.arrange({ order: [...order], pinned: [...pinned], widths: { ...view.widths, ...widths } })
          }
          onMenu={(place) => setMenu({ of: answered, place, selected: control.current?.selected() ?? [] })}
          onDropHead={(column, at) => {
            if (isPlotAt(at)) plotField(results, heads, column);
          }}
          onCopy={(chosen) => void copy.rows(chosen, 'tsv')}
        />
      </Suspense>
      {menu?.of === answered && (
        <GridMenuAt
          place={menu.place}
          selected={menu.selected}
          answered={answered}
          rows={rows}
          onClose={() => setMenu(null)}
        />
      )}
    </div>
  );
}

/** Says why rows in view could not be fetched, and tries again. */
function ProblemRows({ rows }: { rows: RowsInView }) {
  const problem = useSyncExternalStore(rows.onCome, rows.problem);
  if (!problem) return null;
  return (
    <Alert
      tone="error"
      actions={
        <Button variant="quiet" onPress={rows.retry}>
          {words.tryAgain}
        </Button>
      }
    >
      {words.results.failedRows} {problem.message}
    </Alert>
  );
}
