import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readFolderManifest } from '../../../../../src/main/core/write/folder/manifest.ts';
import { planFolder } from '../../../../../src/main/features/export/folder/plan.ts';
import { windowsFor } from '../../../../../src/main/core/paging/windows-for.ts';
import type { ExportPlan } from '../../../../../src/main/features/export/plan.ts';
import type { TableFormat } from '../../../../../src/shared/export/export.ts';
import type { DatasetType } from '../../../../../src/shared/datasets/datasets.ts';
import { stringifyJson, type JsonObject, type JsonValue } from '../../../../../src/shared/json.ts';
import { planFor } from './jobs.ts';
import type { Rows } from './rows.ts';

interface FolderRun {
  readonly partition?: ('asset_id' | 'day' | 'month')[];
  readonly mirror?: { overlapMs: number };
  readonly tableFormat?: TableFormat;
  /** Whether it may replace a folder of Wellbench. */
  readonly replaces?: boolean;
  readonly query?: JsonObject;
  readonly type?: DatasetType;
  /** The service's clock; default: this computer's. */
  readonly nowMs?: number;
}

/** The plan of a run that writes or updates a folder, as a request produces it. */
export async function folderPlanFor(
  path: string,
  rows: Rows,
  {
    partition = ['asset_id', 'day'],
    mirror,
    tableFormat = 'parquet',
    replaces = false,
    query = {},
    type = 'time',
    nowMs,
  }: FolderRun = {},
): Promise<ExportPlan> {
  const place = { path, name: 'folder', replaces };
  const sort: JsonObject = type === 'timeseries' ? { datetime: 1 } : { timestamp: 1 };
  const target = { place: 'path', ...place } as const;
  const request = {
    partition,
    mirror,
    tableFormat,
    format: 'parquet',
    fields: [],
    sort: '',
    columnNames: 'dotted',
    units: 'stored',
  } as const;
  const planned = await planFolder({ ...request, partition, fields: [] }, place, {
    type,
    query,
    dataUrl: 'http://127.0.0.1',
    dataset: 'demo/wits',
    hasRecords: async (by) => rows.count(by) > 0,
    nowMs: nowMs ?? Date.now(),
  });
  return planFor(path, {
    format: 'parquet',
    query: stringifyJson(planned.query),
    folder: planned.folder,
    fileName: 'folder',
    target,
    sort: stringifyJson(sort),
    windows: windowsFor(type, planned.query, sort),
  });
}

/** The paths of a folder's files, without the lock files. */
export const filesIn = (folder: string): string[] =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
    .filter((path) => statSync(join(folder, path)).isFile() && !path.endsWith('_lock'))
    .map((path) => relative(folder, join(folder, path)))
    .toSorted();

/** Every data file of a folder with its bytes. */
export const partBytes = (folder: string): Record<string, string> =>
  Object.fromEntries(
    filesIn(folder)
      .filter((path) => path.endsWith('.parquet') && !path.startsWith('_'))
      .map((path) => [path, readFileSync(join(folder, path)).toString('base64')]),
  );

/** A row as the record that it was, with paths. */
const recordOf = (row: Record<string, unknown>): JsonObject =>
  Object.fromEntries(
    Object.entries(row).flatMap(([path, value]): [string, JsonValue][] => {
      if (value === null || value === undefined) return [];
      if (value instanceof Date)
        return [[path, path === 'timestamp' ? value.getTime() : value.toISOString()]];
      return [[path, typeof value === 'bigint' ? Number(value) : (value as JsonValue)]];
    }),
  );

/** The records of each partition of a folder, in order, as objects with paths. */
export async function recordsIn(folder: string): Promise<Record<string, JsonObject[]>> {
  const manifest = await readFolderManifest(folder);
  const found: Record<string, JsonObject[]> = {};
  for (const { path } of manifest?.parts ?? []) {
    const rows = await parquetReadObjects({
      file: Uint8Array.from(readFileSync(join(folder, path))).buffer,
      compressors: { ZSTD: (input) => zstdDecompressSync(input) },
    });
    found[dirname(path)] = rows.map(recordOf);
  }
  return found;
}

/** The records of each partition of a folder, in the order of their ids. */
export const recordsById = async (folder: string): Promise<Record<string, JsonObject[]>> =>
  Object.fromEntries(
    Object.entries(await recordsIn(folder)).map(([partition, records]) => [
      partition,
      records.toSorted((a, b) => String(a['_id']).localeCompare(String(b['_id']))),
    ]),
  );
