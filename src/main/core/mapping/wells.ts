import { valueUnder } from '../../../shared/json.ts';
import { type ColumnFacts, columnType, type Scan, type Layout } from '../tables/tables.ts';
import { maxWells } from '../records/column-names.ts';
import { nullsOf, nullWords } from '../../../shared/upload/null-tokens.ts';
import { AppError, invalidInput, isAppError } from '../../../shared/errors/errors.ts';
import type { FileWarning, Mapping } from '../../../shared/upload/upload.ts';
import {
  type WellCandidate,
  type WellName,
  otherWells,
  wellsByName,
  type WellColumn,
  type WellsBy,
} from '../../../shared/upload/proposals.ts';
import {
  type PlatformEntity,
  type Well,
  apiDigits,
  assetKey,
  joinedWords,
  isCommonWord,
  apiOfWell,
  canNameWells,
  isApiNumber,
  nameInWords,
  readInteger,
} from '../../../shared/wells/wells.ts';
import type { CallOptions, PlatformService } from '../wire/services/services.ts';
import { isExcelDamaged } from '../records/decimal.ts';
import { assetPaths, isAssetPath } from '../../../shared/datasets/datasets.ts';
import { append, firstInWords, maxOf, runForEach } from '../../../shared/lists.ts';
import { wellsByApiNumber, type ApiMatch } from '../wells/api-numbers.ts';
import type { WellZone } from '../../../shared/upload/preview.ts';
import type { NamedValue } from './source-file.ts';
import { toWell } from '../wells/well.ts';
import type { Match, ColumnDecision } from './decisions.ts';
import { isZone } from '../records/zone-names.ts';

type Finding = NonNullable<Scan['comments']>;

type By = 'name' | 'api_number';
/** Asset ids by the {@link assetKey} of a name. */
type Ids = Readonly<Record<string, number>>;
type AssetIds = Readonly<Record<string, Ids>>;
interface Wanted {
  readonly column: string;
  readonly by: By;
  readonly settled: Ids;
}

const concurrentLookups = 4;
/** Maximum number of suggestions for a name that isn't a well. */
const maxOffered = 5;

/** The columns with wells by name or API number, according to the mapping, with the user's assignments. */
export function assetColumns(mapping: Mapping): Wanted[] {
  return Object.entries(mapping.columns).flatMap(([column, { by, wells = {} }]) => {
    if (by !== 'name' && by !== 'api_number') return [];
    const settled = Object.entries(wells).map(([value, id]) => [assetKey(by, value), id] as const);
    return [{ column, by, settled: Object.fromEntries(settled) }];
  });
}

/** The columns that the mapping assigns to a well, in any form. */
export const columnsOfWells = ({ columns }: Mapping): string[] =>
  Object.entries(columns).flatMap(([column, { to, by }]) =>
    isAssetPath(to) || (by !== undefined && by !== 'id') ? [column] : [],
  );

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A candidate from a well, or from an asset, whose own id is the asset id. */
function candidate(entity: PlatformEntity, assetId: number | null): WellCandidate[] {
  const { attributes, id } = entity;
  if (assetId === null) return [];
  const name = textOf(attributes['name']) ?? String(id);
  return [{ assetId, name, apiNumber: textOf(attributes['api_number']) }];
}

const distinctWells = (candidates: readonly WellCandidate[]): WellCandidate[] => [
  ...new Map(candidates.map((wellCandidate) => [wellCandidate.assetId, wellCandidate])).values(),
];

const candidates = (wells: readonly PlatformEntity[]): WellCandidate[] =>
  distinctWells(wells.flatMap((well) => candidate(well, readInteger(well.attributes['asset_id']))));

/**
 * The wells with a name or API number, and suggestions from a search. Only `attributes.asset_id` of a well, or the id
 * of an asset, is an asset id; the platform id of a well never is (specification, section 1.4).
 */
async function wellsOf(
  platform: PlatformService,
  by: By,
  value: string,
  options: CallOptions,
): Promise<{ exact: WellCandidate[]; offered: WellCandidate[] }> {
  if (by === 'api_number') {
    const { matching, others } = await wellsByApiNumber(platform, value, options);
    const wells = (matches: readonly ApiMatch[]) =>
      distinctWells(
        matches.flatMap(({ asset, apiNumber }) =>
          candidate(asset, asset.id).map((wellCandidate) => ({ ...wellCandidate, apiNumber })),
        ),
      );
    return { exact: wells(matching), offered: wells(others).slice(0, maxOffered) };
  }
  const key = assetKey(by, value);
  const isNamed = ({ attributes }: PlatformEntity): boolean =>
    typeof attributes['name'] === 'string' && assetKey(by, attributes['name']) === key;
  const wells = await platform.list('wells', { search: value.trim() }, options);
  const exact = candidates(wells.filter(isNamed));
  return { exact, offered: exact.length > 0 ? [] : candidates(wells).slice(0, maxOffered) };
}

async function nameOf(
  platform: PlatformService,
  { by, settled }: Wanted,
  [value, { line, count }]: NameInFile,
  options: CallOptions,
): Promise<WellName> {
  const key = assetKey(by, value);
  const settledId = valueUnder(settled, key);
  if (settledId !== undefined)
    return { value, line, count, assetId: settledId, found: 'settled', candidates: [] };
  if (by === 'api_number' && isExcelDamaged(value))
    return { value, line, count, assetId: null, found: 'damaged', candidates: [] };
  const { exact, offered } = await wellsOf(platform, by, value, options);
  const [only, ...more] = exact;
  if (only && more.length === 0)
    return { value, line, count, assetId: only.assetId, found: 'one', candidates: exact };
  if (only) return { value, line, count, assetId: null, found: 'several', candidates: exact };
  return { value, line, count, assetId: null, found: 'none', candidates: offered };
}

type NameInFile = readonly [value: string, Finding];

/** The names of a column, each with the rows of all its spellings. */
function distinctNames(
  by: WellsBy,
  values: ReadonlyMap<string, Finding>,
  nulls: readonly string[],
): NameInFile[] {
  const names = new Map<string, NameInFile>();
  for (const [value, finding] of values) {
    if (nulls.includes(value)) continue;
    const key = assetKey(by, value);
    const [first, { line, count }] = names.get(key) ?? [value, { ...finding, count: 0 }];
    names.set(key, [first, { line, count: count + finding.count }]);
  }
  return [...names.values()];
}

/**
 * The wells for the distinct names of a column, in the order of the file; spellings of one name are one, as its rows are.
 * @throws AppError invalid_input if there are too many to be wells; errors of the platform service
 */
export async function wellNames(
  platform: PlatformService,
  wanted: Wanted,
  values: ReadonlyMap<string, Finding>,
  nulls: readonly string[],
  options: CallOptions,
): Promise<WellName[]> {
  if (values.size > maxWells)
    throw invalidInput(
      `Column “${wanted.column}” has more than ${maxWells} distinct values, so it can't name wells. Map another column.`,
      { field: `mapping.columns.${wanted.column}` },
    );
  const names: WellName[] = [];
  await runForEach(
    distinctNames(wanted.by, values, nulls).entries(),
    concurrentLookups,
    async ([at, entry]) => {
      names[at] = await nameOf(platform, wanted, entry, options);
    },
  );
  return names;
}

const whyUnresolved = ({ found, candidates, value }: WellName): string => {
  if (found === 'damaged') return 'has lost digits in a spreadsheet';
  if (found === 'several') return `matches ${candidates.length} wells: ${inWords(candidates)}`;
  const otherWellbores = candidates.filter(({ apiNumber }) => isOtherWellbore(apiNumber, value));
  return otherWellbores.length === 0
    ? 'doesn’t match a well'
    : `doesn’t match a wellbore; others of this well are ${inWords(otherWellbores)}`;
};

/** Whether an API number is of another wellbore of the well in a text. */
const isOtherWellbore = (apiNumber: string | null, text: string): boolean =>
  apiNumber !== null && isApiNumber(text) && apiDigits(apiNumber).startsWith(apiOfWell(apiDigits(text)));

/** Wells by name, API number, and asset id, for a message. */
const inWords = (candidates: readonly WellCandidate[]): string =>
  firstInWords(
    candidates.map(({ name, apiNumber, assetId }) =>
      apiNumber === null ? `${name} (${assetId})` : `${name} (${apiNumber}, ${assetId})`,
    ),
    maxOffered,
  );

const unresolved = (column: string, name: WellName): FileWarning => ({
  code: 'well_unresolved',
  message: `Column “${column}”: “${name.value}” ${whyUnresolved(name)}. Its rows will be rejected.`,
  line: name.line,
  column,
  count: name.count ?? 0,
});

const issuesShown = 10;

function noWellKnown(
  column: string,
  names: readonly WellName[],
  warnings: readonly FileWarning[],
): AppError<'invalid_input'> {
  const issues = warnings
    .slice(0, issuesShown)
    .map(({ message, line }) => ({ message, place: { line: line ?? 1 } }));
  const more = warnings.length - issuesShown;
  const rest = more > 0 ? [{ message: `Column “${column}”: ${more} more not recognized.` }] : [];
  const [first, ...otherIssues] = [...issues, ...rest];
  const lists = { wells: names.map(({ value }) => value) };
  return new AppError('invalid_input', { issues: first ? [{ ...first, lists }, ...otherIssues] : [] });
}

/**
 * Resolves each well that a file names to an asset id. Unresolved names become warnings, and their rows are rejected;
 * if none is resolved, the upload doesn't start.
 * @throws AppError invalid_input if no well is known; errors of the platform service
 */
export async function resolveAssets(
  platform: PlatformService,
  mapping: Mapping,
  distinct: Readonly<Record<string, ReadonlyMap<string, Finding>>>,
  options: CallOptions = {},
): Promise<{ assets: AssetIds; warnings: FileWarning[] }> {
  const assets: Record<string, Ids> = {};
  const warnings: FileWarning[] = [];
  for (const wanted of assetColumns(mapping)) {
    const { column, by } = wanted;
    const names = await wellNames(platform, wanted, distinct[column] ?? new Map(), nullsOf(mapping), options);
    const ids: Record<string, number> = {};
    for (const { value, assetId } of names) if (assetId !== null) ids[assetKey(by, value)] = assetId;
    const lost = names.filter(({ assetId }) => assetId === null).map((name) => unresolved(column, name));
    if (names.length > 0 && lost.length === names.length) throw noWellKnown(column, names, lost);
    assets[column] = ids;
    append(warnings, lost);
  }
  return { assets, warnings };
}

/** The wells that the mapping itself assigns to the names of a file. */
export const settledAssets = (mapping: Mapping, distinct: Scan['distinct']): AssetIds =>
  Object.fromEntries(
    assetColumns(mapping).map(({ column, by, settled }) => {
      const keys = new Set([...(distinct[column]?.keys() ?? [])].map((name) => assetKey(by, name)));
      return [column, Object.fromEntries(Object.entries(settled).filter(([key]) => keys.has(key)))];
    }),
  );

/** A place where a file names wells: a column, or with `column` null the lines before its header. */
interface NamingColumn {
  readonly column: string | null;
  readonly by: WellsBy;
  /** Each name with its first line. */
  readonly values: ReadonlyMap<string, Finding>;
}

/** Maximum number of names that are looked up for a column that isn't mapped to a well. */
const maxLookups = 200;

/** API gravity is called API too; an API number of a well has 8 digits or more. */
const hasApiDigits = (value: string): boolean => value.replaceAll(/\D/g, '').length >= 8;

function byOf(
  name: string,
  facts: ColumnFacts,
  notation: Scan['notation'],
  values: readonly string[],
): WellsBy | null {
  const { type } = columnType(facts, notation);
  if (type === 'empty' || type === 'time' || type === 'boolean' || type === 'number') return null;
  const words = nameInWords(name);
  const by = wellsByName(words);
  const areDigits = words.includes('uwi') || values.filter(hasApiDigits).length * 2 >= values.length;
  if (by === 'api_number') return areDigits ? by : null;
  return type === 'integer' ? by : 'name';
}

const order: readonly WellsBy[] = ['id', 'name', 'api_number'];

/** The columns of a file that can name wells, and the values before its rows that do; the most likely first. */
export function namingColumns(
  { layout, columns, notation, distinct }: Pick<Scan, 'layout' | 'columns' | 'notation' | 'distinct'>,
  namedValues: readonly NamedValue[],
): NamingColumn[] {
  const namingColumns = layout.columns.flatMap(({ name, key }, index): NamingColumn[] => {
    const facts = columns[index];
    const all = canNameWells(name) ? distinct[key] : undefined;
    if (!facts || !all || all.size > maxWells) return [];
    const values = new Map([...all].filter(([value]) => !nullWords.includes(value)));
    const by = values.size === 0 ? null : byOf(name, facts, notation, [...values.keys()]);
    return by === null ? [] : [{ column: key, by, values }];
  });
  namingColumns.sort((a, b) => order.indexOf(a.by) - order.indexOf(b.by));
  return [...namingColumns, ...preambleWells(namedValues)];
}

/** The wells that the values before a table name. */
function preambleWells(namedValues: readonly NamedValue[]): NamingColumn[] {
  const findings = new Map<WellsBy, Map<string, Finding>>();
  const wells = namedValues
    .map((named) => ({ ...named, words: nameInWords(named.name) }))
    .filter(({ name, words }) => canNameWells(name) && !words.includes('wells'));
  // Beside a well, a wellbore is one of its own.
  const isOfWell = wells.some(({ words }) => words.every((word) => /^(?:well|wellname|name)$/.test(word)));
  for (const { words, value, line } of wells) {
    const name = value.replaceAll('"', '').trim();
    if (name === '' || name.length > 80 || nullWords.includes(name)) continue;
    if (isOfWell && words.some((word) => word.endsWith('bore'))) continue;
    const by = wellsByName(words);
    if (by === 'api_number' && !words.includes('uwi') && !hasApiDigits(name)) continue;
    const values = findings.get(by) ?? new Map<string, Finding>();
    findings.set(by, values.has(name) ? values : values.set(name, { line, count: 1 }));
  }
  return [...findings].map(([by, values]) => ({ column: null, by, values }));
}

/**
 * The wells that a file names: in columns that the mapping assigns to a well, and in others that can name wells. Up to
 * 200 names of the latter are looked up.
 * @throws AppError invalid_input if a mapped column has too many values to be wells; errors of the platform service
 */
export async function wellsOfFile(
  platform: PlatformService,
  mapping: Mapping,
  scan: Pick<Scan, 'layout' | 'columns' | 'notation' | 'distinct'>,
  namedValues: readonly NamedValue[],
  options: CallOptions,
): Promise<WellColumn[]> {
  const nulls = nullsOf(mapping);
  const wellColumns: WellColumn[] = [];
  const mapped = assetColumns(mapping);
  for (const wanted of mapped) {
    const values = scan.distinct[wanted.column] ?? new Map<string, Finding>();
    const { column, by } = wanted;
    wellColumns.push({ column, by, names: await wellNames(platform, wanted, values, nulls, options) });
  }
  for (const naming of namingColumns(scan, namedValues)) {
    const { column, by } = naming;
    if (mapped.some((mappedColumn) => mappedColumn.column === column)) continue;
    wellColumns.push({ column, by, names: await unmappedNames(platform, naming, nulls, options) });
  }
  return wellColumns;
}

async function unmappedNames(
  platform: PlatformService,
  { column, by, values }: NamingColumn,
  nulls: readonly string[],
  options: CallOptions,
): Promise<WellColumn['names']> {
  const all = distinctNames(by, values, nulls);
  if (by === 'id')
    return all.map(([value, { line, count }]) => {
      const assetId = readInteger(value);
      return { value, line, count, assetId, found: assetId === null ? 'none' : 'one', candidates: [] };
    });
  const lookups = new Map(all.slice(0, maxLookups));
  const names = await wellNames(platform, { column: column ?? '', by, settled: {} }, lookups, nulls, options);
  const others = all.slice(maxLookups).map(([value, finding]): WellName => {
    return { value, ...finding, assetId: null, found: 'unchecked', candidates: [] };
  });
  return [...names, ...others];
}

/** The well that the mapping sets for all rows. */
interface WellOfAllRows {
  readonly path: string;
  readonly assetId: number;
  /** A column with a value in each row that goes to the same path by its name; null: none. */
  readonly column: string | null;
}

/**
 * The well that the mapping sets for all rows; null: columns set it, or nothing does. It only fills the blanks of a
 * column for the same path that has some, or that the mapping lists.
 */
export function wellOfAllRows(
  mapping: Mapping,
  matches: readonly Match[],
  facts: readonly ColumnFacts[],
): WellOfAllRows | null {
  for (const path of assetPaths) {
    const assetId = mapping.constants[path];
    if (typeof assetId !== 'number') continue;
    const columns = matches.filter((match) => match.path.join('.') === path);
    const isFilled = columns.some(({ column, index }) => {
      const { empty = 0, null_word: nulls = 0 } = facts[index]?.counts ?? {};
      return Object.hasOwn(mapping.columns, column) || empty + nulls > 0;
    });
    if (!isFilled) return { path, assetId, column: columns[0]?.column ?? null };
  }
  return null;
}

const namesShown = 5;

/**
 * Prevents rows of other wells from being stored under the one well that the mapping sets for all rows.
 * @param placeKind of a converted table, whose header isn't in lines; absent: the file is read directly
 * @returns a warning if the user confirmed the well
 * @throws AppError invalid_input with the wells that the file names
 */
export function checkWellOfAllRows(
  mapping: Mapping,
  well: WellOfAllRows,
  columns: readonly WellColumn[],
  placeKind?: Layout['placeKind'],
): FileWarning[] {
  const { path, assetId } = well;
  // The values of a column take precedence over the constant, whatever the user confirmed.
  const confirmed = well.column === null ? (mapping.confirmedWells ?? []) : [];
  const unconfirmed = otherWells(columns, assetId, confirmed);
  if (unconfirmed.length > 0) throw wrongWells(well, columns, unconfirmed, placeKind);
  const taken = otherWells(columns, assetId, []);
  const [first] = taken;
  if (!first) return [];
  return [
    {
      code: 'wells_confirmed',
      message: `The file names ${namesInWords(taken, placeKind)}; all rows are stored under ${path} ${assetId}, as confirmed.`,
      line: first.line,
      count: taken.reduce((total, { count = 0 }) => total + count, 0),
      ...(first.column === null ? {} : { column: first.column }),
    },
  ];
}

type Other = ReturnType<typeof otherWells>[number];

function namesInWords(names: readonly Other[], placeKind: Layout['placeKind']): string {
  const texts = names.map(({ value, line, column }) => {
    const hasPlace = column !== null || placeKind === undefined;
    return hasPlace ? `“${value}” (${placeKind ?? 'line'} ${line})` : `“${value}”`;
  });
  return firstInWords(texts, namesShown);
}

function wrongWells(
  { path, assetId, column: filling }: WellOfAllRows,
  columns: readonly WellColumn[],
  others: readonly Other[],
  placeKind: Layout['placeKind'],
): AppError {
  const column = others.find((well) => well.column !== null)?.column ?? null;
  const by = columns.find((namingColumn) => namingColumn.column === column)?.by ?? 'name';
  const header = placeKind === undefined ? 'the lines before the header name' : 'the header names';
  const where = column === null ? header : `column “${column}” names`;
  const instead =
    column === null
      ? 'Set the asset_id of that well'
      : `Map the column with {"to": "${path}"${by === 'id' ? '' : `, "by": "${by}"`}} instead of the constant`;
  return invalidInput(
    `All rows would be stored under ${path} ${assetId}, but ${where} other wells: ${namesInWords(others, placeKind)}. ${instead}, or ${filling === null ? '' : 'skip it and '}list these names under "confirmedWells" in the mapping.`,
    { field: `mapping.constants.${path}` },
    { wells: [...new Set(others.map(({ value }) => value))] },
  );
}

/** A note on the number of wells in each column of wells, if there are several. */
export function severalWells(
  mapping: Mapping,
  { distinct }: Pick<Scan, 'distinct'>,
  matches: readonly Match[],
): FileWarning[] {
  const nulls = nullsOf(mapping);
  return matches.flatMap(({ kind, column, wanted: { by = 'id' } }): FileWarning[] => {
    const names = [...(distinct[column]?.keys() ?? [])].filter((name) => !nulls.includes(name));
    const count = new Set(by === 'id' ? names : names.map((name) => assetKey(by, name))).size;
    if (kind !== 'asset' || count < 2) return [];
    const message = `Column “${column}” names ${count > maxWells ? `more than ${maxWells}` : count} wells; each row is stored under its own.`;
    return [{ code: 'several_wells', message, line: null, column, count }];
  });
}

/** Maximum number of words of a name that are looked up. */
const maxWords = 3;

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** The words to search by: those with letters and digits identify a well best, then long ones. */
function searchWords(words: readonly string[]): string[] {
  const rank = (word: string) => (/\d/.test(word) ? 1 : 0) * 100 + word.length;
  return [...new Set(words)]
    .filter((word) => word.length > 1 && /\p{L}/u.test(word) && !isCommonWord(word))
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, maxWords);
}

/** Whether the words of a well's name follow each other in those of the file's name. */
function isNamed(well: string, words: readonly string[]): boolean {
  const name = joinedWords(wordsOf(well));
  return words.some((_, from) =>
    words.some((__, to) => to >= from && joinedWords(words.slice(from, to + 1)) === name),
  );
}

/**
 * The wells whose name is in the name of a file, such as `Ridge_A-101H surveys.csv`; only those with the longest name.
 * @throws errors of the platform service
 */
export async function wellsInName(
  platform: PlatformService,
  fileName: string,
  options: CallOptions,
): Promise<WellCandidate[]> {
  const words = wordsOf(fileName.replace(/(?:\.[A-Za-z]\w{0,6}){1,2}$/, ''));
  const named = new Map<number, WellCandidate>();
  for (const word of searchWords(words)) {
    for (const well of candidates(await platform.list('wells', { search: word }, options)))
      if (isNamed(well.name, words)) named.set(well.assetId, well);
    if (named.size > 0) break;
  }
  const lengthOf = ({ name }: WellCandidate) => wordsOf(name).join('').length;
  const longest = maxOf([...named.values()].map(lengthOf));
  return [...named.values()].filter((well) => lengthOf(well) === longest);
}

/** Files with more wells have no time zone of their wells, and their records are found by a range of ids. */
const maxListedWells = 200;

/**
 * The asset ids that the records of a file have at a path; empty: unknown, too many, or one isn't written as plain digits.
 * @param assets asset ids by column, then by name or API number
 */
export function assetsAt(
  path: string,
  { columns, mapping }: { readonly columns: readonly ColumnDecision[]; readonly mapping: Mapping },
  { distinct }: Pick<Scan, 'distinct'>,
  assets: AssetIds,
): number[] {
  const own = columns.filter(({ match }) => match?.path.join('.') === path);
  const nulls = nullsOf(mapping);
  const arePlain = own.every(
    ({ column: { key }, conversion }) =>
      conversion?.kind === 'asset' ||
      [...(distinct[key]?.keys() ?? [])].every((text) => nulls.includes(text) || readInteger(text) !== null),
  );
  const constants = Object.fromEntries(Object.entries(mapping.constants).filter(([name]) => name === path));
  const ids = arePlain ? assetsOf(own, { ...mapping, constants }, { distinct }, assets) : [];
  return ids.filter((id) => !nulls.includes(String(id)));
}

/** The asset ids of the rows; empty: unknown, or too many. */
function assetsOf(
  decisions: readonly ColumnDecision[],
  { constants }: Mapping,
  { distinct }: Pick<Scan, 'distinct'>,
  assets: AssetIds,
): number[] {
  const constantIds = assetPaths.flatMap((path) => readInteger(String(constants[path])) ?? []);
  const named = decisions
    .filter(({ match }) => match && isAssetPath(match.path.join('.')))
    .map(({ column: { key }, conversion }) =>
      conversion?.kind === 'asset'
        ? Object.values(assets[key] ?? {})
        : [...(distinct[key]?.keys() ?? [])].flatMap((text) => readInteger(text) ?? []),
    );
  if (named.some((ids) => ids.length === 0)) return [];
  const all = [...new Set([...constantIds, ...named.flat()])];
  return all.length > maxListedWells ? [] : all.toSorted((a, b) => a - b);
}

/** The wells of asset ids; none if the user may not read them. @throws other errors of the platform service */
async function wellsWithIds(
  platform: PlatformService,
  assets: readonly number[],
  options: CallOptions,
): Promise<Well[]> {
  try {
    const wells = (await platform.list('wells', { asset_id: [...assets] }, options)).map(toWell);
    return wells.filter(({ assetId }) => assetId !== null && assets.includes(assetId));
  } catch (error) {
    if (isAppError(error, 'forbidden') || isAppError(error, 'not_found')) return [];
    throw error;
  }
}

const isZoneAssumed = ({ code }: FileWarning): boolean => code === 'zone_assumed';

/** The common time zone of wells; null: there are several, or a well has none. */
function commonZone(wells: readonly Well[], asked: number): string | null {
  const zones = new Set(wells.map(({ timeZone }) => timeZone));
  const [zone = null] = zones;
  return wells.length >= asked && zones.size === 1 && zone !== null && isZone(zone) ? zone : null;
}

/**
 * The time zone of the wells of all rows, for the columns of times that have none; null: there are no such columns, or
 * the wells have several zones or none.
 * @param assets asset ids by column, then by name or API number
 * @throws errors of the platform service, except for wells that the user may not read
 */
export async function zoneOfWells(
  mapping: Mapping,
  scan: Pick<Scan, 'distinct'>,
  decisions: readonly ColumnDecision[],
  assets: AssetIds,
  platform: PlatformService,
  options: CallOptions,
): Promise<WellZone | null> {
  const zoneless = decisions.filter(({ warnings }) => warnings.some(isZoneAssumed));
  const assetIds = zoneless.length === 0 ? [] : assetsOf(decisions, mapping, scan, assets);
  if (assetIds.length === 0) return null;
  const wells = await wellsWithIds(platform, assetIds, options);
  const zone = commonZone(wells, assetIds.length);
  if (zone === null) return null;
  const columns = zoneless.flatMap(({ column: { key }, match }) =>
    match ? [[key, match.path.join('.')] as const] : [],
  );
  const well = wells.length === 1 ? (wells[0]?.name ?? '') : `${wells.length} wells`;
  return { zone, well, columns: Object.fromEntries(columns) };
}

/** The notes that columns are read in the time zone of their wells, instead of that they are read as UTC. */
export const zoneWarnings = (decisions: readonly ColumnDecision[], { zone, well }: WellZone): FileWarning[] =>
  decisions.flatMap(({ column: { key }, warnings }) =>
    warnings.filter(isZoneAssumed).map((assumed) => ({
      ...assumed,
      code: 'zone_of_well',
      message: `Column “${key}” has times without a time zone, read in ${zone}, the time zone of ${well}. If they are in another, set "zone" in a mapping.`,
    })),
  );
