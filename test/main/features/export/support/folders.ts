import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { checkpointReader } from '../../../../../src/main/core/write/delta/checkpoint.ts';
import { readTable, type TableState } from '../../../../../src/main/core/write/folder/table-state.ts';
import { checkFolderOutput, planFolder } from '../../../../../src/main/core/write/write.ts';
import { windowsFor } from '../../../../../src/main/core/reading/windows.ts';
import type { ExportPlan } from '../../../../../src/main/features/export/export.ts';
import type { DatasetType } from '../../../../../src/shared/datasets/datasets.ts';
import { stringifyJson, type JsonObject, type JsonValue } from '../../../../../src/shared/json.ts';
import { planFor, startTables } from './jobs.ts';
import type { Rows } from './rows.ts';

/** Reads the checkpoints of tables. */
export const readCheckpoint = checkpointReader({
  startTables,
  folder: join(tmpdir(), `wellbench-test-logs-${process.pid}`),
});

/** The table in a folder, which must have one. */
export async function tableIn(path: string): Promise<TableState> {
  const table = await readTable(path, readCheckpoint);
  if (!table) throw new Error('there is no table');
  return table;
}

/** The files of a folder, and the fields of its columns. */
const contentOf = async (folder: string): Promise<Pick<TableState, 'columns' | 'parts'>> =>
  (await readTable(folder, readCheckpoint)) ?? { parts: [], columns: [] };

interface FolderRun {
  readonly partition?: ('asset_id' | 'day' | 'month')[];
  readonly mirror?: { overlapMs: number };
  /** Whether it may replace a folder of Wellbench. */
  readonly replaces?: boolean;
  readonly query?: JsonObject;
  readonly type?: DatasetType;
  readonly wellNames?: boolean;
  readonly fields?: string[];
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
    replaces = false,
    query = {},
    type = 'time',
    nowMs,
    wellNames = false,
    fields = [],
  }: FolderRun = {},
): Promise<ExportPlan> {
  const place = { path, name: 'folder', replaces };
  const sort: JsonObject = type === 'timeseries' ? { datetime: 1 } : { timestamp: 1 };
  const target = { place: 'path', ...place } as const;
  const request = {
    partition,
    mirror,
    format: 'parquet',
    sort: '',
    columnNames: 'dotted',
    units: 'stored',
    wellNames,
  } as const;
  await checkFolderOutput(place, mirror !== undefined);
  const planned = await planFolder({ ...request, partition, fields }, place, {
    type,
    query,
    dataUrl: 'http://127.0.0.1',
    dataset: 'demo/wits',
    hasRecords: async (by) => rows.count(by) > 0,
    nowMs: nowMs ?? Date.now(),
    readCheckpoint,
  });
  return planFor(path, {
    format: 'parquet',
    query: stringifyJson(planned.query),
    folder: planned.folder,
    fields: [...planned.fields],
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

/** The bytes of each file that a folder consists of, by its partition. */
export async function partBytes(folder: string): Promise<Record<string, string>> {
  const { parts } = await contentOf(folder);
  return Object.fromEntries(
    parts.map(({ path }) => [dirname(path), readFileSync(join(folder, path)).toString('base64')]),
  );
}

/** A value of a file as in a record. */
function valueOf(path: string, value: unknown): JsonValue {
  if (value instanceof Date) return path === 'timestamp' ? value.getTime() : value.toISOString();
  return typeof value === 'bigint' ? Number(value) : (value as JsonValue);
}

/** The records of each partition of a folder, in order, as objects with paths. */
export async function recordsIn(folder: string): Promise<Record<string, JsonObject[]>> {
  const { parts, columns } = await contentOf(folder);
  const paths = new Map(columns.flatMap(({ path, fields }) => fields.map(({ name }) => [name, path])));
  // Which column has a value depends on what came first, so that those of several types are compared as texts.
  const mixed = new Set(columns.filter(({ fields }) => fields.length > 1).map(({ path }) => path));
  const found: Record<string, JsonObject[]> = {};
  for (const { path } of parts) {
    const rows = await parquetReadObjects({
      file: Uint8Array.from(readFileSync(join(folder, path))).buffer,
      compressors: { ZSTD: (input) => zstdDecompressSync(input) },
    });
    found[dirname(path)] = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row)
          .filter(([, value]) => value !== null && value !== undefined)
          .map(([name, value]) => {
            const field = paths.get(name) ?? name;
            const known = valueOf(field, value);
            return [field, mixed.has(field) ? String(known) : known];
          }),
      ),
    );
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
