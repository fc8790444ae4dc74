import type { GridView } from '../../../shared/tabs/grid-view.ts';
import { pathId } from '../../../shared/column-paths.ts';
import type { CellSelection } from '../../ui/grid/index.ts';
import type { ColumnHead } from '../records/table.ts';

/** The columns in the user's order. Columns that it doesn't contain follow their default predecessor. */
export function orderColumns(
  heads: readonly ColumnHead[],
  { order }: Pick<GridView, 'order'>,
): readonly ColumnHead[] {
  if (order.length === 0) return heads;
  const places = new Map(order.map((id, at) => [id, at]));
  let last = -1;
  const placed = heads.map((head) => {
    last = places.get(pathId(head.path)) ?? last;
    return { head, place: last };
  });
  return placed.toSorted((a, b) => a.place - b.place).map(({ head }) => head);
}

/** The paths of the visible columns in order, or of the selected ones among them. */
export function selectedPaths(
  heads: readonly ColumnHead[],
  view: GridView,
  selection: CellSelection | null,
): readonly (readonly string[])[] {
  const ids = selection?.columns && new Set(selection.columns);
  return shownColumns(heads, view)
    .map(({ path }) => path)
    .filter((path) => ids?.has(pathId(path)) ?? true);
}

/** The visible columns in order. */
export function shownColumns(heads: readonly ColumnHead[], view: GridView): readonly ColumnHead[] {
  const hidden = new Set(view.hidden);
  return orderColumns(heads, view).filter(({ path }) => !hidden.has(pathId(path)));
}
