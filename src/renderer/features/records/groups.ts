import type { HeldCell } from './table.ts';

/** Which group each row belongs to, by the values of some columns, such as its well. */
export interface Groups {
  /** One for each row; rows that are not held are of group 0. */
  readonly codes: Uint16Array<ArrayBuffer>;
  /** For each code the values that make it, as texts; blank where there is none. */
  readonly names: readonly (readonly string[])[];
}

/** More than anybody tells apart: the rest is one. */
const mostGroups = 1000;

const textOf = (cell: HeldCell): string =>
  typeof cell === 'object' || cell === undefined ? '' : String(cell);

/** Groups rows as they come. */
export function createGrouping(rows: number) {
  const codes = new Uint16Array(rows);
  const known = new Map<string, number>();
  const names: string[][] = [];
  let lastKey: string | null = null;
  let code = 0;
  return {
    /** @param cells of the columns that make the group */
    add(row: number, cells: readonly HeldCell[]): void {
      const name = cells.map(textOf);
      const key = name.join('\n');
      if (key !== lastKey) {
        lastKey = key;
        code = known.get(key) ?? Math.min(names.length, mostGroups);
        known.set(key, code);
        if (code === names.length) names.push(name);
      }
      codes[row] = code;
    },
    groups: (): Groups => ({ codes, names }),
  };
}
