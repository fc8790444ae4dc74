import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { windowsFor } from '../../../../../src/main/core/reading/windows.ts';
import type { PageLimit, PageToRead } from '../../../../../src/main/core/reading/pages.ts';
import { ReadAhead, readPages } from '../../../../../src/main/core/reading/reading.ts';
import {
  type Survey,
  type WindowRule,
  firstRun,
  firstWindow,
  surveyWindow,
} from '../../../../../src/main/core/reading/cursor.ts';
import { createKeyReader } from '../../../../../src/main/core/records/scan.ts';
import { ExportWriter } from '../../../../../src/main/core/write/export-worker.ts';
import type { JsonObject } from '../../../../../src/shared/json.ts';
import type { Rows } from './rows.ts';
import { plainSpec } from './spec.ts';

export interface ReadOptions {
  readonly query?: JsonObject;
  readonly sort: JsonObject;
  /** Records per request. */
  readonly limit?: number;
  readonly fields?: readonly string[];
  /** Concurrent requests; 1: one page after the other. */
  readonly concurrency?: number;
  /** The count of matching records at the start; default: unknown. */
  readonly total?: number | null;
  /** The duration of each response, and a check of its request. */
  readonly during?: () => Promise<unknown>;
}

export interface ReadResult {
  /** The records in the order they were written. */
  readonly records: JsonObject[];
  /** The reason for reading by `skip`; null: by range. */
  readonly reason: string | null;
}

const steady = (current: number): PageLimit => ({
  current,
  concurrency: Number.POSITIVE_INFINITY,
  expected: current,
  record: () => undefined,
  halve: () => false,
  endsBelow: () => 0,
});

/** Reads all pages as an export does, into NDJSON, in this thread. */
export async function readAll(rows: Rows, folder: string, options: ReadOptions): Promise<ReadResult> {
  const { query = {}, sort, limit = 10, fields = [], concurrency = 1, total = null, during } = options;
  const path = join(folder, 'out.ndjson');
  const copy = async (rule: WindowRule | null): Promise<string | null> => {
    const spec = {
      folder,
      partial: path,
      name: 'out',
      format: 'ndjson',
      rule,
    } as const;
    const writer = new ExportWriter({ ...plainSpec, ...spec, fields: [...fields] }, null);
    const source = {
      find: async (find: Parameters<Rows['find']>[0]) => {
        await during?.();
        return Buffer.from(rows.find(find));
      },
      read: async (page: PageToRead) => writer.read(page),
      pageQuery: { query, sort, fields },
      window: rule,
      total: total === null ? new Promise<number>(() => undefined) : Promise.resolve(total),
      rowsBefore: 0,
      concurrency,
      limit: steady(limit),
      signal: new AbortController().signal,
    };
    const pages = readPages(source, rule ? firstWindow : firstRun('all', 0), {
      readAhead: new ReadAhead(source),
    });
    try {
      for (;;) {
        const { done, value } = await pages.next();
        if (done && value !== null) return value;
        if (done) break;
        if (value.kind === 'page') writer.write();
      }
      while (!writer.finishStep());
      return null;
    } finally {
      writer.close();
    }
  };
  const survey = await cut(rows, query, sort);
  const reason = survey.rule ? await copy(survey.rule) : survey.reason;
  if (reason !== null) await copy(null);
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return { records: lines.map((line) => JSON.parse(line) as JsonObject), reason };
}

async function cut(rows: Rows, query: JsonObject, sort: JsonObject): Promise<Survey> {
  const type = 'timestamp' in sort ? 'time' : 'measured_depth' in sort ? 'depth' : 'timeseries';
  const wish = windowsFor(type, query, sort);
  if (!wish) return { rule: null, reason: 'no windows' };
  const keyIn = createKeyReader(wish.field);
  return surveyWindow(wish, async (by) => keyIn(rows.find({ query, sort: by, limit: 1 })));
}
