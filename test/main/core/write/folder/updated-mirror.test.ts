import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExportPlan } from '../../../../../src/main/features/export/export.ts';
import { parquetFilesOf } from '../../../../../src/main/core/write/write.ts';
import { commitName, logName } from '../../../../../src/main/core/write/delta/snapshot.ts';
import { useFolders } from '../../../../support/folders.ts';
import {
  filesIn,
  folderPlanFor,
  partBytes,
  recordsById,
  recordsIn,
  tableIn,
} from '../../../features/export/support/folders.ts';
import { runExport } from '../../../features/export/support/jobs.ts';
import { idAt, Rows } from '../../../features/export/support/rows.ts';
import { day, record, records, start, useRowServices } from './support.ts';

const folder = useFolders();
const service = useRowServices();

/** Runs one update of a mirror. */
async function update(path: string, rows: Rows, overlapMs = day, details: Partial<ExportPlan> = {}) {
  const plan = await folderPlanFor(path, rows, { mirror: { overlapMs } });
  return { plan, ...(await runExport(await service(rows), await folder(), { ...plan, ...details })) };
}

describe('a mirror', () => {
  it('reads new records and rewrites the partitions that change', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(96));
    await update(path, rows);
    const before = await partBytes(path);
    rows.add(record(96), record(97));
    const { plan, result } = await update(path, rows, 3_600_000);
    expect(JSON.parse(plan.query)).toMatchObject({ timestamp: { $gte: start + 94 * 3_600_000 } });
    expect(result).toMatchObject({ rows: 98, folder: { partitions: 10, added: 2, rewritten: 2 } });
    const after = await partBytes(path);
    for (const [file, bytes] of Object.entries(before)) expect(after[file]).toBe(bytes);
    expect((await update(path, rows)).result.folder).toEqual({
      partitions: 10,
      added: 0,
      removed: 0,
      rewritten: 0,
      reread: 0,
      verified: true,
    });
  });

  it.each([
    [
      ['asset_id', 'day'],
      ['timestamp', 'data.rop'],
    ],
    [['month'], ['asset_id', 'data.rop']],
  ] as const)('by %j with the fields %j has the places of its records', async (partition, fields) => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(96));
    const run = { mirror: { overlapMs: day }, partition: [...partition], fields: [...fields] };
    const updateFields = async () =>
      (await runExport(await service(rows), await folder(), await folderPlanFor(path, rows, run))).result;
    expect(await updateFields()).toMatchObject({ rows: 96, folder: { verified: true, reread: 0 } });
    rows.add(record(96), record(97));
    expect(await updateFields()).toMatchObject({ rows: 98, folder: { added: 2, reread: 0, verified: true } });
  });

  it('isn’t made of a folder that has names of wells, which its later records would lack', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(4));
    const named = await folderPlanFor(path, rows, { wellNames: true });
    await runExport(await service(rows), await folder(), named);
    await expect(update(path, rows)).rejects.toThrow('is a mirror of');
    const mirror = { overlapMs: day };
    expect((await folderPlanFor(path, rows, { mirror, wellNames: true })).folder).toMatchObject({
      replaces: false,
    });
  });

  it('never has numbers of a column in two units', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(10));
    const unknown = { details: {}, columns: { version: { unit: 'rpm' } } };
    await update(path, rows, day, { ...unknown, columns: {} });
    rows.add(record(10));
    // A unit that becomes known, and isn't converted, changes no number.
    expect((await update(path, rows, day, unknown)).result.rows).toBe(11);
    const columns = { ...unknown.columns, 'data.rop': { unit: 'm/h' } };
    const converted = { details: {}, columns, unitChanges: { 'data.rop': { from: 'ft/h', to: 'm/h' } } };
    rows.add(record(11));
    await expect(update(path, rows, day, converted)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('The unit of data.rop has changed'),
    });
    expect(Object.values(await recordsIn(path)).flat()).toHaveLength(11);

    const other = join(await folder(), 'metric');
    await update(other, rows, day, converted);
    rows.add(record(12));
    expect((await update(other, rows, day, converted)).result.rows).toBe(13);
    // An update that can't read the units would write others.
    await expect(update(other, rows, day, unknown)).rejects.toThrow('The unit of data.rop has changed');
    // So would one that reads all records.
    const { folder: planned } = await folderPlanFor(other, rows, { mirror: { overlapMs: day } });
    const whole = { ...unknown, folder: planned && { ...planned, cutMs: null } };
    await expect(update(other, rows, day, whole)).rejects.toThrow('The unit of data.rop has changed');
  });

  it('keeps the settings that a person gave the table, and says why one of them stops it', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(10));
    await update(path, rows);
    /** Changes a setting as other programs do, by a commit. */
    async function set(settings: Record<string, string>): Promise<void> {
      const { snapshot } = await tableIn(path);
      const { metaData, version } = snapshot;
      const configuration = { ...metaData.configuration, ...settings };
      writeFileSync(
        join(path, logName, commitName(version + 1)),
        `${JSON.stringify({ metaData: { ...metaData, description: 'Rig 7', configuration } })}\n`,
      );
    }
    await set({ 'delta.deletedFileRetentionDuration': 'interval 30 days' });
    rows.add(record(11).replace('"rop"', '"wob"'));
    await update(path, rows);
    const { metaData } = (await tableIn(path)).snapshot;
    expect(metaData.schemaString).toContain('data.wob');
    expect(metaData).toMatchObject({
      description: 'Rig 7',
      configuration: { 'delta.deletedFileRetentionDuration': 'interval 30 days' },
    });
    await set({ 'delta.appendOnly': 'true' });
    rows.add(record(12));
    await expect(update(path, rows)).rejects.toThrow('delta.appendOnly');
  });

  it('is read, and not changed, while another program uses a feature for which writers have rules', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(10));
    await update(path, rows);
    const { snapshot } = await tableIn(path);
    const { metaData } = snapshot;
    const filesBefore = [...snapshot.files.keys()].map((file) => join(path, file)).toSorted();
    /** What another program makes of the table: a commit whose version has no other file. */
    const commit = (...actions: object[]) =>
      writeFileSync(
        join(path, logName, commitName(snapshot.version + 1)),
        actions.map((action) => `${JSON.stringify(action)}\n`).join(''),
      );
    const withSetting = (name: string, value: string) => ({
      metaData: { ...metaData, configuration: { ...metaData.configuration, [name]: value } },
    });
    const generated = metaData.schemaString.replace(
      /"metadata":\{(?="|(\}))/,
      (text, isEmpty) => `${text}"delta.generationExpression":"1"${isEmpty === undefined ? ',' : ''}`,
    );
    const legacy = ['appendOnly', 'invariants', 'changeDataFeed'];
    const refused: readonly [string, ...object[]][] = [
      [
        'delta.enableChangeDataFeed',
        { protocol: { minReaderVersion: 1, minWriterVersion: 4 } },
        withSetting('delta.enableChangeDataFeed', 'true'),
      ],
      [
        'delta.constraints.positive',
        { protocol: { minReaderVersion: 1, minWriterVersion: 3 } },
        withSetting('delta.constraints.positive', 'asset_id > 0'),
      ],
      [
        'delta.generationExpression of the column',
        { protocol: { minReaderVersion: 1, minWriterVersion: 4 } },
        { metaData: { ...metaData, schemaString: generated } },
      ],
      [
        'rowTracking',
        { protocol: { minReaderVersion: 1, minWriterVersion: 7, writerFeatures: ['rowTracking'] } },
      ],
      ['writer version 8', { protocol: { minReaderVersion: 1, minWriterVersion: 8 } }],
    ];
    rows.add(record(11));
    for (const [feature, ...actions] of refused) {
      commit(...actions);
      await expect(update(path, rows)).rejects.toMatchObject({
        code: 'table_unsupported',
        message: expect.stringContaining(feature),
      });
      expect(await parquetFilesOf(path, async () => [])).toEqual(filesBefore);
    }
    // A feature that is allowed and not used stops nobody.
    commit(
      { protocol: { minReaderVersion: 1, minWriterVersion: 7, writerFeatures: legacy } },
      withSetting('delta.enableChangeDataFeed', 'false'),
    );
    expect((await update(path, rows)).result.rows).toBe(11);
    expect((await tableIn(path)).snapshot.protocol).toMatchObject({ writerFeatures: legacy });
  });

  it('includes late records and drops deleted ones, within the overlap and before it', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(96));
    await update(path, rows);
    rows.add(record(500, { asset: 5001, ms: start + 80 * 3_600_000 + 1 }));
    rows.add(record(501, { asset: 5001, ms: start + 10 * 3_600_000 + 1 }));
    rows.remove(idAt(90));
    const { result } = await update(path, rows);
    expect(result).toMatchObject({ rows: 97, folder: { added: 1, reread: 1, verified: true } });
    const ids = Object.values(await recordsIn(path))
      .flat()
      .map(({ _id }) => _id);
    expect(ids).toContain(idAt(500));
    expect(ids).not.toContain(idAt(90));
    expect(ids).toContain(idAt(501));
  });

  it('has another column for a new field, and for texts among numbers; other files stay as they are', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(60));
    await update(path, rows);
    const before = await partBytes(path);
    rows.add(record(60, { rop: '"none","depth":9007199254740993' }), record(61, { rop: '7.25,"depth":5' }));
    const { result } = await update(path, rows, 0);
    expect(result.folder).toMatchObject({ added: 2, rewritten: 2, verified: true });
    const { columns, snapshot } = await tableIn(path);
    expect(columns.find((column) => column.path === 'data.rop')?.fields).toEqual([
      { name: 'data.rop', type: 'DOUBLE' },
      { name: 'data.rop_string', type: 'STRING' },
    ]);
    expect(snapshot.metaData.schemaString).toContain('"data.depth","type":"long"');
    const after = await partBytes(path);
    for (const at of ['asset_id=5001/day=2026-01-30', 'asset_id=5002/day=2026-01-31'])
      expect(after[at]).toBe(before[at]);
    const found = (await recordsIn(path))['asset_id=5001/day=2026-02-01'] ?? [];
    expect(found.map((each) => each['data.rop'])).toEqual([
      '48.5',
      '50.5',
      '52.5',
      '54.5',
      '56.5',
      '58.5',
      'none',
    ]);
    // A field of two types has the same columns when it is written at once.
    const fresh = join(await folder(), 'fresh');
    await update(fresh, rows);
    expect(await recordsById(path)).toEqual(await recordsById(fresh));
    expect((await tableIn(fresh)).columns).toEqual(columns);
  });

  it('says how many texts became numbers, of which fields, also of partitions that it reads again', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows([
      ...records(60),
      record(60, { rop: '"60.5","state":"7","wob":1' }),
      record(61, { rop: '"none","state":"on","wob":"2"' }),
    ]);
    // Texts alone stay texts.
    expect((await update(path, rows, 0)).result.warnings).toEqual([
      'Texts that are written like numbers became numbers: 1 of data.rop, 1 of data.wob.',
      'Values of another type are in separate columns: 1 text such as "none" of data.rop in data.rop_string.',
    ]);
    const found = (await recordsIn(path))['asset_id=5001/day=2026-02-01'] ?? [];
    expect(found.at(-1)).toMatchObject({ 'data.rop': '60.5', 'data.state': '7' });
    rows.add(
      record(62, { rop: '"6e1","wob":"12345678901234567890"' }),
      record(63, { asset: 5003, ms: start, rop: '"05"' }),
      record(64, { asset: 5003, ms: start + 1, rop: '"-4"' }),
    );
    const { result } = await update(path, rows, 0);
    expect(result.folder).toMatchObject({ reread: 1, verified: true });
    // The last record of the update before is read again.
    expect(result.warnings).toEqual([
      'Texts that are written like numbers became numbers: 2 of data.rop, 1 of data.wob.',
      'Values of another type are in separate columns: 1 text such as "none" of data.rop in data.rop_string, 1 text such as "12345678901234567890" of data.wob in data.wob_string.',
      'Values of another type are in separate columns: 1 text such as "05" of data.rop in data.rop_string.',
    ]);
    expect((await update(path, rows, 0)).result.warnings).toEqual([
      'Texts that are written like numbers became numbers: 1 of data.rop.',
      'Values of another type are in separate columns: 1 text such as "12345678901234567890" of data.wob in data.wob_string.',
    ]);
  });

  it('is rejected with another query, or for a plain export', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(4));
    await update(path, rows);
    const other = folderPlanFor(path, rows, { mirror: { overlapMs: 0 }, query: { asset_id: 5001 } });
    await expect(other).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(folderPlanFor(path, rows)).rejects.toMatchObject({ code: 'file_exists' });
  });

  it('rejects a run that was planned before another one', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(4));
    const early = await folderPlanFor(path, rows, { mirror: { overlapMs: 0 } });
    await update(path, rows);
    await expect(runExport(await service(rows), await folder(), early)).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('is refused in words if another run commits between its reading and its commit', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(4));
    await update(path, rows);
    const before = await tableIn(path);
    rows.add(record(4));
    const plan = await folderPlanFor(path, rows, { mirror: { overlapMs: 0 } });
    // Another computer, whose lock this one doesn't see, on a network drive.
    rows.behavior.before = () => {
      const log = join(path, '_delta_log', `${String(before.generation).padStart(20, '0')}.json`);
      if (!existsSync(log)) writeFileSync(log, '{"commitInfo":{"timestamp":1}}\n');
    };
    await expect(runExport(await service(rows), await folder(), plan)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('Another run updated'),
    });
    // It leaves no files, and the next update works.
    expect(filesIn(path).filter((file) => file.endsWith('.parquet'))).toHaveLength(before.parts.length);
    delete rows.behavior.before;
    expect((await update(path, rows)).result.folder).toMatchObject({ added: 1, verified: true });
  });

  it('isn’t changed by files of a killed run or of other programs, and the next update works', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(4));
    mkdirSync(join(path, 'asset_id=5001/day=2026-01-30'), { recursive: true });
    mkdirSync(join(path, '_delta_log'));
    writeFileSync(
      join(path, 'asset_id=5001/day=2026-01-30/part-00000000000000000000000000000005.parquet'),
      'half',
    );
    await update(path, rows);
    const log = join(path, '_delta_log');
    writeFileSync(join(log, '00000000000000000002.json.partial'), '{"add":');
    const table = await tableIn(path);
    // A program that compacts files: ours are gone from the table, and its own are in it.
    const [part] = table.parts;
    const removed = { path: part?.path, deletionTimestamp: 1, dataChange: false };
    const add = {
      ...table.snapshot.files.get(part?.path ?? ''),
      path: 'asset_id=5001/x.parquet',
      tags: undefined,
    };
    const commit = [{ remove: removed }, { add }].map((action) => JSON.stringify(action)).join('\n');
    writeFileSync(join(log, `${String(table.generation).padStart(20, '0')}.json`), commit);
    const { result } = await update(path, rows);
    expect(result).toMatchObject({ rows: 4, folder: { verified: true } });
    const after = await tableIn(path);
    expect([...after.snapshot.files.keys()].toSorted()).toEqual(
      after.parts.map((each) => each.path).toSorted(),
    );
  });

  it('has a checkpoint after ten changes, without files that nobody needs', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(4));
    const lost = join(path, 'asset_id=5001/day=2026-01-30/part-00000000000000000000000000000005.parquet');
    for (let n = 4; n < 10; n += 1) {
      rows.add(record(n));
      await update(path, rows);
      if (n > 4) continue;
      writeFileSync(lost, 'half');
      utimesSync(lost, 0, 0);
    }
    expect(existsSync(lost)).toBe(false);
    expect(filesIn(join(path, '_delta_log')).filter((file) => file.includes('checkpoint')).length).toBe(2);
    expect(await tableIn(path)).toMatchObject({ snapshot: { checkpoint: 11 } });
    rows.add(record(10));
    expect((await update(path, rows)).result).toMatchObject({
      rows: 11,
      folder: { added: 1, verified: true },
    });
  });

  it('isn’t updated in a table of another program', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(4));
    await update(path, rows);
    const log = join(path, '_delta_log/00000000000000000000.json');
    writeFileSync(log, readFileSync(log, 'utf8').replaceAll('wellbench.table', 'other'));
    await expect(folderPlanFor(path, rows, { mirror: { overlapMs: 0 } })).rejects.toMatchObject({
      code: 'file_exists',
    });
  });

  it('isn’t read with files outside of its folder', async () => {
    const path = join(await folder(), 'wits');
    const rows = new Rows(records(4));
    await update(path, rows);
    const log = join(path, '_delta_log/00000000000000000001.json');
    for (const file of [
      '../secret.parquet',
      'file:///secret.parquet',
      '/secret.parquet',
      'a/%2E%2E/b.parquet',
    ]) {
      const add = { path: file, partitionValues: {}, size: 1, modificationTime: 1, dataChange: true };
      writeFileSync(log, JSON.stringify({ add }));
      await expect(folderPlanFor(path, rows, { mirror: { overlapMs: 0 } })).rejects.toMatchObject({
        code: 'file_unreadable',
      });
    }
  });

  it.each(['a NUL in the name of a file', 'a schema of 200,000 brackets'])(
    'is reported as damaged with %s, and stays as it is',
    async (damage) => {
      const path = join(await folder(), 'wits');
      const rows = new Rows(records(4));
      await update(path, rows);
      const [first, second] = [0, 1].map((n) => join(path, `_delta_log/${String(n).padStart(20, '0')}.json`));
      if (damage.startsWith('a schema'))
        writeFileSync(
          String(first),
          readFileSync(String(first), 'utf8').replace(
            /"schemaString":"(?:[^"\\]|\\.)*"/,
            `"schemaString":"${'['.repeat(200_000)}"`,
          ),
        );
      else {
        const file = { partitionValues: {}, size: 1, modificationTime: 1, dataChange: true };
        writeFileSync(String(second), JSON.stringify({ add: { path: 'a%00b.parquet', ...file } }));
      }
      rows.add(record(4));
      const before = filesIn(path).filter((file) => file.endsWith('.parquet'));
      await expect(update(path, rows)).rejects.toMatchObject({
        code: 'file_unreadable',
        message: expect.stringContaining('is damaged'),
      });
      expect(filesIn(path).filter((file) => file.endsWith('.parquet'))).toEqual(before);
    },
  );
});
