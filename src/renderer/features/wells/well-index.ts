import type { Well } from '../../../shared/wells.ts';
import { passes, type WellFilter } from './filter.ts';
import { haystackOf, wordsOf } from './search.ts';

/** What wells can be sorted by. */
export const sortFields = [
  'name',
  'status',
  'state',
  'companyId',
  'area',
  'programId',
  'padId',
  'rigId',
  'fracFleetId',
  'drilloutUnitId',
  'visibility',
  'lastActiveAt',
  'startedAt',
  'apiNumber',
  'assetId',
  'identifier',
] as const satisfies readonly (keyof Well)[];
export type SortField = (typeof sortFields)[number];

export interface WellSort {
  readonly by: SortField;
  readonly descending: boolean;
}

/** What is asked of the wells. */
export interface WellQuestion {
  readonly text: string;
  readonly filter: WellFilter;
  readonly sort: WellSort;
  /** The names of what the wells are sorted by, where that is an id; absent: the ids themselves. */
  readonly names?: ReadonlyMap<number, string>;
  /** Only wells with these asset ids; absent: all. */
  readonly only?: ReadonlySet<number>;
}

/** Wells made ready to be searched and sorted; used in a thread of its own. Positions count in the order of adding. */
export class WellIndex {
  #wells: Well[] = [];
  #hays: string[] = [];
  #order: { readonly key: string; readonly positions: Uint32Array } | null = null;

  reset(): void {
    this.#wells = [];
    this.#hays = [];
    this.#order = null;
  }

  add(wells: readonly Well[]): void {
    for (const well of wells) {
      this.#wells.push(well);
      this.#hays.push(haystackOf(well));
    }
    this.#order = null;
  }

  /** The positions of the wells that are asked for, in the order that is asked for. */
  find({ text, filter, sort, names, only }: WellQuestion): Uint32Array {
    const words = wordsOf(text);
    const filters = Object.keys(filter).length > 0;
    const order = this.#sorted(sort, names);
    const found = new Uint32Array(order.length);
    let count = 0;
    for (const position of order) {
      const well = this.#wells[position];
      const hay = this.#hays[position];
      if (!well || hay === undefined) continue;
      if (!words.every((word) => hay.includes(word))) continue;
      if (filters && !passes(well, filter)) continue;
      if (only && (well.assetId === null || !only.has(well.assetId))) continue;
      found[count] = position;
      count += 1;
    }
    return found.slice(0, count);
  }

  #sorted({ by, descending }: WellSort, names: ReadonlyMap<number, string> | undefined): Uint32Array {
    const key = `${by} ${descending} ${names?.size ?? 0}`;
    if (this.#order?.key === key) return this.#order.positions;
    const values = this.#wells.map((well) => sortable(well[by], names));
    const seconds = by === 'name' ? null : this.#wells.map(({ name }) => sortable(name, undefined));
    const sign = descending ? -1 : 1;
    const positions = Uint32Array.from(values.keys()).sort((a, b) => {
      const [x, y] = [values[a] ?? null, values[b] ?? null];
      // What is not known comes last, whichever way the rest is turned.
      if (x === null || y === null) {
        if (x !== y) return x === null ? 1 : -1;
      } else if (x !== y) return x < y ? -sign : sign;
      const [m, n] = [seconds?.[a] ?? '', seconds?.[b] ?? ''];
      return m === n ? a - b : m < n ? -1 : 1;
    });
    this.#order = { key, positions };
    return positions;
  }
}

/**
 * Something that sorts as people sort: capital letters and accents make no difference, digits count as numbers. Far
 * quicker than a collator, which takes most of a second at 50,000 names.
 */
function sortable(value: Well[SortField], names: ReadonlyMap<number, string> | undefined): string | null {
  if (value === null) return null;
  const text = typeof value === 'number' ? (names?.get(value) ?? String(value)) : value;
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.padStart(15, '0'));
}
