import { useEffect, useState } from 'react';
import { type CellSelection, countRows } from '../../ui/grid/index.ts';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { pathId } from '../../../shared/column-paths.ts';
import type { Figures } from '../records/figures.ts';
import { useTab, useTabState } from '../../contexts.ts';
import { shownColumns } from './grid-view.ts';
import type { Result } from './results.ts';
import { useColumns } from './use-shape.ts';
import './selection-status.css';

const debounceMs = 120;

// The significant digits of a mean of measurements.
const numberText = (value: number) => String(Number(value.toPrecision(8)));

/** The number of selected cells, and the sum, mean, minimum, and maximum of their measurements. */
export function SelectionStatus({ answered, cells }: { answered: Result; cells: CellSelection }) {
  const { held } = answered;
  const columns = useColumns(held);
  const view = useTabState('results', (state) => state.grid);
  const changes = useTab('changes');
  const [counted, setCounted] = useState<{ readonly of: CellSelection; readonly figures: Figures } | null>(
    null,
  );
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      const ids = cells.columns && new Set(cells.columns);
      const paths = shownColumns(columns, view)
        .map(({ path }) => path)
        .filter((path) => ids?.has(pathId(path)) ?? true);
      held.figures({ rows: cells.rows, paths, changes }).then(
        (figures) => isCurrent && setCounted({ of: cells, figures }),
        // The result was released.
        () => undefined,
      );
    }, debounceMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [held, view, cells, columns, changes]);
  const say = words.results.selection;
  const rows = countRows(cells.rows);
  const figures = counted?.of === cells ? counted.figures : null;
  const numbers = figures?.numbers;
  return (
    <Status className="selection-status numbers quiet">
      {[
        say.cells(rows, cells.columns?.length ?? null),
        ...(figures && figures.rows < rows ? [say.loaded(figures.rows)] : []),
        ...(figures ? [say.values(figures.values)] : []),
        ...(numbers
          ? [
              say.sum(numberText(numbers.sum)),
              say.mean(numberText(numbers.sum / numbers.count)),
              say.min(numberText(numbers.min)),
              say.max(numberText(numbers.max)),
            ]
          : []),
      ].join(' · ')}
    </Status>
  );
}
