import type { StoredCell } from './table.ts';

/** The group of each row, by the values of some columns, such as the well. */
export interface Groups {
  /** One for each row; rows that aren't loaded have group 0. */
  readonly codes: Uint16Array<ArrayBuffer>;
  /** The values of each group as texts; empty if absent. */
  readonly names: readonly (readonly string[])[];
}

/** Further groups become one. */
const maxGroups = 1000;

const textOf = (cell: StoredCell): string =>
  typeof cell === 'object' || cell === undefined ? '' : String(cell);

export function createGrouping(rows: number) {
  const codes = new Uint16Array(rows);
  const codeOfKey = new Map<string, number>();
  const names: string[][] = [];
  let lastKey: string | null = null;
  let code = 0;
  return {
    /** @param cells the values of the grouping columns */
    add(row: number, cells: readonly StoredCell[]): void {
      const name = cells.map(textOf);
      const key = name.join('\n');
      if (key !== lastKey) {
        lastKey = key;
        code = codeOfKey.get(key) ?? Math.min(names.length, maxGroups);
        codeOfKey.set(key, code);
        if (code === names.length) names.push(name);
      }
      codes[row] = code;
    },
    groups: (): Groups => ({ codes, names }),
  };
}
