import { pathId } from '../results/column-groups.ts';
import type { Cell, Column, Table } from '../results/table.ts';
import type { PlotGroups, PlotSource } from './source.ts';

const mostGroups = 1000;

/** The records of a table, as plots see them. */
export function tableSource({ rows, columns }: Table): PlotSource {
  const byId = new Map(columns.map((column) => [pathId(column.path), column]));
  return {
    rows,
    fields: Array.from(byId, ([id, column]) => ({ id, kind: kindOf(column) })),
    async numbers(id) {
      const cells = byId.get(id)?.cells;
      // The caller hands it to a thread; what the grid shows stays.
      if (cells instanceof Float64Array) return cells.slice();
      return Float64Array.from({ length: rows }, (_, row) => numberOf(cells?.[row]));
    },
    groups: async (ids) =>
      groupsOf(
        rows,
        ids.flatMap((id) => {
          const column = byId.get(id);
          return column ? [column.cells] : [];
        }),
      ),
  };
}

// Times as text are times for a plot.
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function kindOf({ kind, path, cells }: Column): Column['kind'] {
  const [first] = Array.from({ length: Math.min(cells.length, 100) }, (_, row) => cells[row]).filter(
    (cell) => typeof cell === 'string',
  );
  return kind === 'text' && path.at(-1) === 'datetime' && isoTime.test(String(first)) ? 'time' : kind;
}

function numberOf(cell: Cell): number {
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'bigint') return Number(cell);
  return typeof cell === 'string' && isoTime.test(cell) ? Date.parse(cell) : Number.NaN;
}

const textOf = (cell: Cell): string =>
  typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'bigint' ? String(cell) : '';

function groupsOf(rows: number, columns: readonly ArrayLike<Cell>[]): PlotGroups | null {
  if (columns.length === 0) return null;
  const codes = new Uint16Array(rows);
  const known = new Map<string, number>();
  const names: string[][] = [];
  for (let row = 0; row < rows; row += 1) {
    const name = columns.map((cells) => textOf(cells[row]));
    const key = name.join('\n');
    let code = known.get(key);
    if (code === undefined) {
      // More than anybody looks at: the rest is one.
      code = Math.min(names.length, mostGroups);
      known.set(key, code);
      if (code === names.length) names.push(name);
    }
    codes[row] = code;
  }
  return names.length > 1 ? { codes, names } : null;
}
