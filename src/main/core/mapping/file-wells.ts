import { invalidInput, type AppError } from '../../../shared/errors/errors.ts';
import { firstInWords } from '../../../shared/lists.ts';
import { nullsOf, nullWords } from '../../../shared/upload/null-tokens.ts';
import type { RawLine } from '../../../shared/upload/preview.ts';
import type { FileWarning, Mapping } from '../../../shared/upload/upload.ts';
import { otherWells, type WellColumn, type WellName, type WellsBy } from '../../../shared/upload/wells.ts';
import type { CallOptions, PlatformService } from '../wire/services/services.ts';
import {
  type ColumnFacts,
  columnType,
  notationOf,
  type Notation,
  type Finding,
  type Layout,
  maxDistinct,
  type Scan,
} from '../tables/tables.ts';
import { canNameWells, nameInWords } from '../records/column-names.ts';
import { assetColumns, wellNames } from './assets.ts';
import { assetPaths } from '../records/targets.ts';
import { matchesOf } from './match.ts';

/** A place where a file names wells: a column, or with `column` null the lines before its header. */
interface NamingColumn {
  readonly column: string | null;
  readonly by: WellsBy;
  /** Each name with its first line. */
  readonly values: ReadonlyMap<string, Finding>;
}

/** Maximum number of names that are looked up for a column that isn't mapped to a well. */
const maxLookups = 200;

const preambleWell =
  /^[#;%~"\s]*(?<key>well\s?bore|well\s?name|well\s?id|well|borehole|uwi|api(?:\s?(?:number|no|#))?|asset\s?id)(?<gap>[\s.:=,;]+)"?(?<value>[^",;\t]+)/i;
/** API gravity is called API too; an API number of a well has 8 digits or more. */
const hasApiDigits = (value: string): boolean => value.replaceAll(/\D/g, '').length >= 8;

function byOf(
  name: string,
  facts: ColumnFacts,
  notation: Notation,
  values: readonly string[],
): WellsBy | null {
  const { type } = columnType(facts, notation);
  if (type === 'empty' || type === 'time' || type === 'boolean' || type === 'number') return null;
  const words = nameInWords(name);
  if (words.includes('uwi')) return 'api_number';
  if (words.some((word) => word.startsWith('api')))
    return values.filter(hasApiDigits).length * 2 >= values.length ? 'api_number' : null;
  return type === 'integer' && words.some((word) => word.startsWith('asset')) ? 'id' : 'name';
}

const order: readonly WellsBy[] = ['id', 'name', 'api_number'];

/** The columns of a file that can name wells, and the lines before the header that do; the most likely first. */
export function namingColumns(
  { layout, columns, distinct }: Pick<Scan, 'layout' | 'columns' | 'distinct'>,
  lines: readonly RawLine[],
): NamingColumn[] {
  const notation = notationOf(columns, layout.delimiter);
  const namingColumns = layout.columns.flatMap(({ name, key }, index): NamingColumn[] => {
    const facts = columns[index];
    const all = canNameWells(name) ? distinct[key] : undefined;
    if (!facts || !all || all.size > maxDistinct) return [];
    const values = new Map([...all].filter(([value]) => !nullWords.includes(value)));
    const by = values.size === 0 ? null : byOf(name, facts, notation, [...values.keys()]);
    return by === null ? [] : [{ column: key, by, values }];
  });
  namingColumns.sort((a, b) => order.indexOf(a.by) - order.indexOf(b.by));
  return [...namingColumns, ...preambleWells(lines)];
}

/** The wells that the lines before the header name, such as `# Well: Badger 1H`. */
function preambleWells(lines: readonly RawLine[]): NamingColumn[] {
  const findings = new Map<WellsBy, Map<string, Finding>>();
  for (const { kind, text, line } of lines) {
    if (kind !== 'left_out' && kind !== 'comment') continue;
    const { key = '', gap = '', value = '' } = preambleWell.exec(text)?.groups ?? {};
    // A single blank is between words of a sentence.
    if (gap === ' ') continue;
    const [name = ''] = value.split(/\s:/).map((part) => part.trim());
    if (name === '' || name.length > 80 || nullWords.includes(name)) continue;
    const word = key.toLowerCase();
    const by = /^(?:uwi|api)/.test(word) ? 'api_number' : word.startsWith('asset') ? 'id' : 'name';
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
  scan: Pick<Scan, 'layout' | 'columns' | 'distinct'>,
  lines: readonly RawLine[],
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
  for (const naming of namingColumns(scan, lines)) {
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
  const all = [...values].filter(([value]) => !nulls.includes(value));
  const withoutLookup = ([value, { line, count }]: readonly [string, Finding]): WellName => {
    const assetId = by === 'id' && /^\d{1,15}$/.test(value) ? Number(value) : null;
    return { value, line, count, assetId, found: assetId === null ? 'none' : 'one', candidates: [] };
  };
  if (by === 'id') return all.map(withoutLookup);
  const lookups = new Map(all.slice(0, maxLookups));
  const names = await wellNames(platform, { column: column ?? '', by, settled: {} }, lookups, nulls, options);
  return [...names, ...all.slice(maxLookups).map(withoutLookup)];
}

/** The well that the mapping sets for all rows, with its path; null: columns set it, or nothing does. */
export function wellOfAllRows(
  mapping: Mapping,
  { layout }: Pick<Scan, 'layout'>,
): { path: string; assetId: number } | null {
  if (matchesOf(layout.columns, mapping).some(({ kind }) => kind === 'asset')) return null;
  for (const path of assetPaths) {
    const assetId = mapping.constants[path];
    if (typeof assetId === 'number') return { path, assetId };
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
  { path, assetId }: { readonly path: string; readonly assetId: number },
  columns: readonly WellColumn[],
  placeKind?: Layout['placeKind'],
): FileWarning[] {
  const confirmed = mapping.confirmedWells ?? [];
  const unconfirmed = otherWells(columns, assetId, confirmed);
  if (unconfirmed.length > 0) throw wrongWells({ path, assetId }, columns, unconfirmed, placeKind);
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
  { path, assetId }: { readonly path: string; readonly assetId: number },
  columns: readonly WellColumn[],
  others: readonly Other[],
  placeKind: Layout['placeKind'],
): AppError {
  const column = others.find((well) => well.column !== null)?.column ?? null;
  const by = columns.find((namingColumn) => namingColumn.column === column)?.by ?? 'name';
  const header = placeKind === undefined ? 'its lines before the header name' : 'its header names';
  const where = column === null ? header : `column “${column}” names`;
  const instead =
    column === null
      ? 'Set the asset_id of that well'
      : `Map the column with {"to": "${path}"${by === 'id' ? '' : `, "by": "${by}"`}} in place of the constant`;
  return invalidInput(
    `All rows would be stored under ${path} ${assetId}, but ${where} other wells: ${namesInWords(others, placeKind)}. ${instead}, or list these names under "confirmedWells" in the mapping.`,
    { field: `mapping.constants.${path}` },
    { wells: [...new Set(others.map(({ value }) => value))] },
  );
}

/** A note on the number of wells in each column of wells, if there are several. */
export function severalWells(
  mapping: Mapping,
  { layout, distinct }: Pick<Scan, 'layout' | 'distinct'>,
): FileWarning[] {
  const nulls = nullsOf(mapping);
  return matchesOf(layout.columns, mapping).flatMap(({ kind, column }): FileWarning[] => {
    const names = [...(distinct[column]?.keys() ?? [])].filter((name) => !nulls.includes(name));
    const count = names.length;
    if (kind !== 'asset' || count < 2) return [];
    const message = `Column “${column}” names ${count > maxDistinct ? `more than ${maxDistinct}` : count} wells; each row is stored under its own.`;
    return [{ code: 'several_wells', message, line: null, column, count }];
  });
}
