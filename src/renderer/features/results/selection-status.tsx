import { useCallback } from 'react';
import { formatCalculated } from '../../format/numbers.ts';
import { type CellSelection, countRows } from '../../ui/grid/index.ts';
import { delay } from '../../state/delay.ts';
import { valueOr } from '../../state/loadable.ts';
import { useLoaded } from '../../state/use-loaded.ts';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { useTab, useTabState } from '../../contexts.ts';
import { selectedPaths } from './grid-view.ts';
import type { Result } from './results.ts';
import { useColumns } from './use-shape.ts';
import './selection-status.css';

const debounceMs = 120;

/** The number of selected cells, and the sum, mean, minimum, and maximum of their measurements. */
export function SelectionStatus({ result, cells }: { result: Result; cells: CellSelection }) {
  const { held } = result;
  const columns = useColumns(held);
  const view = useTabState('results', (state) => state.grid);
  const changes = useTab('changes');
  const counted = useLoaded(
    useCallback(
      async (signal) => {
        await delay(debounceMs, signal);
        signal.throwIfAborted();
        return held.figures({ rows: cells.rows, paths: selectedPaths(columns, view, cells), changes });
      },
      [held, view, cells, columns, changes],
    ),
  );
  const say = words.results.selection;
  const rows = countRows(cells.rows);
  // It fails when the result was released.
  const figures = valueOr(counted, null);
  const numbers = figures?.numbers;
  return (
    <Status className="selection-status numbers quiet">
      {[
        say.cells(rows, cells.columns?.length ?? null),
        ...(figures && figures.rows < rows ? [say.loaded(figures.rows)] : []),
        ...(figures ? [say.values(figures.values)] : []),
        ...(numbers
          ? [
              say.sum(formatCalculated(numbers.sum)),
              say.mean(formatCalculated(numbers.sum / numbers.count)),
              say.min(formatCalculated(numbers.min)),
              say.max(formatCalculated(numbers.max)),
            ]
          : []),
      ].join(' · ')}
    </Status>
  );
}
