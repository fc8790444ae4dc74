import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredJob } from '../../src/main/core/jobs/jobs.ts';

/** A job as its files have it. */
export interface WrittenJob {
  readonly kind?: StoredJob['kind'];
  readonly summary?: Partial<StoredJob['summary']>;
  /** What it claimed. */
  readonly claim?: string;
}

const summary: StoredJob['summary'] = {
  state: 'done',
  address: { provider: 'demo', dataset: 'wits' },
  connection: 'North Ridge',
  file: 'a.csv',
  started: '2026-11-22T00:00:00Z',
  updated: '2026-11-22T00:00:00Z',
  progress: { rows: 0, totalRows: null, bytes: 0, rate: 0, secondsLeft: null, nextTryMs: null },
  error: null,
  waitsFor: null,
  artifacts: [],
  result: null,
};

/**
 * Writes the folders of jobs that are done unless said otherwise, one a minute.
 * @param from when the first one started and ended, in Unix milliseconds
 * @returns their ids
 */
export function writeJobs(
  dataFolder: string,
  count: number,
  from: number,
  { kind = 'export', summary: given, claim }: WrittenJob = {},
): string[] {
  return Array.from({ length: count }, (_, n) => {
    const started = new Date(from + n * 60_000).toISOString();
    const id = `${started.replaceAll(/[-:.Z]/g, '').replace('T', '-')}-abcdef`;
    const folder = join(dataFolder, 'jobs', id);
    const write = (name: string, content: object) =>
      writeFileSync(join(folder, name), JSON.stringify(content));
    mkdirSync(folder, { recursive: true });
    write('plan.json', { folderFormat: 1, format: 1, app: '1', kind, plan: {} });
    write('summary.json', { ...summary, started, updated: started, ...given });
    if (claim !== undefined) write('claim.json', { key: claim, turn: n + 1, isIdle: false });
    return id;
  });
}
