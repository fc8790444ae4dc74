import type { Zone } from '../../format/times.ts';
import type { DataColumn, DataColumnGroup } from '../../ui/grid/index.ts';
import { cellText, cellTip, toneOf, type CellWords } from './cells.ts';
import { columnGroups, pathId, type ColumnTree } from './column-groups.ts';
import type { Column, Table } from './table.ts';

export interface GridWords extends CellWords {
  /** Heads a column whose name is also a group's. */
  readonly value: string;
  readonly utc: string;
  readonly local: string;
}

const character = 7.4;
const padding = 20;
const narrowest = 64;
const widest = 280;

/** Wide enough for what it holds, as far as was looked at, and for its own name. */
function widthOf(column: Column, header: string): number {
  const needed = column.kind === 'time' ? 23 : Math.max(column.characters, 4);
  return Math.round(
    Math.min(Math.max(Math.max(needed, header.length) * character + padding, narrowest), widest),
  );
}

const atEnd = new Set<Column['kind']>(['integer', 'number']);

/** The columns of a table as the grid shows them: nested ones under their parents, times in a zone. */
export function gridColumns(table: Table, zone: Zone, words: GridWords): (DataColumn | DataColumnGroup)[] {
  const leaf = (column: Column, name: string): DataColumn => {
    const { kind, cells, path } = column;
    const header = kind === 'time' ? `${name} (${words[zone]})` : name;
    return {
      id: pathId(path),
      header,
      width: widthOf(column, header),
      align: atEnd.has(kind) ? 'end' : 'start',
      tip: path.join('.'),
      text: (row) => cellText(cells[row], kind, zone, words),
      tone: (row) => toneOf(cells[row]),
      cellTip: (row) => cellTip(cells[row], kind, zone, words),
    };
  };
  const build = (tree: ColumnTree<Column>): DataColumn | DataColumnGroup =>
    'children' in tree
      ? { id: pathId(tree.path), header: tree.name, children: tree.children.map(build) }
      : leaf(tree.column, tree.name === '' ? words.value : tree.name);
  return columnGroups(table.columns).map(build);
}
