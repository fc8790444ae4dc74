import type { PlatformFilter } from '../../../shared/wells/platform-filters.ts';
import type { Well } from '../../../shared/wells/wells.ts';
import {
  definitionOf,
  relatedFields,
  type RelatedField,
  type SortField,
  wordFields,
  type WordField,
} from './fields.ts';

/** A bounding box in degrees. */
export interface Box {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

/** The start of a calendar day in local time, in Unix milliseconds. @param day such as `2026-11-21` */
const dayStart = (day: string): number => new Date(`${day}T00:00:00`).getTime();

function dayEnd(day: string): number {
  const next = new Date(`${day}T00:00:00`);
  next.setDate(next.getDate() + 1);
  return next.getTime();
}

/** A calendar day in local time as a moment: an ISO time, or Unix seconds. */
export function dayValue(day: string, { as, end }: { as: 'iso' | 'seconds'; end: boolean }): string | number {
  const ms = end ? dayEnd(day) : dayStart(day);
  return as === 'iso' ? new Date(ms).toISOString() : Math.floor(ms / 1000);
}

/** Filters by a calendar day in local time, `2026-11-21`, which is included. */
const dayFilters = [
  { name: 'activeFrom', field: 'lastActiveAt', as: 'iso', end: false, serviceFilter: 'active_after' },
  { name: 'activeTo', field: 'lastActiveAt', as: 'iso', end: true, serviceFilter: 'active_before' },
  { name: 'startedFrom', field: 'startedAt', as: 'seconds', end: false, serviceFilter: 'well_start_after' },
  { name: 'startedTo', field: 'startedAt', as: 'seconds', end: true, serviceFilter: 'well_start_before' },
] as const;
type DayFilter = (typeof dayFilters)[number]['name'];
export const dayFilterNames: readonly DayFilter[] = dayFilters.map(({ name }) => name);
export const isDayFilter = (name: string): name is DayFilter => dayFilterNames.some((day) => day === name);

/** A filter for wells. Absent fields match everything. */
export type WellFilter = { readonly [F in RelatedField]?: number } & {
  readonly [F in WordField | DayFilter]?: string;
} & { readonly box?: Box };
export type FilterField = keyof WellFilter;

export const noFilter: WellFilter = {};

const filterFields: readonly FilterField[] = [...relatedFields, ...wordFields, ...dayFilterNames, 'box'];

/** The fields that are set, in the order in which they were. */
export const activeFields = (filter: WellFilter): FilterField[] =>
  Object.keys(filter).flatMap((name) => filterFields.filter((field) => field === name));

export function omitFields(filter: WellFilter, fields: readonly FilterField[]): WellFilter {
  const remaining: { -readonly [F in FilterField]?: WellFilter[F] } = { ...filter };
  for (const field of fields) delete remaining[field];
  return remaining;
}

const inBox = ([east, north]: readonly [number, number], box: Box): boolean =>
  north >= box.south && north <= box.north && east >= box.west && east <= box.east;

const equalFields = [...relatedFields, ...wordFields];

/** Whether a well matches the filter, by its listed fields. */
export function matchesFilter(well: Well, filter: WellFilter): boolean {
  for (const field of equalFields)
    if (filter[field] !== undefined && well[field] !== filter[field]) return false;
  for (const { name, field, end } of dayFilters) {
    const day = filter[name];
    if (day === undefined) continue;
    const at = Date.parse(well[field] ?? '');
    // Without a time, neither holds.
    if (!(end ? at < dayEnd(day) : at >= dayStart(day))) return false;
  }
  return !filter.box || (well.position !== null && inBox(well.position, filter.box));
}

export interface ServiceFilter {
  readonly filter: PlatformFilter<'wells'>;
  readonly fields: readonly FilterField[];
}

/**
 * The part of a filter that only the service can apply: fields that no listed well has, and wells that aren't
 * visible and therefore aren't listed. Null: the list is enough.
 * @param isAnswered whether at least one listed well has a value in a field
 */
export function serviceFilterOf(
  filter: WellFilter,
  isAnswered: (field: keyof Well) => boolean,
): ServiceFilter | null {
  const serviceFilter: Record<string, string | number> = {};
  const fields: FilterField[] = [];
  const add = (field: FilterField, name: string, value: string | number) => {
    serviceFilter[name] = value;
    fields.push(field);
  };
  for (const field of equalFields) {
    const { serviceFilter: name } = definitionOf(field);
    const value = filter[field];
    const isUnlisted = field === 'visibility' && value !== 'visible';
    if (name !== undefined && value !== undefined && (isUnlisted || !isAnswered(field)))
      add(field, name, value);
  }
  for (const { name, field, serviceFilter: serviceName, ...form } of dayFilters) {
    const day = filter[name];
    if (!day || isAnswered(field)) continue;
    const value = dayValue(day, form);
    // "After" excludes the second itself.
    add(name, serviceName, name === 'startedFrom' ? Number(value) - 1 : value);
  }
  if (filter.box && !isAnswered('position')) {
    const { south, north, west, east } = filter.box;
    Object.assign(serviceFilter, { lat_start: south, lat_end: north, long_start: west, long_end: east });
    fields.push('box');
  }
  return fields.length === 0 ? null : { filter: serviceFilter, fields };
}

export interface WellSort {
  readonly by: SortField;
  readonly descending: boolean;
}

/**
 * Items by a key, and then by a second one, or in their previous order. Missing keys come last in both directions.
 * @param keyOf null: it has none
 */
export function sortByKey<T>(
  items: readonly T[],
  descending: boolean,
  keyOf: (item: T) => string | null,
  secondKeyOf: (item: T) => string = () => '',
): T[] {
  const sign = descending ? -1 : 1;
  return items
    .map((item) => ({ item, key: keyOf(item), second: secondKeyOf(item) }))
    .toSorted((a, b) => {
      if (a.key === null || b.key === null) {
        if (a.key !== b.key) return a.key === null ? 1 : -1;
      } else if (a.key !== b.key) return a.key < b.key ? -sign : sign;
      return a.second === b.second ? 0 : a.second < b.second ? -1 : 1;
    })
    .map(({ item }) => item);
}

/** The wells in order; equal values by name, then in their previous order. @param names of ids to sort by */
export const sortWells = (
  wells: readonly Well[],
  { by, descending }: WellSort,
  names: ReadonlyMap<number, string> | undefined,
): Well[] =>
  sortByKey(
    wells,
    descending,
    ({ [by]: value }) =>
      value === null
        ? null
        : sortKey(typeof value === 'number' ? (names?.get(value) ?? String(value)) : value),
    ({ name }) => (by === 'name' ? '' : sortKey(name)),
  );

/**
 * A key for natural order: case and accents don't matter, digits compare as numbers. A collator takes most of
 * a second for 50,000 names.
 */
export function sortKey(text: string): string {
  // Most names are ASCII; removing accents costs as much as everything else.
  const plain = /^[\x20-\x7e]*$/.test(text) ? text : text.normalize('NFD').replace(/\p{M}/gu, '');
  return plain.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(15, '0'));
}

export interface WellQuery {
  readonly text: string;
  readonly filter: WellFilter;
  readonly sort: WellSort;
  /** Names for sorting by an id; absent: sorts by the ids. */
  readonly names?: ReadonlyMap<number, string>;
  /** Only these asset ids; absent: all. */
  readonly assetIds?: ReadonlySet<number>;
}

export type WellKey = 'assetId' | 'platformId';

const byName: WellSort = { by: 'name', descending: false };

/**
 * A list of wells to search and sort. For 50,000 wells, a search takes 4 to 12 ms, and the first sort by a
 * field 100 ms (docs/decisions/2026-11-23-plot-and-wells.md).
 */
export class WellIndex {
  readonly wells: readonly Well[];
  readonly #byKey = new Map<WellKey, ReadonlyMap<number, Well>>();
  #texts: ReadonlyMap<Well, string> | null = null;
  readonly #words = new Map<WordField, ReadonlySet<string>>();
  readonly #ids = new Map<RelatedField, ReadonlySet<number>>();
  #names: ReadonlyMap<string, string> | null = null;
  #labels: ReadonlyMap<string, string> | null = null;
  /** By field and direction. */
  readonly #orders = new Map<string, { readonly names: WellQuery['names']; readonly wells: Well[] }>();

  constructor(wells: readonly Well[]) {
    this.wells = wells;
  }

  get count(): number {
    return this.wells.length;
  }

  /** Whether at least one well has a value in a field. */
  has(field: keyof Well): boolean {
    return this.wells.some((well) => well[field] !== null);
  }

  /** The values of a field with a filter, as they occur. */
  words(field: WordField): ReadonlySet<string> {
    const words = this.#words.get(field) ?? new Set(this.wells.flatMap((well) => well[field] ?? []));
    this.#words.set(field, words);
    return words;
  }

  ids(field: RelatedField): ReadonlySet<number> {
    const ids = this.#ids.get(field) ?? new Set(this.wells.flatMap((well) => well[field] ?? []));
    this.#ids.set(field, ids);
    return ids;
  }

  well(by: WellKey, id: number): Well | undefined {
    return this.#by(by).get(id);
  }

  /** If several wells have one id, the first in the list applies. */
  #by(key: WellKey): ReadonlyMap<number, Well> {
    const before = this.#byKey.get(key);
    if (before) return before;
    const wells = new Map<number, Well>();
    for (const well of this.wells) {
      const id = well[key];
      if (id !== null && !wells.has(id)) wells.set(id, well);
    }
    this.#byKey.set(key, wells);
    return wells;
  }

  /** The names of wells by asset id, as text; of several wells with one asset id, the first. */
  get names(): ReadonlyMap<string, string> {
    this.#names ??= new Map(
      this.#by('assetId')
        .entries()
        .map(([id, { name }]) => [`${id}`, name]),
    );
    return this.#names;
  }

  /** The names by which a user tells wells apart: of several wells with one name, with their asset ids. */
  get labels(): ReadonlyMap<string, string> {
    this.#labels ??= labelsOf(this.names);
    return this.#labels;
  }

  wellsBy(by: WellKey, ids: readonly number[]): Well[] {
    return ids.flatMap((id) => this.well(by, id) ?? []);
  }

  find({ text, filter, sort, names, assetIds }: WellQuery): Well[] {
    const hasFilter = Object.keys(filter).length > 0;
    return this.#inOrder(sort, names)
      .filter(
        (well) =>
          (!hasFilter || matchesFilter(well, filter)) &&
          (!assetIds || (well.assetId !== null && assetIds.has(well.assetId))),
      )
      .filter(this.#matches(text));
  }

  /** The first wells by name that contain every word of a text. */
  search(text: string, maxResults = Infinity): Well[] {
    return [...this.#inOrder(byName, undefined).values().filter(this.#matches(text)).take(maxResults)];
  }

  #matches(text: string): (well: Well) => boolean {
    const words = searchWords(text);
    if (words.length === 0) return () => true;
    this.#texts ??= new Map(this.wells.map((well) => [well, searchableText(well)]));
    const texts = this.#texts;
    return (well) => words.every((forms) => forms.some((form) => texts.get(well)?.includes(form)));
  }

  #inOrder(sort: WellSort, names: WellQuery['names']): readonly Well[] {
    const key = `${sort.by} ${sort.descending}`;
    const before = this.#orders.get(key);
    if (before && before.names === names) return before.wells;
    const wells = sortWells(this.wells, sort, names);
    this.#orders.set(key, { names, wells });
    return wells;
  }
}

function labelsOf(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const all = new Set<string>();
  const shared = new Set<string>();
  for (const name of names.values()) (all.has(name) ? shared : all).add(name);
  if (shared.size === 0) return names;
  return new Map([...names].map(([id, name]) => [id, shared.has(name) ? `${name} (${id})` : name]));
}

const digits = (text: string) => text.replace(/\D/g, '');
// API numbers are typed with or without dashes.
const looksLikeApiNumber = /^\d[\d-]*-\d[\d-]*$/;

/** The searchable text of a well: name, API number with and without dashes, asset id, identifier. */
function searchableText({ name, apiNumber, assetId, identifier }: Well): string {
  const api = apiNumber ?? '';
  return [name, api, digits(api), assetId ?? '', identifier ?? ''].join('\n').toLowerCase();
}

/** The words of a search in the forms in which a well can have them: `16-36` is a part of a name, too. */
function searchWords(text: string): string[][] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => (looksLikeApiNumber.test(word) ? [word, digits(word)] : [word]));
}
