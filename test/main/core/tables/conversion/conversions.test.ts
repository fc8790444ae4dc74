import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it, vi } from 'vitest';
import { startProcess, type ProcessPort } from '../../../../../src/main/world/threads.ts';
import { createConversions } from '../../../../../src/main/core/tables/tables.ts';
import {
  createConversionService,
  type ConversionCalls,
  type ConversionChoice,
} from '../../../../../src/main/core/tables/conversion/convert-file.ts';
import { appErrorFrom } from '../../../../../src/main/core/files/file-errors.ts';
import { openThread, serve } from '../../../../../src/shared/threads.ts';
import { portPair } from '../../../../support/port-pair.ts';
import { detectFile } from '../../../../../src/main/core/tables/conversion/detect.ts';
import { sheetRow, workbook } from '../../../features/upload/support/workbooks.ts';
import { fileWith, temporaryFolder } from '../../../features/upload/support/files.ts';

const las = (value: string): string => `~Version
 VERS. 2.0 : x
~Well
 NULL. -999.25 : x
 WELL. Badger 1H : x
~Curve
 DEPT.M : depth
 GR.API : gamma
~A
1.0 ${value}
2.0 -999.250
`;

async function setUp(content: string | Uint8Array, name = 'a.las') {
  const folder = await temporaryFolder();
  const path = await fileWith(content, name);
  const conversions = createConversions({ folder });
  const get = async (more = conversions, signal?: AbortSignal, choice: ConversionChoice = {}) => {
    const detected = await detectFile({ path, fileName: name });
    return more.get({ path, fileName: name, detected, choice }, signal);
  };
  return { folder, path, get };
}

describe('a conversion', () => {
  it('writes the table as CSV, with row locations, units, null values, and the header', async () => {
    const { get } = await setUp(las('45.50'));
    const { table, places, converted } = await get();
    expect(await readFile(table, 'utf8')).toBe('DEPT,GR\n1.0,45.50\n2.0,\n');
    const map = await readFile(places ?? '');
    expect([4, 8].map((at) => map.readUInt32LE(at))).toEqual([10, 11]);
    expect(converted.layout?.columns).toMatchObject([
      { name: 'DEPT', unit: 'M' },
      { name: 'GR', unit: 'API' },
    ]);
    expect(converted.facts).toMatchObject({
      format: 'las',
      tables: [{ rows: 2, columns: 2 }],
      index: { name: 'DEPT', unit: 'M', kind: 'depth' },
      places: { kind: 'line', table: null },
    });
    expect(converted.facts.header).toContainEqual(
      expect.objectContaining({ name: 'WELL', value: 'Badger 1H' }),
    );
  });

  const book = (rows: string): Uint8Array => workbook({ sheets: { One: rows, Two: rows } });
  const rows =
    sheetRow(1, ['Depth', 'GR']) + sheetRow(2, [1, 45.5]) + sheetRow(3, [2, 46.5]) + sheetRow(4, [3, 47.5]);

  it('of a packed workbook is that of the workbook', async () => {
    const plain = await (await setUp(book(rows), 'a.xlsx')).get();
    const wanted = await readFile(plain.table, 'utf8');
    expect(wanted).toBe('Depth,GR\n1,45.5\n2,46.5\n3,47.5\n');
    for (const [name, packed] of [
      ['a.xlsx.gz', gzipSync(book(rows))],
      ['a.zip', zipSync({ 'folder/a.xlsx': book(rows) })],
    ] as const) {
      const { table, converted } = await (await setUp(packed, name)).get();
      expect(await readFile(table, 'utf8')).toBe(wanted);
      expect(converted.facts).toMatchObject({ format: 'xlsx', tables: [{ name: 'One' }, { name: 'Two' }] });
    }
  });

  it('of each of several sections with the same name is reached by a name of its own', async () => {
    const section = (set: string, value: number): string =>
      `~Parameter\n${set}~Curve\n DEPT.M :\n GR.API :\n~Ascii\n1 ${value}\n2 ${value}\n`;
    const head = '~Version\n VERS. 3.0 :\n WRAP. NO :\n~Well\n NULL. -999 :\n';
    const sections = ['', ' SET. Survey :\n', ' SET. Core :\n', '', ' SET. Core :\n'].map(section);
    const content = head + sections.join('');
    const { get } = await setUp(content);
    const names = ['Ascii', 'Ascii: Survey', 'Ascii: Core', 'Ascii (2)', 'Ascii: Core (2)'];
    expect((await get()).converted.facts.tables.map(({ name }) => name)).toEqual(names);
    for (const [at, table] of names.entries()) {
      const conversion = await (await setUp(content)).get(undefined, undefined, { table });
      expect(conversion.converted.facts).toMatchObject({ table, tableNumber: at + 1 });
      expect(await readFile(conversion.table, 'utf8')).toBe(`DEPT,GR\n1,${at}\n2,${at}\n`);
    }
  });

  it('rejects packed workbooks that are bombs, lie about sizes, or are no workbooks', async () => {
    const bomb = workbook({ sheets: { One: `${rows}${' '.repeat(70 << 20)}`, Two: rows } });
    const lying = Buffer.from(book(rows));
    for (let at = lying.indexOf('PK\u0001\u0002'); at >= 0; at = lying.indexOf('PK\u0001\u0002', at + 4))
      lying.writeUInt32LE(0x7fffffff, at + 20);
    const document = zipSync({
      '[Content_Types].xml': strToU8('<Types/>'),
      'word/document.xml': strToU8('<x/>'),
    });
    for (const [content, reason] of [
      [gzipSync(bomb), /unpacks to more than 200 times its size/],
      [gzipSync(Buffer.concat([book(rows), Buffer.alloc(70 << 20)])), /decompression bomb/],
      [gzipSync(lying), /damaged/],
      [gzipSync(document), /without a workbook/],
    ] as const) {
      const { get, folder } = await setUp(content, 'a.xlsx.gz');
      await expect(get()).rejects.toThrow(reason);
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it('runs once per file, even across processes, and again when the file changes', async () => {
    const { folder, path, get } = await setUp(las('45.50'));
    const [one, two] = await Promise.all([get(), get()]);
    expect(two.table).toBe(one.table);
    const made = (await stat(one.table)).mtimeMs;
    const other = await get(createConversions({ folder }));
    expect([other.table, (await stat(other.table)).mtimeMs]).toEqual([one.table, made]);
    await writeFile(path, las('46.50'));
    expect((await get()).table).not.toBe(one.table);
  });

  /** Conversions that change a file after each digest, and set its time back: another program that writes it. */
  async function changedMeanwhile(times: number) {
    const { folder, path, get } = await setUp(las('45.50'));
    const { atime, mtime } = await stat(path);
    const write = async (value: string) => {
      await writeFile(path, las(value));
      await utimes(path, atime, mtime);
    };
    let converts = 0;
    const conversions = createConversions({
      folder,
      openThread() {
        const [near, far] = portPair();
        const { hash, convert } = createConversionService();
        const service = {
          hash,
          async convert(...args: Parameters<typeof convert>) {
            converts += 1;
            if (converts <= times) await write('99.99');
            const converted = await convert(...args);
            if (converts <= times) await write('45.50');
            return converted;
          },
        };
        serve(far, service, appErrorFrom);
        return openThread<ConversionCalls>(() => near);
      },
    });
    return { folder, get: () => get(conversions), getAfterwards: get, converts: () => converts };
  }

  it('of a file that changed while it was converted is repeated, so that no content gets the table of another', async () => {
    const { get, getAfterwards, converts } = await changedMeanwhile(1);
    const text = 'DEPT,GR\n1.0,45.50\n2.0,\n';
    expect(await readFile((await get()).table, 'utf8')).toBe(text);
    expect(converts()).toBe(2);
    expect(await readFile((await getAfterwards()).table, 'utf8')).toBe(text);
  });

  it('of a file that changes all the time is refused, and leaves nothing', async () => {
    const { folder, get, converts } = await changedMeanwhile(99);
    await expect(get()).rejects.toMatchObject({ code: 'file_changed' });
    expect(converts()).toBe(3);
    expect(await readdir(folder)).toEqual([]);
  });

  it('cut off by a crash is never used, and is deleted with the next one', async () => {
    const { folder, get } = await setUp(las('45.50'));
    const { table } = await get();
    const key = join(table, '..');
    const left = `${key}.99999999-1.partial`;
    await mkdir(left);
    await writeFile(join(left, 'table.csv'), 'half');
    // The table is incomplete, as after a power failure.
    await writeFile(table, 'DEPT,GR\n1.0');
    const again = await get(createConversions({ folder }));
    expect(await readFile(again.table, 'utf8')).toBe('DEPT,GR\n1.0,45.50\n2.0,\n');
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it.each([
    ['', -25],
    [', or used while the clock was a day ahead,', 25],
  ])('unused for a day%s is deleted', async (_when, hours) => {
    const { folder, path, get } = await setUp(las('45.50'));
    const { table } = await get();
    const old = new Date(Date.now() + hours * 3_600_000);
    await utimes(join(table, '..', 'facts.json'), old, old);
    await writeFile(path, las('47'));
    await get();
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('stops when no caller waits for it', async () => {
    const { folder, get } = await setUp(las('1\n'.repeat(10)));
    await expect(get(undefined, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('of a compressed text file is the text', async () => {
    const { get } = await setUp(gzipSync('a,b\n1,2\n'), 'a.csv.gz');
    const { table, places, converted } = await get();
    expect(await readFile(table, 'utf8')).toBe('a,b\n1,2\n');
    expect([places, converted.layout, converted.facts.compression]).toEqual([null, null, 'gzip']);
  });

  describe('of a Parquet file', () => {
    const parquet = (rows: number): Uint8Array =>
      new Uint8Array(
        parquetWriteBuffer({
          columnData: [{ name: 'a', data: Array.from({ length: rows }, (_, at) => at), type: 'INT32' }],
        }),
      );

    async function setUpProcess(content: Uint8Array) {
      const folder = await temporaryFolder();
      const path = await fileWith(content, 'a.parquet');
      const ports: ProcessPort[] = [];
      const ended: number[] = [];
      const conversions = createConversions({
        folder,
        start(name, env) {
          expect(name).toBe('parquet');
          expect(Object.keys(env)).not.toContain('PATH');
          const port = startProcess(name, env);
          port.onEnd(() => ended.push(1));
          ports.push(port);
          return port;
        },
      });
      const wanted = {
        path,
        fileName: 'a.parquet',
        detected: await detectFile({ path, fileName: 'a.parquet' }),
        choice: {},
      };
      return { folder, ports, ended, get: (signal?: AbortSignal) => conversions.get(wanted, signal) };
    }

    it('runs in a process, which ends with it', async () => {
      const { get, ports, ended } = await setUpProcess(parquet(3));
      const { table, places } = await get();
      expect(await readFile(table, 'utf8')).toBe('a\n0\n1\n2\n');
      const map = await readFile(places ?? '');
      expect([4, 8, 12].map((at) => map.readUInt32LE(at))).toEqual([1, 2, 3]);
      expect(ports).toHaveLength(1);
      await vi.waitFor(() => expect(ended).toHaveLength(1));
    });

    it('whose process crashes is that of a damaged file, and leaves nothing', async () => {
      const { get, ports, folder } = await setUpProcess(parquet(2_000_000));
      const failed = expect(get()).rejects.toThrow(
        /it is damaged, or reading it takes more than 1024 MB of memory/,
      );
      await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(1), { timeout: 20_000 });
      ports[0]?.close();
      await failed;
      expect(await readdir(folder)).toEqual([]);
    });

    it('that is canceled ends its process, and no other one', async () => {
      const one = await setUpProcess(parquet(2_000_000));
      const two = await setUpProcess(parquet(5));
      const controller = new AbortController();
      const canceled = expect(one.get(controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
      await vi.waitFor(async () => expect(await readdir(one.folder)).toHaveLength(1), { timeout: 20_000 });
      const other = two.get();
      controller.abort();
      await canceled;
      await vi.waitFor(() => expect(one.ended).toHaveLength(1));
      expect(await readFile((await other).table, 'utf8')).toBe('a\n0\n1\n2\n3\n4\n');
      await vi.waitFor(async () => expect(await readdir(one.folder)).toEqual([]));
    });
  });
});
