import { type CellSelection, countRows, type GridPlace, isSelected } from '../../ui/grid/index.ts';
import { pathId } from '../records/columns.ts';
import { GridMenu, type GridMenuAct } from './grid-menu.tsx';
import { isPlottable, plotField } from './plot/plot-field.ts';
import type { Result } from './results.ts';
import type { VisibleRows } from './visible-rows.ts';
import { isNested } from '../records/table.ts';
import { useTab, useTabState } from '../../state/contexts.ts';
import { cellText } from './cells.ts';
import { useCopy } from './use-copy.ts';
import { useShape } from './use-shape.ts';
import { words } from '../../words/words.ts';
import { isObject, type JsonValue, stringifyJson } from '../../../shared/json.ts';

export interface GridContextMenuProps {
  readonly place: GridPlace;
  readonly answered: Result;
  readonly rows: VisibleRows;
  /** The selected cells; null: at most one. */
  readonly selected: CellSelection | null;
  readonly onClose: () => void;
}

/** The menu of a cell or a column, with its actions. */
export function GridContextMenu({ place, answered, rows, selected, onClose }: GridContextMenuProps) {
  const results = useTab('results');
  const { actions } = results;
  const view = useTabState('results', (state) => state.grid);
  const zone = useTab('zone');
  const { columns } = useShape(answered.held);
  const { onSort, onFilter } = useTab('links');
  const copy = useCopy(answered);
  const column = columns.find(({ path }) => pathId(path) === place.column);
  if (!column) return null;
  const { path, kind } = column;
  const id = place.column;
  const dotted = path.join('.');
  const canChangeQuery = answered.asked.kind === 'find';
  // The menu of a selected cell applies to the selection.
  const chosen =
    place.row === null
      ? null
      : selected && isSelected(selected, { row: place.row, column: place.column })
        ? selected
        : { rows: [{ from: place.row, to: place.row + 1 }], columns: null };
  const cell = place.row === null ? undefined : rows.cell(id, place.row);

  const copyCell = async (row: number) => {
    if (isNested(cell)) await copy.text(valueAt(await answered.held.record(row), path));
    else await copy.text(cellText(cell, kind, zone, words.results));
  };

  const filter = async () => {
    if (cell === undefined || isNested(cell) || !onFilter) return;
    if (!(await onFilter(dotted, cell))) actions.showNotice(words.results.notFiltered);
  };

  function act(wanted: GridMenuAct): void {
    switch (wanted.act) {
      case 'ascending':
      case 'descending':
        return onSort?.(dotted, wanted.act);
      case 'hide':
        return actions.arrange({ hidden: [...view.hidden, id] });
      case 'pin':
        return actions.arrange({ pinned: [...view.pinned, id] });
      case 'unpin':
        return actions.arrange({ pinned: view.pinned.filter((each) => each !== id) });
      case 'summary':
        return actions.showSummary(path);
      case 'plot':
        return plotField(results, columns, id);
      case 'filter':
        void filter();
        return undefined;
      case 'copy':
        if (wanted.what === 'rows') void copy.rows(chosen, wanted.format);
        else if (wanted.what === 'column') void copy.column(path);
        else if (wanted.what === 'path') void copy.text(dotted);
        else if (place.row !== null) void copyCell(place.row);
        return undefined;
    }
  }
  return (
    <GridMenu
      place={place}
      path={dotted}
      pinned={view.pinned.includes(id)}
      canSort={canChangeQuery && onSort !== undefined}
      canFilter={canChangeQuery && onFilter !== undefined && cell !== undefined && !isNested(cell)}
      canPlot={isPlottable(column)}
      rows={chosen ? countRows(chosen.rows) : 0}
      columns={chosen?.columns?.length ?? null}
      onAct={act}
      onClose={onClose}
    />
  );
}

/** The value at a path as JSON; items of arrays by index. */
export function valueAt(record: JsonValue, path: readonly string[]): string {
  let part: JsonValue | undefined = record;
  for (const name of path) {
    if (Array.isArray(part)) part = part[Number(name)];
    else part = isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined;
  }
  return part === undefined ? '' : stringifyJson(part, 2);
}
