import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parquetFilesOf } from '../../../../../src/main/core/duckdb/sql-engine.ts';
import { manifestName } from '../../../../../src/main/core/write/folder/manifest.ts';
import { partBytes, readCheckpoint, recordsById, tableIn } from '../../../features/export/support/folders.ts';
import { hour, record, start, useMirrors } from '../../../features/export/support/mirrors.ts';
import { idAt, Rows } from '../../../features/export/support/rows.ts';

const { folder, updated, expectFresh } = useMirrors();

/** A mirror as an earlier version left it. @param change changes the text of its manifest */
async function restored(name: 'plain' | 'odd', change = (text: string) => text): Promise<string> {
  const path = join(await folder(), name);
  const lines = readFileSync(join(import.meta.dirname, 'earlier-mirrors', `${name}.ndjson`), 'utf8').trim();
  for (const line of lines.split('\n')) {
    const { path: file, base64 } = JSON.parse(line) as { path: string; base64: string };
    const bytes = Buffer.from(base64, 'base64');
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), file === manifestName ? change(bytes.toString('utf8')) : bytes);
  }
  return path;
}

/** The files of data in a folder, also those that are of no table. */
const dataFiles = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.parquet') && !file.startsWith('_'))
    .toSorted();

const recordAt = (n: number, asset: number, ms: number, data: object): string =>
  JSON.stringify({ _id: idAt(n), asset_id: asset, timestamp: ms, version: 1, data });

/** The records of the mirror `plain`. */
const plainRows = () =>
  new Rows([
    ...Array.from({ length: 8 }, (_, n) =>
      recordAt(n, 5001 + (n % 2), start + 22 * hour + (n * hour) / 2, {
        rop: n + 0.5,
        state: n % 3 ? 'on' : 'off',
        none: null,
      }),
    ),
    recordAt(8, 5001, start + 27 * hour, { rop: 9, state: 'on', none: null }),
  ]);

/** The records of the mirror `odd`, whose columns have names and types that a table can't have. */
const oddRows = () =>
  new Rows([
    ...Array.from({ length: 6 }, (_, n) =>
      recordAt(n, 5001 + (n % 2), start + n * hour, {
        'bit depth (ft)': n,
        rop: n === 3 ? 'none' : n,
        ROP: n * 2,
      }),
    ),
    record(90, 5001, ''),
  ]);

describe.each([
  ['plain', plainRows, {}],
  ['odd', oddRows, { partition: ['asset_id'] as ['asset_id'] }],
] as const)('the mirror “%s” of an earlier version', (name, rowsOf, run) => {
  it('becomes a table with its next update, without reading its records again', async () => {
    const path = await restored(name);
    const rows = rowsOf();
    rows.add(recordAt(900, 5002, start + 29 * hour, { rop: 1 }));
    const { result, plan } = await updated(path, rows, {}, run);
    expect(plan.folder?.cutMs).not.toBeNull();
    expect(result).toMatchObject({
      rows: rows.records.length,
      folder: { added: 1, removed: 0, reread: 0, verified: true },
    });
    expect(readdirSync(path)).not.toContain(manifestName);
    await expectFresh(path, rows, run);
    expect((await updated(path, rows, {}, run)).result.folder).toMatchObject({
      rewritten: 0,
      verified: true,
    });
  });

  it('is converted by an update that finds nothing new, and by the next one after it was stopped in between', async () => {
    const path = await restored(name);
    await updated(path, rowsOf(), {}, run);
    const before = await recordsById(path);
    // Right after the commit of the conversion, the earlier files are still there.
    for (const file of readdirSync(await restored(name))) {
      if (file.startsWith('_'))
        writeFileSync(join(path, file), readFileSync(join(await restored(name), file)));
    }
    expect((await updated(path, rowsOf(), {}, run)).result.folder).toMatchObject({ added: 0, removed: 0 });
    expect(readdirSync(path)).not.toContain(manifestName);
    expect(await recordsById(path)).toEqual(before);
  });
});

describe('a mirror of an earlier version', () => {
  it.each([
    ['plain', plainRows, {}],
    ['odd', oddRows, { partition: ['asset_id'] as ['asset_id'] }],
  ] as const)('“%s” gets the records of a file that is missing', async (name, rowsOf, run) => {
    const path = await restored(name);
    const [lost = ''] = dataFiles(path);
    rmSync(join(path, lost));
    const rows = rowsOf();
    const refused = { refused: { pipeline: 422, count: 403 } };
    const { result } = await updated(path, rows, refused, run);
    expect(result).toMatchObject({ rows: rows.records.length, folder: { reread: 1 } });
    expect(result.warnings.join(' ')).toContain('1 file of the folder was missing');
    await expectFresh(path, rows, run);
  });

  it('has its records once in SQL, and no other files, after its conversion was stopped or has failed', async () => {
    const path = await restored('odd');
    const files = dataFiles(path);
    const run = { partition: ['asset_id'] as ['asset_id'] };
    // The second file can't be read: its size is right, and its content isn't.
    const last = files.at(-1) ?? '';
    const bytes = readFileSync(join(path, last));
    writeFileSync(join(path, last), Buffer.alloc(bytes.length));
    await expect(updated(path, oddRows(), {}, run)).rejects.toMatchObject({ code: 'file_unreadable' });
    expect(dataFiles(path)).toEqual(files);
    writeFileSync(join(path, last), bytes);
    // What a kill leaves.
    const made = join(path, dirname(last), 'part-0123456789abcdef0123456789abcdef.parquet');
    writeFileSync(made, bytes);
    expect(await parquetFilesOf(path, readCheckpoint)).toEqual(files.map((file) => join(path, file)));
    await updated(path, oddRows(), {}, run);
    expect(await parquetFilesOf(path, readCheckpoint)).not.toContain(made);
  });

  it('keeps its files as they are, if a table can have their columns', async () => {
    const path = await restored('plain', (text) => {
      const manifest = JSON.parse(text) as { columns: { path: string; kinds: number }[] };
      // As if the column without values had some; it has the type of texts.
      return JSON.stringify({
        ...manifest,
        columns: manifest.columns.map((column) => ({ ...column, kinds: column.kinds || 8 })),
      });
    });
    await updated(path, plainRows());
    const { parts, snapshot } = await tableIn(path);
    expect(parts.map((part) => part.path)).toContain('asset_id=5002/day=2026-01-30/part-0.parquet');
    expect(
      JSON.parse(snapshot.files.get('asset_id=5002/day=2026-01-30/part-0.parquet')?.stats ?? ''),
    ).toMatchObject({ numRecords: 2, minValues: { 'data.rop': 1.5 } });
    expect(Object.keys(await partBytes(path))).toHaveLength(4);
  });

  it('whose watermark is in the future, and which has no ids, heals', async () => {
    const future = Date.UTC(2099, 0, 1);
    const path = await restored('plain', (text) => {
      const { verified: _, ...manifest } = JSON.parse(text) as { parts: object[]; verified: boolean };
      const parts = manifest.parts.map((part, at) => ({
        ...part,
        id: null,
        ...(at === 0 && { last: future }),
      }));
      return JSON.stringify({ ...manifest, wellbenchFolder: 1, watermark: future, parts });
    });
    const rows = plainRows();
    const { plan, result } = await updated(path, rows);
    // The time in the future doesn't influence which records are new.
    expect(plan.folder?.cutMs).toBe(start + 25 * hour);
    expect(result).toMatchObject({ rows: 9, folder: { verified: true } });
    await expectFresh(path, rows);
    expect((await tableIn(path)).parts.every(({ id }) => id !== null)).toBe(true);
  });
});
