import { readFile } from 'node:fs/promises';
import { startDemo } from '../../../../src/demo/index.ts';
import type { Demo, Faults } from '../../../../src/demo/index.ts';
import { parseJson } from '../../../../src/shared/json.ts';
import { openServices } from '../../../../src/main/services/open.ts';
import type { Services } from '../../../../src/main/services/services.ts';
import { testClock } from '../../../support/clock.ts';
import { fileWith, temporaryFolder } from './files.ts';
import { planOf, runJob } from './uploads.ts';
import type { RunEnd, RunOptions } from './uploads.ts';

/** The first wells of the demo that the ordinary keys see. */
export const well = 5001;
export const address = { provider: 'demo', dataset: 'uploads.time' };

/** A row of a file: its second, and its value; rows with the same are identical. */
export interface FileRowSpec {
  readonly at: number;
  readonly value: number;
  /** Another well than the usual one. */
  readonly well?: number;
}
export const textOf = ({ at, value }: FileRowSpec): string => `${at}:${value}`;

const start = Date.UTC(2020, 0, 1);
const recordOf = ({ at, value }: FileRowSpec) => ({
  version: 1,
  asset_id: well,
  timestamp: start + at * 1000,
  data: { n: value },
});
export const csvOf = (rows: readonly FileRowSpec[]): string =>
  [
    'asset_id,timestamp,version,data.n',
    ...rows.map(({ at, value, well: other = well }) => `${other},${start + at * 1000},1,${value}`),
    '',
  ].join('\n');

export interface DemoJobs {
  readonly demo: Demo;
  readonly services: Services;
  /** Stores records beforehand. */
  insert(rows: readonly FileRowSpec[]): Promise<void>;
  /** What stands in the dataset, as texts of rows. */
  stored(): Promise<string[]>;
  /** Makes a job of rows; each call of what it gives runs it once more. */
  job(
    rows: readonly FileRowSpec[],
    wanted?: Parameters<typeof planOf>[2],
    more?: Partial<RunOptions>,
  ): Promise<(again?: Partial<RunOptions>) => Promise<RunEnd>>;
  close(): Promise<void>;
}

/** A demo of its own with nothing in it, and jobs that upload to it. */
export async function openDemoJobs(seed = 1, faults: Partial<Faults> = {}): Promise<DemoJobs> {
  const demo = await startDemo({ records: 1, wells: 3, seed });
  const services = openServices({
    dataUrl: demo.dataUrl,
    platformUrl: demo.platformUrl,
    credential: { method: 'api_key', apiKey: demo.apiKeys.write },
    env: {},
    clock: testClock({ frozen: true }),
    random: () => 0.5,
  });
  const jobs: DemoJobs = {
    demo,
    services,
    async insert(rows) {
      if (rows.length === 0) return;
      const body = new TextEncoder().encode(JSON.stringify(rows.map(recordOf)));
      const outcome = await services.data.insert(address, body, rows.length);
      if (outcome.kind !== 'answered') throw new Error(outcome.kind);
    },
    async stored() {
      const { text } = await services.data.find(address, {
        query: { asset_id: well },
        sort: { timestamp: 1 },
        limit: 10_000,
      });
      return (parseJson(text) as { timestamp: number; data: { n: number } }[]).map(({ timestamp, data }) =>
        textOf({ at: (timestamp - start) / 1000, value: data.n }),
      );
    },
    async job(rows, wanted = {}, more = {}) {
      const path = await fileWith(csvOf(rows));
      const plan = await planOf(path, services, { ...address, existing: 'skip', ...wanted });
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
export async function rejectedRows(path: string | undefined): Promise<string[]> {
  if (path === undefined) return [];
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [, time = '', , value = ''] = line.split(',');
    return textOf({ at: (Number(time) - start) / 1000, value: Number(value) });
  });
}
