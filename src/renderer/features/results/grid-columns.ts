import type { AppError } from '../../../shared/errors.ts';
import type { Zone } from '../../format/times.ts';
import type { DataColumn, DataColumnGroup } from '../../ui/grid/index.ts';
import { cellText, cellTip, toneOf, type CellWords } from './cells.ts';
import { columnGroups, pathId, type ColumnTree } from './column-groups.ts';
import type { ColumnHead } from './records/table.ts';
import type { RowsInView } from './rows-in-view.ts';

export interface GridWords extends CellWords {
  /** Heads a column whose name is also a group's. */
  readonly value: string;
  readonly utc: string;
  readonly local: string;
  readonly coming: string;
  readonly failedCell: string;
  readonly failedTip: (error: AppError) => string;
}

const character = 7.4;
const padding = 20;
const narrowest = 64;
const widest = 280;

/** Wide enough for what it holds, as far as was looked at, and for its own name. */
function widthOf(column: ColumnHead, header: string): number {
  const needed = column.kind === 'time' ? 23 : Math.max(column.characters, 4);
  return Math.round(
    Math.min(Math.max(Math.max(needed, header.length) * character + padding, narrowest), widest),
  );
}

const atEnd = new Set<ColumnHead['kind']>(['integer', 'number']);

/** The columns of an answer as the grid shows them: nested ones under their parents, times in a zone. */
export function gridColumns(
  heads: readonly ColumnHead[],
  rows: Pick<RowsInView, 'cell' | 'face'>,
  zone: Zone,
  words: GridWords,
): (DataColumn | DataColumnGroup)[] {
  const leaf = (column: ColumnHead, name: string): DataColumn => {
    const { kind, path } = column;
    const id = pathId(path);
    const header = kind === 'time' ? `${name} (${words[zone]})` : name;
    return {
      id,
      header,
      width: widthOf(column, header),
      align: atEnd.has(kind) ? 'end' : 'start',
      tip: path.join('.'),
      text(row) {
        const face = rows.face(row);
        if (face === 'full') return cellText(rows.cell(id, row), kind, zone, words);
        return face === 'coming' ? '' : words.failedCell;
      },
      tone(row) {
        const face = rows.face(row);
        if (face === 'full') return toneOf(rows.cell(id, row));
        return face === 'coming' ? 'coming' : 'failed';
      },
      cellTip(row) {
        const face = rows.face(row);
        if (face === 'full') return cellTip(rows.cell(id, row), kind, zone, words);
        return face === 'coming' ? words.coming : words.failedTip(face);
      },
    };
  };
  const build = (tree: ColumnTree<ColumnHead>): DataColumn | DataColumnGroup =>
    'children' in tree
      ? { id: pathId(tree.path), header: tree.name, children: tree.children.map(build) }
      : leaf(tree.column, tree.name === '' ? words.value : tree.name);
  return columnGroups(heads).map(build);
}
