import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../shared/errors/errors.ts';
import { parseJson, stringifyJson, type JsonObject } from '../../shared/json.ts';
import { writeWhole } from '../files/disk.ts';
import { isMissing, writeError } from '../files/file-errors.ts';
import type { ExportPlan } from './plan.ts';
import { wholeOperationOf } from '../query/operations.ts';

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
  const { match, sort: by, limit, skip = 0, group = null, project = null } = question.aggregate;
  return { aggregate: { match, sort: by, limit, skip, group, project } };
}

const earlierManifest = z.object({ wellbenchExport: z.int(), file: z.string() });

/**
 * Checks that writing the manifest replaces at most the manifest of an earlier export to the same file.
 * @throws AppError `file_exists`, `file_unwritable`
 */
export async function checkManifest(path: string, file: string): Promise<void> {
  try {
    const parsed = earlierManifest.safeParse(parseJson(await readFile(path, 'utf8')));
    if (parsed.success && parsed.data.file === basename(file)) return;
  } catch (error) {
    if (isMissing(error)) return;
    if (!(error instanceof SyntaxError)) throw writeError(error, basename(path), 0);
  }
  throw new AppError('file_exists', { file: basename(path) });
}

/**
 * Writes the manifest completely or not at all.
 * @throws AppError `disk_full`, `file_unwritable`
 */
export async function writeManifest(path: string, text: string): Promise<void> {
  try {
    await writeWhole(path, text);
  } catch (error) {
    throw writeError(error, basename(path), 0);
  }
}
