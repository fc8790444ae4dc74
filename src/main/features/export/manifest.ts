import * as z from 'zod';
import { AppError } from '../../../shared/errors/errors.ts';
import { jsonOrNull, parseJson, type JsonObject, stringifyJson } from '../../../shared/json.ts';
import { computedFrom, parseObject, wholeOperationOf, withBound } from '../../core/requests.ts';
import type { DataService } from '../../core/wire/services/services.ts';
import type { ExportPlan } from './export.ts';
import type { ReadResult, WrittenFile } from './run.ts';
import { basename } from 'node:path';
import { countInWords } from '../../../shared/lists.ts';
import { canBlankNulls } from '../../../shared/export/export.ts';
import { isFree, writeOutput } from '../../core/files/output-file.ts';
import { readRegular } from '../../core/files/regular-file.ts';

/** The rows of a file compared with the counts of the service. */
export interface CountComparison {
  /** Expected number of rows; null without a count. */
  readonly expected: number | null;
  readonly atEnd: number | null;
  readonly warnings: readonly string[];
  /** Changes during the export that need no attention. */
  readonly notes: readonly string[];
}

const recordsInWords = (count: number): string => countInWords(count, 'record', 'records');

const noComparison: CountComparison = { expected: null, atEnd: null, warnings: [], notes: [] };

/**
 * Compares the written rows with counts of the service. A difference explained by records above the upper
 * bound is a note; any other is a warning.
 * @throws AppError `cancelled`; any other failure to count becomes a warning
 */
export async function compareCounts(
  data: Pick<DataService, 'count'>,
  { address, query: text, aggregation, folder }: ExportPlan,
  { rows, rule, counted, countAtEnd }: ReadResult,
  signal: AbortSignal,
): Promise<CountComparison> {
  if (aggregation) return noComparison;
  // Records that a mirror lacks because they came while it was read come with its next update.
  const isComplete = folder?.verifies === true && counted !== null && rows >= counted;
  if (isComplete || (await countAtEnd?.catch(() => null)) === rows)
    return { expected: rows, atEnd: rows, warnings: [], notes: [] };
  const query = parseObject(text);
  const count = (by: JsonObject): Promise<number> => data.count(address, by, { signal });
  try {
    const atEnd = await count(query);
    if (atEnd === rows) return { expected: rows, atEnd, warnings: [], notes: [] };
    // Added above the highest value of the start: they aren't in the file.
    const recordsAbove = rule
      ? await count(withBound(query, rule.field, { op: '$gt', value: rule.upper }))
      : 0;
    const expected = atEnd - recordsAbove;
    if (expected === rows) {
      const note = `The file leaves out ${recordsInWords(recordsAbove)} added during the export above the highest value at its start.`;
      return { expected, atEnd, warnings: [], notes: [note] };
    }
    const before = counted === null ? '' : ` (${counted} at the start)`;
    const warning = `The file has ${recordsInWords(rows)}, but the service counts ${expected}${before}: records were added, changed, or deleted during the export. If every record matters, export again when the dataset doesn't change.`;
    return { expected, atEnd, warnings: [warning], notes: [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.is('cancelled')) throw error;
    const warning = `The rows couldn't be compared with the service's count: ${error.message}`;
    return { expected: null, atEnd: null, warnings: [warning], notes: [] };
  }
}

/** What a person should know of an exported file. @throws AppError `invalid_input` for an operation of the plan */
export function reportOf(
  { aggregation }: ExportPlan,
  { file, skipReason }: WrittenFile,
  comparison: CountComparison,
): { readonly warnings: string[]; readonly notes: string[] } {
  const part = aggregation ? computedFrom(wholeOperationOf(aggregation)) : undefined;
  return {
    warnings: [
      ...(part === undefined ? [] : [`The results are computed from ${part}.`]),
      ...file.warnings,
      ...comparison.warnings,
    ],
    notes: [
      ...(skipReason === null ? [] : [`The records were read by skip: ${skipReason}.`]),
      ...comparison.notes,
    ],
  };
}

/** What was exported: query and sort, or an aggregation. @throws SyntaxError if the query of the plan isn’t JSON */
export function requestOf({ query, sort, aggregation }: ExportPlan): JsonObject {
  if (!aggregation) return { query: parseJson(query), sort: parseJson(sort) };
  const question = wholeOperationOf(aggregation);
  if (question.kind === 'pipeline') return { pipeline: [...question.stages] };
  const { match, sort: by, limit = null, skip = 0, group = null, project = null } = question.aggregate;
  return { aggregate: { match, sort: by, limit, skip, group, project } };
}

const manifestVersion = 1;

export interface ManifestContent {
  readonly plan: ExportPlan;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly columns: readonly string[];
  readonly counted: { readonly atStart: number | null; readonly atEnd: number | null };
  readonly started: string;
  readonly finished: string;
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

/**
 * The text of the manifest. It has the query, never credentials.
 * @param file path of the exported file
 * @throws SyntaxError if the query of the plan isn’t JSON
 */
export function manifestText(file: string, content: ManifestContent): string {
  const { plan, columns, warnings, notes, counted, ...rest } = content;
  const { connection, address, format, fields, timeZone } = plan;
  const manifest: JsonObject = {
    wellbenchExport: manifestVersion,
    file: basename(file),
    format,
    connection: { name: connection.name, dataUrl: connection.dataUrl },
    dataset: `${address.provider}/${address.dataset}`,
    ...requestOf(plan),
    fields: [...fields],
    timeZone,
    ...(canBlankNulls(format) && { nullValues: plan.nullValues }),
    columns: [...columns],
    units: Object.fromEntries(
      Object.entries(plan.columns).flatMap(([path, { unit }]) => (unit === undefined ? [] : [[path, unit]])),
    ),
    converted: Object.fromEntries(
      Object.entries(plan.unitChanges).map(([path, { from, to }]) => [path, { from, to }]),
    ),
    ...rest,
    counted: { ...counted },
    warnings: [...warnings],
    notes: [...notes],
  };
  return `${stringifyJson(manifest, 2)}\n`;
}

const writtenManifest = z.object({
  wellbenchExport: z.int(),
  file: z.string(),
  sha256: z.string().optional(),
  started: z.string().optional(),
});

export interface ManifestOwner {
  /** Path of the exported file. */
  readonly file: string;
  /** Whether the file replaces another: then its manifest replaces that of the other. */
  readonly replaces: boolean;
  /** Start of the export and checksum of its complete file, if there is one. */
  readonly startedAt?: string;
  readonly sha256?: string | undefined;
}

/**
 * Checks that writing the manifest replaces at most that of the replaced file, or one that the export itself wrote before
 * it was interrupted.
 * @returns whether there is one of these
 * @throws AppError `file_exists`, `file_unwritable`, `file_unreadable`
 */
export async function checkManifest(
  path: string,
  { file, replaces, startedAt, sha256 }: ManifestOwner,
): Promise<boolean> {
  const name = basename(path);
  if (await isFree(path)) return false;
  const text = (await readRegular(path, name)).toString('utf8');
  const { data } = writtenManifest.safeParse(jsonOrNull(text));
  const isOfFile = data?.file === basename(file);
  const isOwn = sha256 !== undefined && data?.sha256 === sha256 && data.started === startedAt;
  if (isOfFile && (replaces || isOwn)) return true;
  throw new AppError('file_exists', { file: name });
}

/** Writes the manifest completely or not at all. @throws AppError as {@link checkManifest}; `disk_full` */
export async function writeManifest(path: string, text: string, owner: ManifestOwner): Promise<void> {
  await writeOutput({ path, replaces: await checkManifest(path, owner) }, text);
}
