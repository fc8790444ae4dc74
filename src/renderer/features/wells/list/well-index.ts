import type { Well } from '../../../../shared/wells/wells.ts';
import { hasAssetId } from '../scope.ts';
import { passes, type WellFilter } from '../filter.ts';
import { learn, nothingSaid, type Said } from './said.ts';
import { haystackOf, wordsOf } from './search.ts';
import { sortedPositions, type WellSort } from './sort.ts';

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

type Names = WellQuestion['names'];

/** The positions of all wells in order, and the names that it was made by. */
interface Order {
  readonly names: Names;
  readonly positions: Uint32Array;
}

/** Whether names sort alike: they cross from the window as copies, so what they hold is compared. */
const isSame = (names: Names, other: Names): boolean =>
  names?.size === other?.size && [...(names ?? [])].every(([id, name]) => other?.get(id) === name);

/** By which of its two ids a well is looked up. */
export type WellKey = 'assetId' | 'platformId';

/** Wells made ready to be searched and sorted; used in a thread of its own. Positions count in the order of adding. */
export class WellIndex {
  readonly #wells: Well[] = [];
  readonly #hays: string[] = [];
  readonly #byKey = { assetId: new Map<number, Well>(), platformId: new Map<number, Well>() };
  readonly #orders = new Map<string, Order>();
  #said: Said = nothingSaid;

  get count(): number {
    return this.#wells.length;
  }

  /** What the wells say of themselves. */
  get said(): Said {
    return this.#said;
  }

  add(wells: readonly Well[]): void {
    for (const well of wells) {
      this.#wells.push(well);
      this.#hays.push(haystackOf(well));
      this.#byKey.platformId.set(well.platformId, well);
      // The first of several with one asset id is the one that a list shows first.
      if (well.assetId !== null && !this.#byKey.assetId.has(well.assetId))
        this.#byKey.assetId.set(well.assetId, well);
    }
    this.#said = learn(this.#said, wells);
    this.#orders.clear();
  }

  at(position: number): Well | undefined {
    return this.#wells[position];
  }

  /** The wells with these ids, in their order; those that are not listed are left out. */
  wells(by: WellKey, ids: readonly number[]): Well[] {
    return ids.flatMap((id) => this.#byKey[by].get(id) ?? []);
  }

  /** The first well of each of these names; capital letters make no difference. */
  named(names: readonly string[]): Well[] {
    const wanted = new Set(names.map((name) => name.trim().toLowerCase()));
    if (wanted.size === 0) return [];
    return this.#wells.filter(({ name }) => wanted.delete(name.toLowerCase()));
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

  /** The first wells by name in which every word of a text is found. */
  search(text: string, most: number): Well[] {
    const positions = this.find({ text, filter: {}, sort: { by: 'name', descending: false } });
    return [...positions.subarray(0, most)].flatMap((position) => this.#wells[position] ?? []);
  }

  /** The wells that can be scoped by, in the order of adding. */
  withAssets() {
    return this.#wells.filter(hasAssetId);
  }

  #sorted(sort: WellSort, names: Names): Uint32Array {
    const key = `${sort.by} ${sort.descending}`;
    const known = this.#orders.get(key);
    if (known && isSame(known.names, names)) return known.positions;
    const positions = sortedPositions(this.#wells, sort, names);
    this.#orders.set(key, { names, positions });
    return positions;
  }
}
