import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableEngines } from '../../../../../src/main/core/duckdb/table-engine.ts';
import { createExportEngine } from '../../../../../src/main/features/export/run.ts';
import { windowsFor } from '../../../../../src/main/core/reading/windows.ts';
import type { ExportPlan } from '../../../../../src/main/features/export/export.ts';
import type { ProgressReport } from '../../../../../src/main/core/jobs/waits.ts';
import type { Services } from '../../../../../src/main/core/wire/services/services.ts';
import { csvLayout, csvStyle } from '../../../../../src/shared/csv.ts';
import type { ExportResult } from '../../../../../src/shared/export/export.ts';
import { runInFolder } from '../../../../support/job-runs.ts';
import { parseJson, type JsonObject } from '../../../../../src/shared/json.ts';

/** Engines of tables, in processes that runs use one after another, as in the application. */
export const startTables = tableEngines();

export const exportEngine = createExportEngine(async () => startTables);

export interface ExportRun {
  readonly result: ExportResult;
  readonly made: Record<string, string>;
}

/** A plan for a dataset of time records, written to `out.<format>` in a folder. */
export function planFor(folder: string, given: Partial<ExportPlan> = {}): ExportPlan {
  const { format = 'csv', query = '{}', sort = '{"timestamp":1}' } = given;
  const name = `out.${format}`;
  return {
    connection: { id: 'c', name: 'North Ridge', dataUrl: 'http://127.0.0.1' },
    address: { provider: 'demo', dataset: 'wits' },
    fileName: name,
    query,
    sort,
    aggregation: null,
    csv: csvStyle.parse({}),
    layout: csvLayout.parse({}),
    columnNames: 'dotted',
    nullValues: 'blank',
    columns: {},
    unitChanges: {},
    version: '1.2.3',
    fields: [],
    folder: null,
    format,
    concurrency: 4,
    timeZone: null,
    wellNames: null,
    target: { place: 'path', path: join(folder, name), name, replaces: false },
    windows: windowsFor('time', parseJson(query) as JsonObject, parseJson(sort) as JsonObject),
    ...given,
  };
}

interface ExportOptions {
  readonly signal?: AbortSignal;
  readonly report?: (progress: ProgressReport) => void;
}

/** Runs an export in a job's folder, as the runner does: in a new one, or in that of an earlier run. */
export async function runExport(
  services: Services,
  folder: string,
  plan: ExportPlan,
  { signal, report }: ExportOptions = {},
  engine = exportEngine,
): Promise<ExportRun> {
  const made: Record<string, string> = {};
  const result = await runInFolder({
    engine,
    folder,
    plan,
    services,
    signal,
    onEvent(event) {
      if (event.kind === 'progress') report?.(event.progress);
      if (event.kind === 'artifact') made[event.artifact.kind] = event.artifact.path;
    },
  });
  return { result, made };
}

/** Runs an export and stops it once it has written this many more rows; undefined if it finished before. */
export async function runUntil(
  services: Services,
  jobFolder: string,
  plan: ExportPlan,
  rows: number,
): Promise<ExportRun | undefined> {
  const stop = new AbortController();
  let first: number | null = null;
  const report = (progress: ProgressReport): void => {
    if (progress.rows === undefined) return;
    first ??= progress.rows;
    if (progress.rows - first >= rows) stop.abort();
  };
  try {
    return await runExport(services, jobFolder, plan, { signal: stop.signal, report });
  } catch (error) {
    if (stop.signal.aborted) return undefined;
    throw error;
  }
}

export const manifestOf = (file: string): JsonObject =>
  parseJson(readFileSync(`${file}.manifest.json`, 'utf8')) as JsonObject;
