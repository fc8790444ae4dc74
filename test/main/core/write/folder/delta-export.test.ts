import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { readSnapshot, type Snapshot } from '../../../../../src/main/core/write/delta/snapshot.ts';
import { useFolders } from '../../../../support/folders.ts';
import { filesIn, folderPlanFor } from '../../../features/export/support/folders.ts';
import { runExport, runUntil } from '../../../features/export/support/jobs.ts';
import { idAt, Rows } from '../../../features/export/support/rows.ts';
import { useRowServices } from './support.ts';

const folder = useFolders();
const service = useRowServices();

const start = Date.UTC(2026, 0, 30);
const log = '_delta_log/00000000000000000000.json';

const record = (n: number, asset: number | null = 5001 + (n % 2)): string =>
  JSON.stringify({
    _id: idAt(n),
    asset_id: asset,
    timestamp: start + n * 3_600_000,
    data: { rop: n + 0.5, 'bit depth (ft)': n },
  });
const records = (count: number): string[] => Array.from({ length: count }, (_, n) => record(n));

async function snapshotOf(path: string): Promise<Snapshot> {
  const snapshot = await readSnapshot(path, async () => []);
  if (!snapshot) throw new Error('there is no table');
  return snapshot;
}

const fieldsOf = ({ metaData }: Snapshot): string[] =>
  (JSON.parse(metaData.schemaString) as { fields: { name: string; type: string }[] }).fields.map(
    ({ name, type }) => `${name} ${type}`,
  );

/** The rows of the files that a log has, by their columns in its schema. */
async function rowsOf(path: string): Promise<number> {
  const { files } = await snapshotOf(path);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const list = [...files.keys()].map((file) => `'${join(path, file)}'`).join(', ');
  const reader = await connection.runAndReadAll(
    `SELECT count("data.bit_depth__ft_")::INT FROM read_parquet([${list}], hive_partitioning = false)`,
  );
  connection.closeSync();
  return Number(reader.getRows()[0]?.[0]);
}

describe('an export as a table of Delta', () => {
  it('has a log of its files, with partitions, statistics, and names that readers accept', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows([...records(48), record(48, null)]);
    const { result } = await runExport(await service(rows), await folder(), await folderPlanFor(path, rows));
    expect(result).toMatchObject({ rows: 49, folder: { partitions: 5 } });
    const snapshot = await snapshotOf(path);
    expect(fieldsOf(snapshot)).toEqual([
      '_id string',
      'timestamp timestamp',
      'data.rop double',
      'data.bit_depth__ft_ double',
      'asset_id long',
      'day date',
    ]);
    expect(snapshot.metaData.partitionColumns).toEqual(['asset_id', 'day']);
    expect([...snapshot.files.values()].map(({ partitionValues }) => partitionValues)).toContainEqual({
      asset_id: null,
      day: '2026-02-01',
    });
    expect(
      JSON.parse(
        [...snapshot.files].find(([file]) => file.startsWith('asset_id=5002/day=2026-01-31/'))?.[1].stats ??
          '',
      ),
    ).toEqual({
      numRecords: 12,
      minValues: { timestamp: '2026-01-31T01:00:00.000Z', 'data.rop': 25.5, 'data.bit_depth__ft_': 25 },
      maxValues: { timestamp: '2026-01-31T23:00:00.000Z', 'data.rop': 47.5, 'data.bit_depth__ft_': 47 },
      nullCount: { _id: 0, timestamp: 0, 'data.rop': 0, 'data.bit_depth__ft_': 0 },
    });
    expect(await rowsOf(path)).toBe(49);
  });

  it('has a log only when it is complete, wherever it was stopped', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(400), { cap: (limit) => Math.min(limit, 40) });
    const plan = await folderPlanFor(path, rows, { partition: ['asset_id'] });
    const services = await service(rows);
    const job = await folder();
    expect(await runUntil(services, job, plan, 100)).toBeUndefined();
    expect(filesIn(path)).toEqual([]);
    await runExport(services, job, plan);
    expect(await rowsOf(path)).toBe(400);
    expect(filesIn(path)).toEqual([log, ...(await snapshotOf(path)).files.keys()]);
    // What is done again after a kill changes nothing.
    await runExport(services, job, plan);
    expect((await snapshotOf(path)).version).toBe(0);
  });

  it('is replaced as a whole, and has no file but those of its last version', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(48));
    await runExport(await service(rows), await folder(), await folderPlanFor(path, rows));
    // A killed run left one, and a person has one of another name.
    const killed = `asset_id=5001/part-${'0'.repeat(32)}.parquet`;
    for (const name of [killed, 'asset_id=5001/mine.parquet']) writeFileSync(join(path, name), '');
    utimesSync(join(path, killed), 0, 0);
    const fewer = new Rows(records(10));
    const plan = await folderPlanFor(path, fewer, { replaces: true });
    await runExport(await service(fewer), await folder(), plan);
    expect([await rowsOf(path), (await snapshotOf(path)).version]).toEqual([10, 1]);
    expect((await snapshotOf(path)).removed.size).toBe(4);
    const live = [...(await snapshotOf(path)).files.keys()];
    expect(filesIn(path).filter((name) => name.endsWith('.parquet'))).toEqual(
      [...live, 'asset_id=5001/mine.parquet'].toSorted(),
    );
  });

  it('becomes a mirror with an update', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(4));
    await runExport(await service(rows), await folder(), await folderPlanFor(path, rows));
    rows.add(record(4));
    const plan = await folderPlanFor(path, rows, { mirror: { overlapMs: 0 } });
    const { result } = await runExport(await service(rows), await folder(), plan);
    expect(result).toMatchObject({ rows: 5, folder: { added: 1, verified: true } });
    expect(await rowsOf(path)).toBe(5);
  });

  it('has texts as partitions once a well has a name that is no number', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(4));
    const update = async () =>
      runExport(
        await service(rows),
        await folder(),
        await folderPlanFor(path, rows, { mirror: { overlapMs: 0 } }),
      );
    await update();
    const typeOfWell = async () =>
      fieldsOf(await snapshotOf(path)).find((field) => field.startsWith('asset_id'));
    expect(await typeOfWell()).toBe('asset_id long');
    rows.add(record(4).replace('"asset_id":5001', '"asset_id":"007"'));
    await update();
    expect(await typeOfWell()).toBe('asset_id string');
    expect(await rowsOf(path)).toBe(5);
  });
});
