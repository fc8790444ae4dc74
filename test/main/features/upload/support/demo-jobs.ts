import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { startDemo, type Demo, type Faults } from '../../../../../src/demo/index.ts';
import { parseJson } from '../../../../../src/shared/json.ts';
import { openServices } from '../../../../support/services.ts';
import type { Services } from '../../../../../src/main/core/wire/services/services.ts';
import type { Clock } from '../../../../../src/main/core/wire/http/retry.ts';
import type { DatasetType } from '../../../../../src/shared/datasets/datasets.ts';
import { testClock } from '../../../../support/clock.ts';
import { fileWith, temporaryFolder } from './files.ts';
import { planOf, runJob, type RunEnd, type RunOptions } from './uploads.ts';

/** The first demo wells that the default keys can access. */
export const well = 5001;

function addressOf(type: DatasetType) {
  return { provider: 'demo', dataset: `uploads.${type}` };
}

/** A row of a file: its second, and its value; rows with equal ones are identical. */
export interface FileRowSpec {
  readonly at: number;
  readonly value: number;
  /** A well other than the default one. */
  readonly well?: number;
}
export const textOf = ({ at, value }: FileRowSpec): string => `${at}:${value}`;

const start = Date.UTC(2020, 0, 1);

/** A record as stored. */
function recordOf(type: DatasetType, { at, value }: FileRowSpec) {
  const common = { version: 1, asset_id: well, data: { n: value } };
  switch (type) {
    case 'time':
      return { ...common, timestamp: start + at * 1000 };
    case 'depth':
      return { ...common, measured_depth: at / 2, log_identifier: 'run 1' };
    case 'reference':
      return { ...common, data: { at, n: value } };
    case 'timeseries': {
      const datetime = new Date(start + at * 1000).toISOString();
      return { version: 1, metadata: { asset_id: well }, datetime, data: { n: value } };
    }
  }
}

/** The row layout for each dataset type: column names, and each row's time or depth. */
const places: Record<DatasetType, { readonly columns: string; readonly of: (at: number) => string }> = {
  time: { columns: 'asset_id,timestamp', of: (at) => String(start + at * 1000) },
  depth: { columns: 'asset_id,measured_depth,log_identifier', of: (at) => `${at / 2},run 1` },
  reference: { columns: 'asset_id,data.at', of: String },
  timeseries: {
    columns: 'metadata.asset_id,datetime',
    of: (at) => new Date(start + at * 1000).toISOString(),
  },
};
const numberOf = (type: DatasetType, record: unknown): number => {
  const found = shapes.parse(record);
  if (type === 'time') return ((found.timestamp ?? NaN) - start) / 1000;
  if (type === 'depth') return (found.measured_depth ?? NaN) * 2;
  return type === 'reference' ? (found.data.at ?? NaN) : (Date.parse(found.datetime ?? '') - start) / 1000;
};
const shapes = z.object({
  timestamp: z.number().optional(),
  measured_depth: z.number().optional(),
  datetime: z.string().optional(),
  data: z.object({ n: z.number(), at: z.number().optional() }),
});

export const csvOf = (rows: readonly FileRowSpec[], type: DatasetType = 'time'): string =>
  [
    `${places[type].columns},version,data.n`,
    ...rows.map(({ at, value, well: other = well }) => `${other},${places[type].of(at)},1,${value}`),
    '',
  ].join('\n');

export interface DemoJobs {
  readonly demo: Demo;
  readonly services: Services;
  readonly type: DatasetType;
  /** Stores records before the upload. */
  insert(rows: readonly FileRowSpec[]): Promise<void>;
  /** The records of the dataset, as texts of rows. */
  stored(): Promise<string[]>;
  /** Creates a job of rows; each call of the returned function runs it once more. */
  job(
    rows: readonly FileRowSpec[],
    wanted?: Parameters<typeof planOf>[2],
    more?: Partial<RunOptions>,
  ): Promise<(again?: Partial<RunOptions>) => Promise<RunEnd>>;
  close(): Promise<void>;
}

/** An empty demo of its own, and jobs that upload to it. */
export async function openDemoJobs(
  seed = 1,
  faults: Partial<Faults> = {},
  { type = 'time', clock = testClock({ frozen: true }) }: { type?: DatasetType; clock?: Clock } = {},
): Promise<DemoJobs> {
  const own = addressOf(type);
  const demo = await startDemo({ records: 1, wells: 3, seed });
  const services = openServices({
    dataUrl: demo.dataUrl,
    platformUrl: demo.platformUrl,
    credential: { method: 'api_key', apiKey: demo.apiKeys.write },
    env: {},
    clock,
    random: () => 0.5,
  });
  const jobs: DemoJobs = {
    demo,
    services,
    type,
    async insert(rows) {
      if (rows.length === 0) return;
      const body = new TextEncoder().encode(JSON.stringify(rows.map((row) => recordOf(type, row))));
      const outcome = await services.data.insert(own, body, rows.length);
      if (outcome.kind !== 'answered') throw new Error(outcome.kind);
    },
    async stored() {
      const { text } = await services.data.find(own, {
        query: { [type === 'timeseries' ? 'metadata.asset_id' : 'asset_id']: well },
        sort: {},
        limit: 10_000,
      });
      return z
        .array(shapes)
        .parse(parseJson(text))
        .map((record) => textOf({ at: numberOf(type, record), value: record.data.n }));
    },
    async job(rows, wanted = {}, more = {}) {
      const path = await fileWith(csvOf(rows, type));
      const plan = await planOf(path, services, { ...own, existing: 'skip', ...wanted });
      const folder = await temporaryFolder();
      return (again = {}) =>
        runJob({
          plan,
          services,
          folder,
          ...more,
          ...again,
          engine: { batch: { rows: 10, bytes: 1 << 20 }, ...more.engine, ...again.engine },
        });
    },
    async close() {
      await services.close();
      await demo.close();
    },
  };
  Object.assign(demo.faults, faults);
  return jobs;
}

/** The rows of a rejects file, as texts of rows. */
export async function rejectedRows(path: string | undefined, type: DatasetType = 'time'): Promise<string[]> {
  if (path === undefined) return [];
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [, place = '', ...rest] = line.split(',');
    const value = Number(rest[type === 'depth' ? 2 : 1]);
    // A date isn't a number, and the other columns aren't dates.
    const at = type === 'timeseries' ? 0 : Number(place);
    const record = { timestamp: at, measured_depth: at, datetime: place, data: { n: value, at } };
    return textOf({ at: numberOf(type, record), value });
  });
}
