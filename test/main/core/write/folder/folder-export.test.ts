import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLastRun } from '../../../../../src/main/core/write/delta/snapshot.ts';
import { lockFolder } from '../../../../../src/main/core/write/folder/commit.ts';
import { readProgress, type ExportPlan } from '../../../../../src/main/features/export/export.ts';
import { openJournal } from '../../../../../src/main/core/jobs/journal.ts';
import { useFolders } from '../../../../support/folders.ts';
import {
  filesIn,
  folderPlanFor,
  partBytes,
  recordsIn,
  tableIn,
} from '../../../features/export/support/folders.ts';
import { exportEngine, runExport, runUntil } from '../../../features/export/support/jobs.ts';
import { idAt, Rows } from '../../../features/export/support/rows.ts';
import { day, record, records, start, useRowServices } from './support.ts';

const folder = useFolders();
const service = useRowServices();
const log = '_delta_log/00000000000000000000.json';
/** A file for each well and month: hundreds of hours would be in a file for each of their days. */
const fewFiles = { partition: ['asset_id' as const, 'month' as const] };

describe('an export to a folder', () => {
  it('has a file for each well and day, and a log of them', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(48));
    const { result, made } = await runExport(
      await service(rows),
      await folder(),
      await folderPlanFor(path, rows),
    );
    expect(result).toMatchObject({
      rows: 48,
      expected: 48,
      warnings: [],
      folder: { partitions: 4, added: 48, rewritten: 4 },
    });
    expect(made).toEqual({ manifest: join(path, log) });
    const { parts, generation } = await tableIn(path);
    expect(filesIn(path)).toEqual([log, ...parts.map((part) => part.path)]);
    expect(parts.map((part) => dirname(part.path))).toEqual([
      'asset_id=5001/day=2026-01-30',
      'asset_id=5001/day=2026-01-31',
      'asset_id=5002/day=2026-01-30',
      'asset_id=5002/day=2026-01-31',
    ]);
    expect([generation, parts[0]]).toMatchObject([1, { rows: 12, last: start + 22 * 3_600_000 }]);
    // The well is the name of the folder, not a column of the file, where query engines would find it twice.
    const found = await recordsIn(path);
    expect(found['asset_id=5002/day=2026-01-31']?.[0]).toEqual({
      _id: idAt(25),
      timestamp: start + 25 * 3_600_000,
      version: 1,
      'data.rop': 25.5,
    });
  });

  it.each([
    [['month'], ['month=2026-01', 'month=2026-02']],
    [['asset_id'], ['asset_id=5001', 'asset_id=5002']],
    [['day'], ['day=2026-01-30', 'day=2026-01-31', 'day=2026-02-01']],
  ] as const)('is partitioned by %s', async (partition, folders) => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(60));
    const plan = await folderPlanFor(path, rows, { partition: [...partition] });
    await runExport(await service(rows), await folder(), plan);
    expect(Object.keys(await recordsIn(path))).toEqual(folders);
  });

  it('has separate partitions for records without a well or a time, and for wells with unsafe names', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows([
      record(1, { asset: null }),
      record(2, { ms: null }),
      record(3, { asset: '../a b=ø' }),
      record(4, { asset: '' }),
    ]);
    await runExport(await service(rows), await folder(), await folderPlanFor(path, rows));
    expect(Object.keys(await recordsIn(path))).toEqual([
      'asset_id=..%2Fa%20b%3D%C3%B8/day=2026-01-30',
      'asset_id=5001/day=__HIVE_DEFAULT_PARTITION__',
      'asset_id=__HIVE_DEFAULT_PARTITION__/day=2026-01-30',
    ]);
  });

  it('has the same columns in every file', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows([
      record(0, { rop: '1' }),
      record(30, { rop: '1.5,"note":"x"' }),
      record(60, { rop: '2' }),
    ]);
    await runExport(await service(rows), await folder(), await folderPlanFor(path, rows));
    expect((await tableIn(path)).columns.map((column) => column.path)).toContain('data.note');
    expect((await recordsIn(path))['asset_id=5001/day=2026-01-30']).toMatchObject([{ 'data.rop': 1 }]);
  });

  it('produces the same bytes after a stop, and shows no file before its end', async () => {
    const rows = new Rows(records(400), { cap: (limit) => Math.min(limit, 40) });
    const services = await service(rows);
    const [whole, stopped] = [join(await folder(), 'a'), join(await folder(), 'b')];
    await runExport(services, await folder(), await folderPlanFor(whole, rows, fewFiles));
    const job = await folder();
    const plan = await folderPlanFor(stopped, rows, fewFiles);
    for (const at of [0, 100, 0]) {
      expect(await runUntil(services, job, plan, at)).toBeUndefined();
      expect(existsSync(join(stopped, log))).toBe(false);
      expect(Object.keys(await partBytes(stopped))).toEqual([]);
    }
    await runExport(services, job, plan);
    expect(await partBytes(stopped)).toEqual(await partBytes(whole));
    expect(filesIn(job)).toEqual(['journal.ndjson']);
  });

  it('is not rejected for what a kill left of the check that the folder can be written', async () => {
    const rows = new Rows(records(3));
    const path = await folder();
    writeFileSync(join(path, `${basename(path)}.partial`), '');
    await runExport(await service(rows), await folder(), await folderPlanFor(path, rows));
    expect(existsSync(join(path, log))).toBe(true);
  });

  it('is rejected for a folder with other files, for a folder in use by another run, and for data without times', async () => {
    const rows = new Rows(records(3));
    const path = await folder();
    writeFileSync(join(path, 'notes.txt'), 'mine');
    await expect(folderPlanFor(path, rows)).rejects.toMatchObject({ code: 'file_exists' });
    const empty = join(await folder(), 'empty');
    mkdirSync(empty);
    const plan = await folderPlanFor(empty, rows);
    const lock = await lockFolder(empty);
    await expect(runExport(await service(rows), await folder(), plan)).rejects.toMatchObject({
      code: 'file_unwritable',
      details: { reason: expect.stringContaining('another run') },
    });
    lock.release();
    const request = folderPlanFor(empty, rows, { type: 'reference', partition: ['day'] });
    await expect(request).rejects.toMatchObject({ code: 'invalid_input' });
    const both = folderPlanFor(empty, rows, { partition: ['day', 'month'] });
    await expect(both).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

async function journalOf(job: string) {
  const journal = await openJournal(join(job, 'journal.ndjson'), exportEngine.entry);
  await journal.close();
  return journal.entries;
}

/** Slices of a few pages. */
const sliceBytes = 6000;
const inSlices = (plan: ExportPlan): ExportPlan => ({
  ...plan,
  folder: plan.folder && { ...plan.folder, sliceBytes },
});

const digestsOf = async (path: string) =>
  (await tableIn(path)).parts.map(({ sha256, ...part }) => [dirname(part.path), part.rows, sha256]);

describe('a run in slices', () => {
  /** With columns and types that appear late. */
  const mixed = records(360).map((json, n) =>
    n % 90 === 89 ? record(n, { rop: `"none","note":"${n}","exact":9007199254740993` }) : json,
  );
  const cap = (limit: number) => Math.min(limit, 40);

  it('produces the same bytes as a run without slices, wherever it was stopped', async () => {
    const rows = new Rows(mixed, { cap });
    const services = await service(rows);
    const [whole, sliced] = [join(await folder(), 'a'), join(await folder(), 'b')];
    await runExport(services, await folder(), await folderPlanFor(whole, rows));
    const job = await folder();
    const plan = inSlices(await folderPlanFor(sliced, rows));
    for (const at of [0, 40, 40, 0]) {
      expect(await runUntil(services, job, plan, at)).toBeUndefined();
      expect(filesIn(sliced)).toEqual([]);
    }
    const { slices } = readProgress(await journalOf(job));
    expect(slices.length).toBeGreaterThan(1);
    const bytes: number[] = [];
    await runExport(services, job, plan, { report: (progress) => bytes.push(progress.bytes ?? Infinity) });
    // The rows of earlier slices count.
    expect(Math.min(...bytes)).toBeGreaterThan(slices.length * sliceBytes);
    expect(await digestsOf(sliced)).toEqual(await digestsOf(whole));
    expect(filesIn(job)).toEqual(['journal.ndjson']);
  });

  it('spools no more than a slice and a page', async () => {
    const rows = new Rows(mixed, { cap });
    const path = join(await folder(), 'wits');
    const job = await folder();
    let most = 0;
    const report = () => {
      const spool = join(job, 'rows.ndjson');
      if (existsSync(spool)) most = Math.max(most, statSync(spool).size);
    };
    const plan = inSlices(await folderPlanFor(path, rows, fewFiles));
    await runExport(await service(rows), job, plan, { report });
    const pageBytes = 40 * 200;
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(sliceBytes + pageBytes);
    expect(mixed.join('').length).toBeGreaterThan(3 * most);
  });

  it('reads everything again if a slice is missing', async () => {
    const rows = new Rows(mixed, { cap });
    const services = await service(rows);
    const [path, job] = [join(await folder(), 'wits'), await folder()];
    const plan = inSlices(await folderPlanFor(path, rows, fewFiles));
    await runUntil(services, job, plan, 200);
    rmSync(join(job, 'slices/0.parquet'));
    const { result } = await runExport(services, job, plan);
    expect(result).toMatchObject({ rows: 360, expected: 360 });
    expect(result.warnings).toEqual([
      'Values of another type are in separate columns: 4 texts such as "none" of data.rop in data.rop_string.',
    ]);
    // The list of folders has them from there.
    expect((await readLastRun(path))?.run.warnings).toEqual(result.warnings);
  });

  it('updates a mirror with late and deleted records like a run without slices', async () => {
    const rows = new Rows(mixed.slice(0, 200), { cap });
    const [whole, sliced] = [join(await folder(), 'a'), join(await folder(), 'b')];
    const updateBoth = async () => {
      for (const path of [whole, sliced]) {
        const plan = await folderPlanFor(path, rows, { ...fewFiles, mirror: { overlapMs: 2 * day } });
        await runExport(await service(rows), await folder(), path === sliced ? inSlices(plan) : plan);
      }
    };
    await updateBoth();
    rows.add(...mixed.slice(200));
    rows.add(record(900, { ms: start + 190 * 3_600_000 + 1 }));
    rows.remove(idAt(195));
    await updateBoth();
    expect(await digestsOf(sliced)).toEqual(await digestsOf(whole));
  });
});
