import type { Well } from '../../../shared/wells/wells.ts';
import { passes, type WellFilter } from './filter.ts';
import { learn, nothingSaid, type Said } from './said.ts';
import { sortedWells, type WellSort } from './sort.ts';

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

/** By which of its two ids a well is looked up. */
export type WellKey = 'assetId' | 'platformId';

const byName: WellSort = { by: 'name', descending: false };

/**
 * A list of wells, to be searched and sorted. Of 50,000 a keystroke takes 4 to 12 ms, a sort 100 ms, once for each
 * order (docs/decisions/2026-11-23-plot-and-wells.md).
 */
export class WellIndex {
  readonly wells: readonly Well[];
  readonly #byKey = new Map<WellKey, ReadonlyMap<number, Well>>();
  #texts: ReadonlyMap<Well, string> | null = null;
  #values: Said | null = null;
  /** By field and direction. */
  readonly #orders = new Map<string, { readonly names: WellQuestion['names']; readonly wells: Well[] }>();

  constructor(wells: readonly Well[]) {
    this.wells = wells;
  }

  get count(): number {
    return this.wells.length;
  }

  /** What the wells say of themselves. */
  get said(): Said {
    this.#values ??= learn(nothingSaid, this.wells);
    return this.#values;
  }

  /** The well with this id. */
  well(by: WellKey, id: number): Well | undefined {
    let wells = this.#byKey.get(by);
    if (!wells) {
      // The first of several with one asset id is the one that a list shows first.
      wells = new Map(
        this.wells.toReversed().flatMap((well) => (well[by] === null ? [] : [[well[by], well]])),
      );
      this.#byKey.set(by, wells);
    }
    return wells.get(id);
  }

  /** The wells with these ids, in their order; those that are not listed are left out. */
  wellsBy(by: WellKey, ids: readonly number[]): Well[] {
    return ids.flatMap((id) => this.well(by, id) ?? []);
  }

  /** The wells that are asked for, in the order that is asked for. */
  find({ text, filter, sort, names, only }: WellQuestion): Well[] {
    const hasFilter = Object.keys(filter).length > 0;
    return this.#inOrder(sort, names)
      .filter(
        (well) =>
          (!hasFilter || passes(well, filter)) &&
          (!only || (well.assetId !== null && only.has(well.assetId))),
      )
      .filter(this.#matches(text));
  }

  /** The first wells by name in which every word of a text is found. */
  search(text: string, most = Infinity): Well[] {
    return [...this.#inOrder(byName, undefined).values().filter(this.#matches(text)).take(most)];
  }

  #matches(text: string): (well: Well) => boolean {
    const words = wordsOf(text);
    if (words.length === 0) return () => true;
    this.#texts ??= new Map(this.wells.map((well) => [well, searchText(well)]));
    const texts = this.#texts;
    return (well) => words.every((word) => texts.get(well)?.includes(word));
  }

  #inOrder(sort: WellSort, names: WellQuestion['names']): readonly Well[] {
    const key = `${sort.by} ${sort.descending}`;
    const before = this.#orders.get(key);
    if (before && before.names === names) return before.wells;
    const wells = sortedWells(this.wells, sort, names);
    this.#orders.set(key, { names, wells });
    return wells;
  }
}

const digits = (text: string) => text.replace(/\D/g, '');
// An API number is typed with and without its dashes.
const looksLikeApiNumber = /^\d[\d-]*-\d[\d-]*$/;

/** What a well can be found by, in one text: name, API number with and without dashes, asset id, identifier. */
function searchText({ name, apiNumber, assetId, identifier }: Well): string {
  const api = apiNumber ?? '';
  return [name, api, digits(api), assetId ?? '', identifier ?? ''].join('\n').toLowerCase();
}

/** The words of what was typed, as they are looked for. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => (looksLikeApiNumber.test(word) ? digits(word) : word));
}
