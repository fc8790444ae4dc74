import { type Finding, maxDistinct } from '../tables/tables.ts';
import { isExcelDamaged } from '../records/decimal.ts';
import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import { AppError, invalidInput } from '../../../shared/errors/errors.ts';
import type { FileWarning, Mapping } from '../../../shared/upload/upload.ts';
import type { WellCandidate, WellName } from '../../../shared/upload/wells.ts';
import type { PlatformEntity } from '../../../shared/wells/wells.ts';
import type { CallOptions, PlatformService } from '../wire/services/services.ts';
import { assetPaths } from '../records/targets.ts';
import { assetKey } from './asset-key.ts';
import { append, firstInWords, runForEach } from '../../../shared/lists.ts';
import { apiDigits, apiOfWell, isApiNumber } from '../../../shared/wells/api-numbers.ts';
import { wellsByApiNumber, type ApiMatch } from '../wells/api-numbers.ts';

type By = 'name' | 'api_number';
/** Asset ids by the {@link assetKey} of a name. */
type Ids = Readonly<Record<string, number>>;
interface Wanted {
  readonly column: string;
  readonly by: By;
  readonly settled: Ids;
}

/** Number of wells that are looked up concurrently. */
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
    assetPaths.includes(to) || (by !== undefined && by !== 'id') ? [column] : [],
  );

const integerOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
};

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
  distinctWells(wells.flatMap((well) => candidate(well, integerOf(well.attributes['asset_id']))));

/** The wells that a search by name offers. @throws errors of the platform service */
export const wellsNamedLike = async (
  platform: PlatformService,
  text: string,
  options: CallOptions,
): Promise<WellCandidate[]> => candidates(await platform.list('wells', { search: text }, options));

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
  [value, { line, count }]: readonly [string, Finding],
  options: CallOptions,
): Promise<WellName> {
  const key = assetKey(by, value);
  const settledId = Object.hasOwn(settled, key) ? settled[key] : undefined;
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

/**
 * The wells for the distinct texts of a column, in the order of the file.
 * @throws AppError invalid_input if there are too many to be wells; errors of the platform service
 */
export async function wellNames(
  platform: PlatformService,
  wanted: Wanted,
  values: ReadonlyMap<string, Finding>,
  nulls: readonly string[],
  options: CallOptions,
): Promise<WellName[]> {
  if (values.size > maxDistinct)
    throw invalidInput(
      `Column “${wanted.column}” has more than ${maxDistinct} distinct values; it can't be a well column.`,
      { field: `mapping.columns.${wanted.column}` },
    );
  const entries = [...values].filter(([value]) => !nulls.includes(value));
  const names: WellName[] = [];
  await runForEach(entries.entries(), concurrentLookups, async ([at, entry]) => {
    names[at] = await nameOf(platform, wanted, entry, options);
  });
  return names;
}

const whyUnresolved = ({ found, candidates, value }: WellName): string => {
  if (found === 'damaged') return 'has lost digits in a spreadsheet';
  if (found === 'several') return `stands for ${candidates.length} wells: ${inWords(candidates)}`;
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
  const rest =
    more > 0 ? [{ message: `Column “${column}” names ${more} more wells that aren’t known.` }] : [];
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
): Promise<{ assets: Record<string, Record<string, number>>; warnings: FileWarning[] }> {
  const assets: Record<string, Record<string, number>> = {};
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
