import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import {
  selectTable,
  TableWriter,
  unpack,
} from '../../../../../src/main/core/tables/conversion/convert-file.ts';
import type { Layout } from '../../../../../src/main/core/tables/reading/layout.ts';
import { RowReader } from '../../../../../src/main/core/tables/reading/rows.ts';
import { openSource } from '../../../../../src/main/core/tables/reading/source.ts';
import type { SourceTable } from '../../../../../src/main/core/tables/sources/source.ts';
import type { Compression } from '../../../../../src/shared/upload/formats.ts';
import { temporaryFolder, fileWith } from '../../../features/upload/support/files.ts';

const table = (name: string, rows = 1, isHidden = false): SourceTable => ({
  name,
  rows,
  isHidden,
  columns: [{ name: 'a', unit: null, type: null }],
  index: null,
  nulls: [],
});

describe('the selected table', () => {
  it('is the first visible one with rows', () => {
    expect(selectTable([table('a', 1, true), table('b', 0), table('c')], 'xlsx', undefined)).toBe(2);
  });

  it('is the log section of a LAS file', () => {
    expect(selectTable([table('Drilling'), table('Ascii')], 'las', undefined)).toBe(1);
  });

  it.each([
    ['2', 2],
    ['Drilling', 0],
    ['drilling ', 0],
    ['1', 0],
  ])('is the one that %j refers to: a name takes precedence over a number', (wanted, index) => {
    expect(selectTable([table('Drilling'), table('Log'), table('2')], 'xlsx', wanted)).toBe(index);
  });

  it('can’t have an unknown name; the error lists the tables of the file', () => {
    expect(() => selectTable([table('Drilling'), table('Log')], 'xlsx', 'Sheet9')).toThrow(
      'no table “Sheet9”. Select one of these: 1 “Drilling”, 2 “Log”',
    );
    const tables = Array.from({ length: 30 }, (_, n) => `Day ${n + 1}`);
    let failure: unknown;
    try {
      selectTable(
        tables.map((name) => table(name)),
        'xlsx',
        'Sheet9',
      );
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({
      message: expect.stringMatching(/20 “Day 20” and 10 more\.$/) as string,
      details: { issues: [{ place: { field: 'table' }, lists: { tables } }] },
    });
  });
});

const layout: Layout = {
  jsonLines: false,
  delimiter: ',',
  crEnds: false,
  comments: false,
  encoding: { name: 'UTF-8', bom: 0 },
  headerLine: 1,
  unitLine: null,
  header: null,
  columns: ['a', 'b', 'c'].map((name) => ({ name, key: name, unit: null })),
  dataStart: 0,
  dataLine: 1,
};

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', '#', ' ', 'x', '7', 'ø') }),
  fc.constant(null),
);

describe('a spooled table', () => {
  it('reads back unchanged, with row locations', async () => {
    const folder = await temporaryFolder();
    let run = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 20 }), (rows) => {
        run += 1;
        const paths = { table: join(folder, `${run}.csv`), places: join(folder, `${run}.bin`) };
        const spool = new TableWriter(paths, 'file');
        rows.forEach((cells, index) => spool.add(cells, index * 10 + 5));
        spool.close();
        const source = openSource(paths.table, 'file', paths.places);
        const reader = new RowReader(source, layout, { byte: 0, line: 1 });
        const found = rows.map(() => reader.next());
        expect(found.map((row) => row?.texts())).toEqual(rows.map((cells) => cells.map((one) => one ?? '')));
        expect(found.map((row) => row?.record.line)).toEqual(rows.map((_, index) => index * 10 + 5));
        expect(reader.next()).toBeNull();
        source.close();
      }),
    );
  });
});

const text = Array.from({ length: 20_000 }, (_, n) => `${n},${n * 7}\n`).join('');
const context = { signal: new AbortController().signal, onRead: () => undefined };

async function unpacked(content: Uint8Array, how: Compression) {
  const path = await fileWith(content, 'file');
  const to = join(await temporaryFolder(), 'out');
  const bytes = await unpack({ path, fileName: 'file' }, how, to, context);
  return { bytes, text: await readFile(to, 'utf8') };
}

describe('unpacking', () => {
  it.each([
    ['gzip', gzipSync(text)],
    ['zip', zipSync({ 'a.csv': strToU8(text) })],
    ['zip', zipSync({ 'a.csv': strToU8(text) }, { level: 0 })],
  ] as const)('%s restores the file', async (how, content) => {
    expect(await unpacked(content, how)).toEqual({ bytes: text.length, text });
  });

  it('rejects a zip archive whose only file is empty, and says so', async () => {
    const archive = zipSync({ 'a.csv': new Uint8Array() }, { level: 0 });
    await expect(unpacked(archive, 'zip')).rejects.toThrow(/it is empty/);
  });

  it('rejects truncated data', async () => {
    await expect(unpacked(gzipSync(text).subarray(0, -500), 'gzip')).rejects.toThrow(/cut short/);
  });

  it('rejects a zip archive whose content differs from its checksum', async () => {
    const bytes = Buffer.from(zipSync({ 'a.csv': strToU8(text) }, { level: 0 }));
    bytes[1000] = (bytes[1000] ?? 0) ^ 1;
    await expect(unpacked(bytes, 'zip')).rejects.toThrow(/damaged/);
  });

  it('rejects a decompression bomb before it fills the disk', async () => {
    const bomb = gzipSync(Buffer.alloc(70 << 20));
    await expect(unpacked(bomb, 'gzip')).rejects.toThrow(/more than 250 times larger/);
  });
});
