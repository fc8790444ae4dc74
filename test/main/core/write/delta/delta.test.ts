import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { TableEngine } from '../../../../../src/main/core/duckdb/table-engine.ts';
import {
  ownProtocol,
  type MetaData,
  type Protocol,
  unreadFeatures,
  unwrittenFeatures,
} from '../../../../../src/main/core/write/delta/actions.ts';
import { tidyTable } from '../../../../../src/main/core/write/delta/checkpoint.ts';
import { fileStats } from '../../../../../src/main/core/write/delta/file-stats.ts';
import {
  checkpointName,
  commitChange,
  commitName,
  logName,
  readSnapshot,
  snapshotAfter,
  type Snapshot,
} from '../../../../../src/main/core/write/delta/snapshot.ts';
import { growSchema, withType, type DeltaColumn } from '../../../../../src/main/core/write/delta/schema.ts';
import {
  newFilePath,
  removeOldCommits,
  removeOldFiles,
  retentionMs,
  retentionsOf,
} from '../../../../../src/main/core/write/delta/vacuum.ts';
import { useFolders } from '../../../../support/folders.ts';
import { columns, openTable, rowsSql } from './support.ts';

const newFolder = useFolders();
const fileOf = (name: string, from = 0, count = 10) => ({
  path: `asset_id=5003/${name}.parquet`,
  asset: '5003',
  sql: rowsSql(from, count),
});
/** A table of 22 versions, with two checkpoints. */
let grown: string | null = null;
async function copyOfGrown(): Promise<string> {
  if (grown === null) {
    grown = await mkdtemp(join(tmpdir(), 'wellbench-test-'));
    const { update } = await openTable(grown);
    for (let number = 0; number <= 21; number += 1) await update([fileOf(String(number))]);
  }
  const copy = await newFolder();
  await cp(grown, copy, { recursive: true });
  return copy;
}
afterAll(async () => {
  if (grown !== null) await rm(grown, { recursive: true, force: true });
});

/** An engine that does this in place of opening, and runs nothing. */
const engineOf = (open: TableEngine['open']): TableEngine => {
  const done = async (): Promise<void> => undefined;
  return { load: done, open, run: async () => [], rest: done, close: done };
};

const noCheckpoint = async () => {
  throw new Error('there is no checkpoint');
};

describe('a table of Delta', () => {
  it('has its columns with units, and the statistics of its files', async () => {
    const { table, update, read } = await openTable(await newFolder());
    expect(await read()).toBeNull();
    expect(
      await update([
        fileOf('a', 0, 5000),
        { ...fileOf('b'), path: 'asset_id=a%3A b#?/b.parquet', asset: 'a: b#?' },
      ]),
    ).toBe(0);
    const snapshot = await read();
    expect(snapshot).toMatchObject({ version: 0, metaData: { partitionColumns: ['asset_id'] } });
    expect([...(snapshot?.files.keys() ?? [])]).toEqual([
      'asset_id=5003/a.parquet',
      'asset_id=a%3A b#?/b.parquet',
    ]);
    const [, rop] = (JSON.parse(snapshot?.metaData.schemaString ?? '') as { fields: unknown[] }).fields;
    expect(rop).toEqual({
      name: 'data.rop',
      type: 'double',
      nullable: true,
      metadata: { comment: 'Rate of penetration [ft/h]', unit: 'ft/h' },
    });
    const { stats = '' } = snapshot?.files.get('asset_id=5003/a.parquet') ?? {};
    expect(JSON.parse(stats)).toEqual({
      numRecords: 5000,
      minValues: { timestamp: '2026-01-01T00:00:00.000Z', 'data.rop': 0, records: 0 },
      maxValues: { timestamp: '2026-01-01T01:23:19.000Z', 'data.rop': 1249.75, records: 4999 },
      nullCount: { timestamp: 0, 'data.rop': 0, records: 0, state: 1667 },
    });
    expect(await readdir(join(table, logName))).toEqual([commitName(0)]);
  });

  it('has no statistics that readers can’t read, and rounds times outwards', async () => {
    const { update, read } = await openTable(await newFolder());
    const times = ['2026-01-01 00:00:00.0005', '2026-01-02 00:00:00.0005', '12026-01-01 00:00:00'];
    const sqlOf = (from: number, to: number, value = 'NULL') =>
      times
        .slice(from, to)
        .map((time) => `SELECT '${time}'::TIMESTAMPTZ AS timestamp, ${value}::DOUBLE AS "data.rop"`)
        .join(' UNION ALL ');
    await update([
      { ...fileOf('near'), sql: sqlOf(0, 2) },
      { ...fileOf('far'), sql: sqlOf(1, 3, `'Infinity'`) },
    ]);
    const [near, far] = [...((await read())?.files.values() ?? [])].map(({ stats = '' }) =>
      JSON.parse(stats),
    );
    expect(near).toEqual({
      numRecords: 2,
      minValues: { timestamp: '2026-01-01T00:00:00.000Z' },
      maxValues: { timestamp: '2026-01-02T00:00:00.001Z' },
      nullCount: { timestamp: 0, 'data.rop': 2 },
    });
    expect(far).toMatchObject({ minValues: { timestamp: '2026-01-02T00:00:00.000Z' }, maxValues: {} });
    // Nor numbers that JSON doesn't have, whatever the engine says.
    const engine = { ...engineOf(async () => undefined), run: async () => [['3', 'inf', 'inf']] };
    const statsOf = async (counted: readonly DeltaColumn[]) =>
      JSON.parse(await fileStats(engine, 'a.parquet', counted));
    expect(await statsOf([])).toMatchObject({ numRecords: 3, minValues: {} });
    expect(await statsOf([{ name: 'a', type: 'double' }])).toMatchObject({ minValues: {}, maxValues: {} });
  });

  it('has the changes of two writers at once, one after the other', async () => {
    const { update, read } = await openTable(await newFolder());
    await update([fileOf('first')]);
    const versions = await Promise.all(['b', 'c', 'd'].map(async (name) => update([fileOf(name)])));
    expect(versions.toSorted((a, b) => Number(a) - Number(b))).toEqual([1, 2, 3]);
    expect((await read())?.files.size).toBe(4);
  });

  it('has a numbered change once, however often it is made', async () => {
    const { update, read } = await openTable(await newFolder());
    const mirror = (version: number) => ({ transaction: { appId: 'mirror', version } });
    expect(await update([fileOf('a')], mirror(1))).toBe(0);
    expect(await update([fileOf('again')], mirror(1))).toBeNull();
    expect(await update([fileOf('b')], mirror(2))).toBe(1);
    const { files, transactions } = (await read()) ?? {};
    expect([files?.size, transactions?.get('mirror')?.version]).toEqual([2, 2]);
  });

  it('has a checkpoint after ten commits, which a reader needs none of the earlier commits for', async () => {
    const { table, update, read } = await openTable(await newFolder());
    await update([fileOf('0')], { transaction: { appId: 'mirror', version: 7 } });
    for (let number = 1; number <= 11; number += 1)
      await update([fileOf(String(number))], {
        removes: number % 3 === 0 ? [fileOf(String(number - 1)).path] : [],
      });
    const before = await read();
    for (let number = 0; number <= 10; number += 1) await rm(join(table, logName, commitName(number)));
    const after = await read();
    expect(after?.version).toBe(11);
    expect([...(after?.files.keys() ?? [])].toSorted()).toEqual([...(before?.files.keys() ?? [])].toSorted());
    expect(after?.files.get(fileOf('11').path)).toEqual(before?.files.get(fileOf('11').path));
    expect(after?.files.get(fileOf('0').path)).toEqual({
      ...before?.files.get(fileOf('0').path),
      dataChange: false,
    });
    expect([after?.metaData, after?.transactions, [...(after?.removed.keys() ?? [])]]).toEqual([
      before?.metaData,
      before?.transactions,
      [...(before?.removed.keys() ?? [])],
    ]);
    expect(JSON.parse(await readFile(join(table, logName, '_last_checkpoint'), 'utf8'))).toMatchObject({
      version: 10,
    });
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['cut', (bytes) => bytes.subarray(0, bytes.length / 2)],
    ['changed in the middle', (bytes) => Buffer.from(bytes).fill(0x5a, 100, bytes.length - 1000)],
  ])(
    'is read where its last checkpoint is %s, by the one before or by the commits, and gets another one',
    async (_, damage) => {
      const { table, update, read } = await openTable(await copyOfGrown());
      const logOf = (name: string) => join(table, logName, name);
      const before = await read();
      const spoil = async (version: number) =>
        writeFile(logOf(checkpointName(version)), damage(await readFile(logOf(checkpointName(version)))));
      await spoil(20);
      expect(await read()).toMatchObject({ version: 21, checkpoint: 10 });
      await spoil(10);
      const after = await read();
      expect(after).toMatchObject({ version: 21, checkpoint: -1 });
      expect([...(after?.files.keys() ?? [])].toSorted()).toEqual(
        [...(before?.files.keys() ?? [])].toSorted(),
      );
      await update([fileOf('next')]);
      expect(await read()).toMatchObject({ version: 22, checkpoint: 22 });
      // Where neither is left, the table can't be read.
      await writeFile(logOf(checkpointName(22)), '');
      await rm(logOf(commitName(0)));
      await expect(read()).rejects.toMatchObject({ code: 'file_unreadable' });
    },
  );

  it('is as it was after a writer was killed, and the next commit continues from there', async () => {
    const { table, update, read } = await openTable(await newFolder());
    await update([fileOf('a')]);
    const log = join(table, logName);
    // What kills at each step leave: a file without a commit, and a commit that is incomplete.
    await writeFile(join(table, 'asset_id=5003', 'lost.parquet'), 'PAR1');
    await writeFile(join(log, `.${commitName(1)}.partial`), '{"add":');
    expect((await read())?.version).toBe(0);
    expect(await update([fileOf('b')])).toBe(1);
    expect((await read())?.files.size).toBe(2);
  });

  it('isn’t read where a commit is missing or damaged, or where another program has changed it in other ways', async () => {
    const { table, update, read } = await openTable(await newFolder());
    for (const name of ['a', 'b', 'c']) await update([fileOf(name)]);
    const path = join(table, logName, commitName(1));
    const text = await readFile(path, 'utf8');
    await rm(path);
    await expect(read()).rejects.toMatchObject({ code: 'file_unreadable' });
    await writeFile(path, text.slice(0, -20));
    await expect(read()).rejects.toMatchObject({
      code: 'file_unreadable',
      details: { reason: 'it is damaged' },
    });
    await writeFile(
      path,
      `${text}{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["deletionVectors"]}}\n`,
    );
    await expect(read()).rejects.toMatchObject({
      code: 'table_unsupported',
      details: { table: 'table', use: 'read', features: ['deletionVectors'] },
    });
  });

  it.each(['add', 'remove'])(
    'isn’t read where a path of its log has a control character: %s',
    async (kind) => {
      const { table, update, read } = await openTable(await newFolder());
      await update([fileOf('a')]);
      const path = join(table, logName, commitName(1));
      const file = {
        path: 'a%1B[2J.parquet',
        partitionValues: {},
        size: 1,
        modificationTime: 0,
        dataChange: true,
      };
      await writeFile(path, `${JSON.stringify({ [kind]: file })}\n`);
      await expect(read()).rejects.toMatchObject({
        code: 'file_unreadable',
        details: { reason: 'it is damaged' },
      });
    },
  );

  it('isn’t read where its log has no schema', async () => {
    const table = await newFolder();
    await mkdir(join(table, logName));
    await writeFile(join(table, logName, commitName(0)), `${JSON.stringify({ protocol: ownProtocol })}\n`);
    await expect(readSnapshot(table, noCheckpoint)).rejects.toMatchObject({ code: 'file_unreadable' });
    await rm(join(table, logName), { recursive: true });
    await writeFile(join(table, logName), 'no folder');
    await expect(readSnapshot(table, noCheckpoint)).rejects.toMatchObject({ code: 'file_unwritable' });
    // And none is made.
    expect(() => snapshotAfter(null, [{ protocol: ownProtocol }])).toThrow();
  });

  it('has no checkpoint where one can’t be written, and says so', async () => {
    const home = await newFolder();
    const { table, update, read } = await openTable(home);
    for (let number = 0; number <= 9; number += 1) await update([fileOf(String(number))]);
    const snapshot = await read();
    if (!snapshot) throw new Error('no table');
    const place = { startTables: () => engineOf(async () => undefined), folder: join(home, 'no folder') };
    await expect(tidyTable(table, { ...snapshot, version: 10 }, place)).rejects.toMatchObject({
      code: 'file_unwritable',
    });
    await mkdir(join(table, logName, '_last_checkpoint'));
    await expect(update([fileOf('10')])).rejects.toMatchObject({ code: 'file_unwritable' });
  });

  it('loses commits before its checkpoint after a month; what can’t be removed is an error', async () => {
    const { table, read } = await openTable(await copyOfGrown());
    const log = join(table, logName);
    const longAgo = new Date(Date.now() - 40 * 86_400_000);
    for (const version of [0, 1, 10, 11]) await utimes(join(log, commitName(version)), longAgo, longAgo);
    await removeOldCommits(table, { checkpoint: 10 }, Date.now() - 30 * 86_400_000);
    expect([0, 1, 2, 10, 11].filter((version) => existsSync(join(log, commitName(version))))).toEqual([
      2, 10, 11,
    ]);
    expect(await read()).toMatchObject({ version: 21 });
    await mkdir(join(log, commitName(0)));
    await expect(removeOldCommits(table, { checkpoint: 10 }, Date.now() + 60_000)).rejects.toThrow();
    const none = { files: new Map(), removed: new Map() };
    await expect(
      removeOldFiles(join(table, 'nowhere'), none, { removedMs: 0, unknownMs: 0 }),
    ).rejects.toMatchObject({
      code: 'file_unwritable',
    });
  });

  it.each<[string, Partial<Protocol>, Record<string, string>, string[], string[]]>([
    ['the own versions', {}, {}, [], []],
    [
      'a later version',
      { minReaderVersion: 4, minWriterVersion: 8 },
      {},
      ['reader version 4'],
      ['writer version 8'],
    ],
    [
      'lists that are absent',
      { minReaderVersion: 3, minWriterVersion: 7 },
      { 'delta.columnMapping.mode': 'id' },
      [],
      [],
    ],
    [
      'columns with other names in its files',
      { minReaderVersion: 2, minWriterVersion: 5 },
      { 'delta.columnMapping.mode': 'name' },
      ['delta.columnMapping.mode'],
      ['delta.columnMapping.mode'],
    ],
  ])(
    'of %s is read and written only as far as Wellbench knows its features',
    (_what, versions, configuration, unread, unwritten) => {
      const protocol = { ...ownProtocol, ...versions };
      const metaData: MetaData = {
        id: '',
        name: undefined,
        description: undefined,
        format: { provider: 'parquet', options: undefined },
        schemaString: growSchema(null, columns).schema,
        partitionColumns: [],
        configuration,
        createdTime: undefined,
      };
      expect(unreadFeatures(protocol, metaData)).toEqual(unread);
      expect(unwrittenFeatures(protocol, metaData)).toEqual(unwritten);
    },
  );

  it('has new files in the folder of their partition, if it is divided', () => {
    expect(newFilePath('asset_id=5003')).toMatch(/^asset_id=5003\/part-[0-9a-f]{32}\.parquet$/);
    expect(newFilePath('')).toMatch(/^part-[0-9a-f]{32}\.parquet$/);
  });

  it('loses files that it no longer has after a week, and those of killed writers, but none of another name', async () => {
    const { table, update, read, close } = await openTable(await newFolder());
    const left = 'part-0000000000000000000000000000001e';
    await update([fileOf(left), fileOf('a'), fileOf('b'), fileOf('kept')]);
    await update([], { removes: [fileOf(left).path, fileOf('a').path] });
    const lost = join(table, 'asset_id=5003', 'part-00000000000000000000000000105e10.parquet');
    const other = join(table, 'asset_id=5003', 'part-0.parquet');
    const hidden = join(table, logName, 'old.checkpoint.parquet');
    const partial = join(table, 'asset_id=5003', 'part-00000000000000000000000000007a27.parquet.partial');
    const recent = join(table, 'asset_id=5003', 'part-0000000000000000000000000004ece0.parquet');
    for (const path of [lost, hidden, recent, other, partial]) await writeFile(path, 'PAR1');
    const longAgo = new Date(Date.now() - 2 * retentionMs);
    for (const name of [left, 'a', 'b', 'kept', 'part-00000000000000000000000000105e10', 'part-0'])
      await utimes(join(table, 'asset_id=5003', `${name}.parquet`), longAgo, longAgo);
    for (const path of [hidden, partial]) await utimes(path, longAgo, longAgo);
    // Another table in the folder.
    const nested = join(table, 'copy', 'part-0123456789abcdef0123456789abcdef.parquet');
    await mkdir(join(table, 'copy', logName), { recursive: true });
    await writeFile(nested, '');
    await utimes(nested, longAgo, longAgo);
    const snapshot = await read();
    if (!snapshot) throw new Error('no table');
    const before = (ms: number) => ({ removedMs: ms, unknownMs: ms });
    expect(await removeOldFiles(table, snapshot, before(Date.now() - retentionMs))).toEqual({
      removed: 2,
      held: 0,
    });
    expect(
      [lost, partial, other, hidden, recent, nested, join(table, fileOf(left).path)].map((path) =>
        existsSync(path),
      ),
    ).toEqual([false, false, true, true, true, true, true]);
    expect(await removeOldFiles(table, snapshot, before(Date.now() + 60_000))).toEqual({
      removed: 2,
      held: 0,
    });
    expect(existsSync(join(table, fileOf(left).path))).toBe(false);
    for (const { path } of [fileOf('a'), fileOf('b'), fileOf('kept')])
      expect(existsSync(join(table, path))).toBe(true);
    close();
  });

  it('keeps removed files and commits as long as its settings say', () => {
    const of = (configuration?: Record<string, string>) =>
      retentionsOf({ metaData: { configuration } } as unknown as Snapshot);
    const day = 86_400_000;
    expect(of()).toEqual({ files: 7 * day, commits: 30 * day });
    expect(
      of({
        'delta.deletedFileRetentionDuration': 'interval 30 days',
        'delta.logRetentionDuration': 'interval 8 weeks',
      }),
    ).toEqual({ files: 30 * day, commits: 56 * day });
    expect(of({ 'delta.deletedFileRetentionDuration': 'interval 1 month' }).files).toBe(7 * day);
  });

  it.runIf(process.platform === 'linux')('isn’t changed where a commit can’t have its name', async () => {
    const home = await newFolder();
    const table = join(home, ...Array.from({ length: 100 }, () => 'a'.repeat(99))).slice(0, 4065);
    const before = await openTable(await newFolder());
    await before.update([fileOf('a')]);
    const snapshot = await before.read();
    await expect(commitChange(table, snapshot, [])).rejects.toMatchObject({ code: 'file_unwritable' });
    before.close();
  });

  it('gives a version to one writer only', async () => {
    const table = await newFolder();
    const metaData = {
      id: '8f4e3f1c-52a0-4f0e-9d0b-0123456789ab',
      name: 'wits',
      description: undefined,
      format: { provider: 'parquet', options: {} },
      schemaString: growSchema(null, columns).schema,
      partitionColumns: [],
      configuration: {},
      createdTime: 1,
    };
    const wins = await Promise.all(
      Array.from({ length: 8 }, async () =>
        commitChange(table, null, [{ protocol: ownProtocol }, { metaData }]),
      ),
    );
    expect(wins.filter((after) => after !== null)).toHaveLength(1);
    expect(await readdir(join(table, logName))).toEqual([commitName(0)]);
    expect(await readSnapshot(table, noCheckpoint)).toMatchObject({ version: 0 });
  });
});

describe('the schema of a table', () => {
  const names = (schema: string) =>
    (JSON.parse(schema) as { fields: { name: string; type: string }[] }).fields.map(
      ({ name, type }) => `${name} ${type}`,
    );

  it.each([1000, 100_000])('is damaged with %s brackets in one another', (depth) => {
    const type = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const deep = `{"type":"struct","fields":[{"name":"a","type":${type},"nullable":true,"metadata":{}}]}`;
    const damaged: unknown = expect.objectContaining({ code: 'file_unreadable' });
    expect(() => growSchema(deep, columns)).toThrow(damaged);
    expect(() => withType(deep, 'a', 'string')).toThrow(damaged);
  });

  it('gets new columns after those that it has, which stay without values', () => {
    const grown = growSchema(growSchema(null, columns).schema, [
      { name: 'wob', type: 'double', unit: 'klbf' },
    ]);
    expect(names(grown.schema)).toEqual([...names(growSchema(null, columns).schema), 'wob double']);
    expect(grown.names).toEqual(['wob']);
  });

  it('gets another column for values of another type, the same one each time', () => {
    const state = [{ name: 'records', type: 'string' }] as const;
    const once = growSchema(growSchema(null, columns).schema, state);
    expect(once.names).toEqual(['records_string']);
    expect(growSchema(once.schema, state)).toEqual(once);
    expect(growSchema(once.schema, [{ name: 'records', type: 'double' }]).names).toEqual(['records_double']);
  });

  it('tells columns apart that differ in case, or in characters that a name can’t have', () => {
    const doubles = (texts: readonly string[]) => texts.map((name) => ({ name, type: 'double' as const }));
    expect(growSchema(null, doubles(['a b', 'a,b', 'a=b'])).names.toSorted()).toEqual([
      'a_b',
      'a_b_double',
      'a_b_double_2',
    ]);
    const alike = doubles(['ROP', 'rop', 'Depth (ft)', 'Depth{ft}']);
    const { names: found, schema } = growSchema(null, alike);
    expect(found).toEqual(['ROP_double', 'rop', 'Depth__ft_', 'Depth_ft_']);
    expect(names(schema)).toHaveLength(4);
    // Which one keeps its name doesn't depend on which of them came first, unless the table has it already.
    expect(growSchema(null, alike.toReversed()).names.toReversed()).toEqual(found);
    const before = growSchema(null, alike.slice(0, 1));
    expect(growSchema(before.schema, alike).names).toEqual(['ROP', 'rop_double', 'Depth__ft_', 'Depth_ft_']);
  });

  it('has the unit that a column has now', () => {
    const grown = growSchema(growSchema(null, columns).schema, [
      { name: 'data.rop', type: 'double', unit: 'm/h' },
    ]);
    expect(grown.schema).toContain('"unit":"m/h"');
    expect(names(grown.schema)).toEqual(names(growSchema(null, columns).schema));
  });
});
