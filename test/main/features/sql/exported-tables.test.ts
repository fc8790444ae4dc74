import { readdir, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { createFiles } from '../../../../src/main/core/files/files.ts';
import { createExportedTables } from '../../../../src/main/features/sql/sql.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { ExportRequest } from '../../../../src/shared/export/export.ts';
import type { JobState } from '../../../../src/shared/jobs/jobs.ts';
import type { SqlTable } from '../../../../src/shared/sql/sql.ts';
import { exportJob, newFolder } from './support/open-sql.ts';

/** Exports that stop when a test says so. */
async function setUp() {
  const folder = await newFolder();
  const files = createFiles();
  const exports: ExportRequest[] = [];
  const stops = new Map<string, PromiseWithResolvers<JobState>>();
  const canceled: string[] = [];
  const discarded: string[] = [];
  const added: { name: string; path: string; replacedFile?: string | undefined }[] = [];
  const stopOf = (job: string) => stops.get(job) ?? Promise.withResolvers<JobState>();
  const tables = createExportedTables({
    folder,
    files,
    async start(request) {
      exports.push(request);
      const job = `job-0000000${exports.length}`;
      stops.set(job, Promise.withResolvers());
      const place = files.target(request.target);
      if (place.place === 'path') await writeFile(place.path, job);
      return { job };
    },
    runner: {
      waitUntilStopped: async (id) => {
        const state = await stopOf(id).promise;
        const error = state === 'failed' ? new AppError('disk_full', { file: 'x', writtenBytes: 0 }) : null;
        return { ...exportJob, id, state, error: error && error.toBody() };
      },
      cancel: async (id) => {
        canceled.push(id);
        stopOf(id).resolve('cancelled');
      },
      discard: async (id) => void discarded.push(id),
    },
    addAnswer: async (table) => {
      added.push(table);
      return { name: table.name, label: table.label } as SqlTable;
    },
  });
  const start = async (name: string, replacedFile?: string) => {
    const find = {
      connection: 'c',
      provider: 'demo',
      dataset: 'wits',
      query: `{"asset_id":${exports.length}}`,
    };
    return (await tables.start({ find, name, label: name, replacedFile }, undefined)).job;
  };
  return {
    tables,
    folder,
    exports,
    canceled,
    discarded,
    added,
    start,
    stop: (job: string, state: JobState) => stopOf(job).resolve(state),
  };
}

it('two tables with one name are read at once, each with its own records, whichever ends first', async () => {
  const { tables, folder, exports, discarded, added, start, stop } = await setUp();
  const [one, two] = [await start('wits'), await start('wits')];
  expect(exports.map(({ query, format }) => [query, format])).toEqual([
    ['{"asset_id":0}', 'parquet'],
    ['{"asset_id":1}', 'parquet'],
  ]);
  const both = [tables.table(one, undefined), tables.table(two, undefined)];
  stop(two, 'done');
  await both[1];
  stop(one, 'done');
  await both[0];
  expect(added.map(({ name, replacedFile }) => [name, replacedFile])).toEqual([
    ['wits', undefined],
    ['wits', undefined],
  ]);
  expect(discarded).toEqual([two, one]);
  // Nothing but the files of the tables is left.
  expect((await readdir(folder)).sort()).toEqual(added.map(({ path }) => basename(path)).sort());
});

it('a table that is canceled, or whose export fails, leaves nothing, and others go on', async () => {
  const { tables, folder, canceled, added, start, stop } = await setUp();
  const [one, two, three] = [await start('a'), await start('b'), await start('c')];
  const controller = new AbortController();
  const reads = [
    tables.table(one, controller.signal),
    tables.table(two, undefined),
    tables.table(three, undefined),
  ];
  controller.abort();
  stop(three, 'failed');
  await Promise.all([
    expect(reads[0]).rejects.toMatchObject({ code: 'cancelled' }),
    expect(reads[2]).rejects.toMatchObject({ code: 'disk_full' }),
  ]);
  stop(two, 'done');
  expect(await reads[1]).toMatchObject({ name: 'b' });
  expect([canceled, added.length]).toEqual([[one], 1]);
  expect(await readdir(folder)).toEqual(added.map(({ path }) => basename(path)));
});

it('a table is added also if nobody waits for it; one of an application that ended must be added again', async () => {
  const { tables, added, start, stop } = await setUp();
  const job = await start('wits', 'old.parquet');
  stop(job, 'done');
  await expect.poll(() => added).toMatchObject([{ name: 'wits', replacedFile: 'old.parquet' }]);
  const restarted = await setUp();
  await expect(restarted.tables.table(job, undefined)).rejects.toThrow(/Add it again/);
  expect(await tables.table(job, undefined)).toMatchObject({ name: 'wits' });
});
