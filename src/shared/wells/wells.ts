import * as z from 'zod';
import { isObject, type JsonObject, valueUnder } from '../json.ts';

/**
 * The ids of a well. Only `assetId` scopes records; `platformId` is the id of `/v2/wells` and never does
 * (specification, section 1.4). They are different types, so one can't replace the other.
 */
export const assetId = z.int().brand<'assetId'>();
export type AssetId = z.infer<typeof assetId>;
export const platformWellId = z.int().brand<'platformWellId'>();
export type PlatformWellId = z.infer<typeof platformWellId>;

/** An unchanged platform resource, except that its id is an integer (specification, section 2.3). */
export const platformEntity = z.object({
  id: z.int(),
  type: z.string(),
  attributes: z.record(z.string(), z.unknown()),
  relationships: z.record(z.string(), z.unknown()).optional(),
});
export type PlatformEntity = z.infer<typeof platformEntity>;

/** A text that isn't empty, or a number as text; null for anything else. */
export const readText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

/** An integer, also as a string of digits; null for anything else. */
export function readInteger(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

/** The value of an attribute; undefined: there is none. */
export const under = (value: unknown, name: string): unknown =>
  isObject(value) ? valueUnder(value, name) : undefined;

/** The id of a related entity by the name of the relationship; null: none. */
export const relatedTo = (name: string, { relationships }: PlatformEntity): number | null =>
  readInteger(under(under(relationships?.[name], 'data'), 'id'));

const relatedId = z.int().nullable().default(null);

export const well = z.object({
  platformId: platformWellId,
  /** Null if the platform doesn't have it: such a well's records can't be read. */
  assetId: assetId.nullable(),
  name: z.string(),
  status: z.string().nullable(),
  state: z.string().nullable(),
  visibility: z.string().nullable(),
  identifier: z.string().nullable(),
  apiNumber: z.string().nullable(),
  area: z.string().nullable(),
  companyId: z.int().nullable(),
  lastActiveAt: z.string().nullable(),
  /** Ids of related platform resources, if the relationships were included. */
  programId: relatedId,
  padId: relatedId,
  rigId: relatedId,
  fracFleetId: relatedId,
  drilloutUnitId: relatedId,
  /** When work on it began, ISO 8601. */
  startedAt: z.string().nullable().default(null),
  /** Longitude and latitude, in degrees. */
  position: z.tuple([z.number(), z.number()]).nullable().default(null),
  /** The well's time zone as the platform names it, usually an IANA name. */
  timeZone: z.string().nullable().default(null),
});
export type Well = z.infer<typeof well>;

const { shape } = well;
const relatedRow = z.int().nullable();
/** A well in a long list; see `packed-wells.ts`. */
export const packedWell = z.tuple([
  shape.platformId,
  shape.assetId,
  shape.name,
  shape.status,
  shape.state,
  shape.visibility,
  shape.identifier,
  shape.apiNumber,
  shape.area,
  shape.companyId,
  shape.lastActiveAt,
  relatedRow,
  relatedRow,
  relatedRow,
  relatedRow,
  relatedRow,
  z.string().nullable(),
  z.tuple([z.number(), z.number()]).nullable(),
  z.string().nullable(),
]);
export type PackedWell = z.infer<typeof packedWell>;

/** Maximum number of pinned wells: of more, the oldest go. */
const maxPinned = 1000;

/** The user's marks of a connection's wells, by asset id, the recent ones latest first. */
export const wellMarks = z.object({
  pinned: z.array(assetId).max(maxPinned),
  recent: z.array(assetId).max(50),
  /** The visible fields of the list and columns of the table; null: default. */
  facts: z.array(z.string()).max(40).nullable(),
  columns: z.array(z.string()).max(40).nullable(),
});
export type WellMarks = z.infer<typeof wellMarks>;
export const noMarks: WellMarks = { pinned: [], recent: [], facts: null, columns: null };
const marks = wellMarks.shape;
/** The changed marks; absent ones remain. `used`: the wells that become the latest of the recent ones. */
export const wellMarksChange = z
  .object({
    pin: marks.pinned,
    unpin: marks.pinned,
    used: marks.recent,
    facts: marks.facts,
    columns: marks.columns,
  })
  .partial();
export type WellMarksChange = z.infer<typeof wellMarksChange>;

export const maxRecent = 30;
/** Maximum number of changes of marks in one request. */
export const maxMarkChanges = 1000;

/** The marks after a change. */
export function withMarks(before: WellMarks, change: WellMarksChange): WellMarks {
  const { pin = [], unpin = [], used = [], facts = before.facts, columns = before.columns } = change;
  return {
    pinned: [...new Set([...before.pinned, ...pin]).difference(new Set(unpin))].slice(-maxPinned),
    recent: [...new Set([...used, ...before.recent])].slice(0, maxRecent),
    facts,
    columns,
  };
}

/** A well with an asset id, whose data can be queried. */
export type ScopedWell = Well & { readonly assetId: AssetId };

/** Whether the data of a well can be queried. */
export const hasAssetId = (well: Well): well is ScopedWell => well.assetId !== null;

/** The unique asset ids of the wells. Platform ids never scope records. */
export function scopeOf(wells: readonly ScopedWell[]): AssetId[] {
  return [...new Set(wells.map(({ assetId }) => assetId))];
}

/** The unique companies of the wells, as far as known. */
export function companiesOf(wells: readonly ScopedWell[]): number[] {
  return [...new Set(wells.map(({ companyId }) => companyId))].filter((id) => id !== null);
}

/** Whether two selections have the same assets, in any order. */
export function sameScope(one: readonly ScopedWell[], other: readonly ScopedWell[]): boolean {
  const [a, b] = [new Set(scopeOf(one)), new Set(scopeOf(other))];
  return a.size === b.size && a.isSubsetOf(b);
}

/** The current versions of the wells in the list; the same array if nothing changed. */
export function refreshed(
  chosen: readonly ScopedWell[],
  listed: { readonly well: (by: 'platformId', id: PlatformWellId) => Well | undefined },
): readonly ScopedWell[] {
  const now = chosen.map((well) => {
    const another = listed.well('platformId', well.platformId);
    return another && hasAssetId(another) ? another : well;
  });
  return JSON.stringify(now) === JSON.stringify(chosen) ? chosen : now;
}

/** The digits of an API number, which can be written with dashes and blanks. */
export const apiDigits = (text: string): string => text.replaceAll(/[-\s]/g, '');

/** The form in which names and numbers of wells are compared: trimmed, in one case; API numbers without dashes. */
export const assetKey = (by: 'id' | 'name' | 'api_number', text: string): string =>
  by === 'api_number' ? apiDigits(text) : text.trim().toLowerCase();

/** The words of a name as one text, with a blank between two numbers: `1-12` isn't `11-2`. */
export const joinedWords = (words: readonly string[]): string =>
  words.join(' ').replaceAll(/(?<!\p{N}) | (?!\p{N})/gu, '');

/** The numbers of digits of API numbers: of a well, with its wellbore, and with the completion in it. */
export const apiLengths: readonly number[] = [10, 12, 14];

/** Whether a text is an API number: 10 digits, or more. */
export const isApiNumber = (text: string): boolean => /^\d{10,20}$/.test(apiDigits(text));

/** The shorter API numbers that a longer one contains, the longest first: of its wellbore, and of its well. */
export const shorterApiNumbers = (digits: string): string[] =>
  apiLengths
    .filter((length) => length < digits.length)
    .toReversed()
    .map((length) => digits.slice(0, length));

/** The API number of the well in that of a wellbore or completion: its first 10 digits. */
export const apiOfWell = (digits: string): string => digits.slice(0, apiLengths[0]);

/** The API number of a well as it is usually written: `42-123-45678`. @param digits 10 digits */
export const dashedApi = (digits: string): string =>
  `${digits.slice(0, 2)}-${digits.slice(2, 5)}-${digits.slice(5)}`;

/** Whether two API numbers can be of one wellbore: they are equal as far as the shorter one says. */
export function areOfOneWellbore(a: string, b: string): boolean {
  const [first, second] = [apiDigits(a), apiDigits(b)];
  return first === second || (isApiNumber(first) && isApiNumber(second) && isPrefix(first, second));
}

const isPrefix = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);

type OfIds = Pick<PlatformEntity, 'id' | 'attributes'>;

/** The nested attributes of an entity, such as the API number of a well. */
export const settingsOf = ({ settings }: OfIds['attributes']): JsonObject =>
  isObject(settings) ? settings : {};

/** Filters that are lists of ids, and how an entity has its own. */
const idFilters: Readonly<Record<string, (entity: OfIds) => unknown>> = {
  ids: ({ id }) => id,
  asset_id: ({ attributes }) => attributes['asset_id'],
  api_number: ({ attributes }) => attributes['api_number'] ?? settingsOf(attributes)['api_number'],
};

/** Filters that neither exclude entities nor leave out their ids. */
const neutralFilters = ['sort', 'order', 'per_page'];

/** API numbers have ids of their own in any notation; all other ids are integers. */
const keyOf = (id: unknown): string => apiDigits(String(id));

/**
 * The ids in the list of a filter that none of the entities has, which the service sent for it. Empty if the filter has other
 * conditions, even on other ids, which an existing entity may not meet, or selects fields, which may not include the ids.
 * @param filter named as in the specification, section 4.2
 */
export class MissingIds {
  readonly #idOf: ((entity: OfIds) => unknown) | undefined;
  /** The ids as they are in the filter. */
  readonly #missing: Map<string, string>;

  constructor(filter: Readonly<Record<string, unknown>>) {
    const [[name, ids] = ['', null], ...others] = Object.entries(filter).filter(
      ([name, value]) => value !== undefined && !neutralFilters.includes(name),
    );
    this.#idOf = others.length === 0 ? idFilters[name] : undefined;
    this.#missing = new Map(this.#idOf && Array.isArray(ids) ? ids.map((id) => [keyOf(id), String(id)]) : []);
  }

  remove(entities: Iterable<OfIds>): void {
    for (const entity of entities) {
      const id = this.#idOf?.(entity);
      // The service matched an id that it doesn't return.
      if (id === undefined || id === null) this.#missing.clear();
      else this.#missing.delete(keyOf(id));
    }
  }

  /** The remaining ids. */
  get texts(): string[] {
    return [...this.#missing.values()];
  }
}

/** Longitude and latitude in degrees; null if a resource has no valid position. */
function coordinatesOf(value: unknown): [number, number] | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [longitude, latitude]: unknown[] = value;
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return null;
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? [longitude, latitude] : null;
}

/** A platform resource as a point with its attributes in GeoJSON (RFC 7946). One without a position has no geometry. */
export function featureOf({ id, type, attributes }: PlatformEntity) {
  const { lon_lat: position, ...others } = isObject(attributes) ? attributes : {};
  const coordinates = coordinatesOf(position);
  return {
    type: 'Feature' as const,
    id: `${type}/${id}`,
    geometry: coordinates && { type: 'Point' as const, coordinates },
    properties: { platform_id: id, ...others },
  };
}

/** Platform resources as {@link featureOf} gives them, in one object. */
export const featureCollection = (entities: readonly PlatformEntity[]) => ({
  type: 'FeatureCollection' as const,
  features: entities.map(featureOf),
});

const wellWord =
  /^(?:wells?|wellbores?|wellname|wellid|wellno|wellnumber|borehole|uwi|api|api(?:no|num|number|10|12|14)|asset|assetid)$/;
const wellQualifier =
  /^(?:names?|id|identifier|no|nr|num|number|code|bore|hole|npd|npdid|wlb|common|full|short|unique|us|usa|legal|label|metadata|the|of|10|12|14)$/;

/** A name as lowercase words: `wlbWellboreName` becomes `wlb`, `wellbore`, `name`. */
export const nameInWords = (name: string): string[] =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const areOfWells = (words: readonly string[]): boolean =>
  words.some((word) => wellWord.test(word)) &&
  words.every((word) => wellWord.test(word) || wellQualifier.test(word));

/** Whether a column with this name can name wells; `Well status`, `API gravity`, and the like can't. */
export const canNameWells = (name: string): boolean => areOfWells(nameInWords(name));

/** Whether a word of a title, a remark, or the name of a file is seldom part of a well's name. */
export const isCommonWord = (word: string): boolean =>
  /^(?:surveys?|wells?|data|export|logs?|las|csv|drilling|depth|time|reports?|stages?|final|raw|daily|day|copy|of|and|the|tests?|testing|completions?|summary|history|status|schematic|plan|operations?|flowing|producing|injecting|static)$/i.test(
    word,
  );

/** Around the names of columns of results: the prefix of records, other wells, and the number that a join adds. */
const aroundName = /^(?:(?:meta)?data[._])?(?:(?:offset|parent)_?(?=\p{L}))?|(?<=\p{L})_?\d+$/giu;
/** Identifiers of other systems, such as the `uidWell` of WITSML. */
const otherId = /^(?:uid|uuid|guid|key|nm|ref|ids|fullname)$/;

/**
 * Whether a column of records or of a result can name wells. Of a file that is uploaded, {@link canNameWells} is sure:
 * others are asked about.
 */
export const isWellColumn = (name: string): boolean =>
  areOfWells(nameInWords(name.replaceAll(aroundName, '')).filter((word) => !otherId.test(word)));
