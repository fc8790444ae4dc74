import { basename } from 'node:path';
import * as z from 'zod';
import { canBlankNulls } from '../../../shared/export/export.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { parseJson, stringifyJson, type JsonObject } from '../../../shared/json.ts';
import { isFree, writeOutput } from '../files/output-file.ts';
import { readRegular } from '../files/regular-file.ts';
import type { ExportPlan } from './plan.ts';
import { wholeOperationOf } from '../paging/operations.ts';

const manifestVersion = 1;

/** What the manifest beside an export contains. */
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

/** What was exported: query and sort, or an aggregation. @throws SyntaxError if the query of the plan isn’t JSON */
export function requestOf({ query, sort, answerTo }: ExportPlan): JsonObject {
  if (!answerTo) return { query: parseJson(query), sort: parseJson(sort) };
  const question = wholeOperationOf(answerTo);
  if (question.kind === 'pipeline') return { pipeline: [...question.stages] };
  const { match, sort: by, limit = null, skip = 0, group = null, project = null } = question.aggregate;
  return { aggregate: { match, sort: by, limit, skip, group, project } };
}

const writtenManifest = z.object({
  wellbenchExport: z.int(),
  file: z.string(),
  sha256: z.string().optional(),
  started: z.string().optional(),
});

/** The export that a manifest is written for. */
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
  const { data } = writtenManifest.safeParse(parseOrNull(text));
  const isOfFile = data?.file === basename(file);
  const isOwn = sha256 !== undefined && data?.sha256 === sha256 && data.started === startedAt;
  if (isOfFile && (replaces || isOwn)) return true;
  throw new AppError('file_exists', { file: name });
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Writes the manifest completely or not at all.
 * @throws AppError as {@link checkManifest}; `disk_full`
 */
export async function writeManifest(path: string, text: string, owner: ManifestOwner): Promise<void> {
  await writeOutput({ path, replaces: await checkManifest(path, owner) }, text);
}
