import type { Cell } from './table.ts';

/** Which group each row belongs to, by the values of some columns, such as its well. */
export interface Groups {
  /** One for each row; rows that are not held are of group 0. */
  readonly codes: Uint16Array<ArrayBuffer>;
  /** For each code the values that make it, as texts; blank where there is none. */
  readonly names: readonly (readonly string[])[];
}

/** More than anybody tells apart: the rest is one. */
const mostGroups = 1000;

const textOf = (cell: Cell): string => (typeof cell === 'object' || cell === undefined ? '' : String(cell));

/** Groups rows as they come. */
export function createGrouping(rows: number) {
  const codes = new Uint16Array(rows);
  const known = new Map<string, number>();
  const names: string[][] = [];
  return {
    /** @param columns the cells of each column, for rows from `at` on */
    take(columns: readonly ArrayLike<Cell>[], at: number, count: number): void {
      let lastKey: string | null = null;
      let code = 0;
      for (let row = 0; row < count; row += 1) {
        const name = columns.map((cells) => textOf(cells[row]));
        const key = name.join('\n');
        if (key !== lastKey) {
          lastKey = key;
          code = known.get(key) ?? Math.min(names.length, mostGroups);
          known.set(key, code);
          if (code === names.length) names.push(name);
        }
        codes[at + row] = code;
      }
    },
    groups: (): Groups => ({ codes, names }),
  };
}
