import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import iconv from 'iconv-lite';
import Papa from 'papaparse';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { fileWith, scanPath, temporaryFolder } from '../../features/upload/support/files.ts';
import { createSink } from '../../features/upload/support/sink.ts';
import { planOf, runJob } from '../../features/upload/support/uploads.ts';

const servers = useServers();
const services = useServices();

/** Uploads a file of a reference dataset and returns its rejects file. */
async function rejectsOf(
  content: Uint8Array | string,
  mapping: unknown = { columns: { n: { to: 'data.n', type: 'number' } }, rest: 'data' },
  reading: object = {},
) {
  const { url } = await servers.raw(createSink({ type: 'reference' }).server);
  const open = services(url);
  const plan = await planOf(await fileWith(content), open, { mapping, reading });
  const { result, made } = await runJob({
    plan,
    services: open,
    folder: await temporaryFolder(),
    engine: { batch: { rows: 2, bytes: 1 << 20 } },
  });
  return { result, path: made[0] ?? '', bytes: await readFile(made[0] ?? '') };
}

describe('the rejects file', () => {
  it.each([
    ['UTF-8', '', '\r\n', ';'],
    ['UTF-8', '\uFEFF', '\n', ','],
    ['UTF-16LE', '\uFEFF', '\r\n', '\t'],
    ['UTF-16BE', '\uFEFF', '\n', ','],
    ['Windows-1252', '', '\r', '|'],
  ])(
    'keeps the bytes of header and rows, in %s with byte order mark %j, line ending %j, and delimiter %j',
    async (encoding, mark, newline, delimiter) => {
      const line = (...cells: string[]): string => cells.join(delimiter);
      const bad = `"two\nlines é"${delimiter} zwölf ${delimiter}"x ""y"""`;
      const text =
        mark +
        [line('Größe', 'n', 'c'), line('a', '1', 'x'), line('b', '2', 'x'), bad, line('c', '3', 'x')].join(
          newline,
        );
      const { bytes, result } = await rejectsOf(iconv.encode(text, encoding, { addBOM: false }));
      expect(result?.ledger).toMatchObject({ rows: 4, accepted: 3, rejected: 1 });
      const expected =
        mark +
        [
          line('Größe', 'n', 'c', 'rejected_line', 'rejected_code', 'rejected_message'),
          `${bad}${delimiter}${line('4', '"not_a_number"', '"“ zwölf ” is not a number."')}`,
          '',
        ].join(newline);
      expect(bytes).toEqual(iconv.encode(expected, encoding, { addBOM: false }));
    },
  );

  it('has no header when the file has none', async () => {
    const { bytes } = await rejectsOf('A,1\nB,2\nC,x\nD,4\nE,5\nF,6\n', {
      columns: { column_2: { to: 'data.n', type: 'number' } },
    });
    expect(bytes.toString()).toBe('C,x,3,"not_a_number","“x” is not a number."\n');
  });

  it('can be uploaded again once it is corrected, without the added columns', async () => {
    const { path } = await rejectsOf('n,m\n1,a\nx,b\n');
    const repaired = (await readFile(path, 'utf8')).replace('x,b', '7,b');
    const sink = createSink({ type: 'reference' });
    const { url } = await servers.raw(sink.server);
    const open = services(url);
    const plan = await planOf(await fileWith(repaired), open);
    const { result } = await runJob({ plan, services: open, folder: await temporaryFolder() });
    expect(result?.ledger).toMatchObject({ accepted: 1, rejected: 0 });
    expect(sink.stored).toEqual([{ version: 1, data: { n: 7, m: 'b' } }]);
  });

  it('has the added cells in their columns behind rows that omit blank cells at their ends', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => `${n},a`);
    const mapping = { columns: { n: { to: 'data.n', type: 'number' } }, rest: 'data' };
    const text = `n,m,k,l\n1,a,b,c\n${rows.join('\n')}\nx,a\n`;
    const { bytes } = await rejectsOf(text, mapping, { shortRows: 'fill' });
    const [header = '', row = ''] = bytes.toString().trimEnd().split('\n');
    expect(row).toBe('x,a,,,23,"not_a_number","“x” is not a number."');
    expect(row.split(',')).toHaveLength(header.split(',').length);
  });

  it('keeps rows with broken quotes line by line', async () => {
    const { path, bytes } = await rejectsOf('n,m\n1,a\n2,"never closed\n3,c\n');
    expect(bytes.toString().split('\n')[1]).toMatch(/^2,"never closed,3,"unclosed_quote"/);
    expect(scanPath(path).rows).toBe(1);
  });
});

describe('damaged rows', () => {
  /** Damaged rows, each with its code and its cells as they are in the file. */
  const damaged: [code: string, text: string, cells: string[]][] = [
    ['unclosed_quote', '2,"never closed,x', ['2', '"never closed', 'x']],
    ['bad_quotes', '3,"a "b" c,x', ['3', '"a "b" c', 'x']],
    ['too_many_cells', '4,b,c,d,"e, f",g', ['4', 'b', 'c', 'd', 'e, f', 'g']],
    ['too_few_cells', '5,b', ['5', 'b']],
    ['nul_bytes', '6,b\0,c', ['6', 'b\0', 'c']],
    ['bad_quotes', '7,"a "b" c,x,y,z,,', ['7', '"a "b" c', 'x', 'y', 'z']],
    ['bad_quotes', '8,"a "b"c,,,', ['8', '"a "b"c', '']],
  ];
  // More than one chunk of the file, and many batches, lie between the damaged rows.
  const between = 400;
  const sound = (n: number) => Array.from({ length: between }, (_, row) => `${n},${'m'.repeat(700)},${row}`);
  const body = damaged.flatMap(([, text], n) => [...sound(n), text]);
  const mapping = { columns: { n: { to: 'data.n', type: 'number' } }, rest: 'data' };

  async function rejected(text: string, reading: object = {}): Promise<string[]> {
    const { url } = await servers.raw(createSink({ type: 'reference' }).server);
    const open = services(url);
    const plan = await planOf(await fileWith(text), open, { mapping, reading });
    const { result, made, error } = await runJob({
      plan,
      services: open,
      folder: await temporaryFolder(),
      engine: { batch: { rows: 90, bytes: 1 << 20 } },
    });
    expect(error).toBeNull();
    expect(result?.ledger).toMatchObject({ accepted: between * damaged.length, rejected: damaged.length });
    return (await readFile(made[0] ?? '', 'utf8')).trimEnd().split('\n').slice(1);
  }

  it('of a large file are rejected with all of their bytes', async () => {
    const lines = await rejected(`n,m,k\n${body.join('\n')}\n`);
    expect(lines).toHaveLength(damaged.length);
    damaged.forEach(([code, text], at) => {
      expect(lines[at]?.slice(0, text.length + 1)).toBe(`${text},`);
      expect(lines[at]).toContain(`"${code}"`);
    });
  });

  it('of a table among others are rejected with all of their values, and with the reason', async () => {
    const other = ['Tool,Length,Weight', ...Array.from({ length: 30 }, (_, n) => `t${n},${n},${n}.5`)];
    const text = [...other, 'n,m,k', ...body, ''].join('\n');
    const lines = await rejected(text, { table: '2' });
    expect(lines).toHaveLength(damaged.length);
    damaged.forEach(([code, , cells], at) => {
      const row = lines[at] ?? '';
      expect(row).toContain(`"${code}"`);
      const { data } = Papa.parse<string[]>(row);
      expect(data[0]?.slice(0, cells.length)).toEqual(cells);
      expect(Number(data[0]?.at(-3))).toBe(other.length + 1 + (at + 1) * (between + 1));
    });
  });
});

it('a write error has the file’s name without its path', async () => {
  const { url } = await servers.raw(createSink({ type: 'reference' }).server);
  const open = services(url);
  const mapping = { columns: { n: { to: 'data.n', type: 'number' } }, rest: 'data' };
  const plan = await planOf(await fileWith('n\nx\n'), open, { mapping });
  const folder = await temporaryFolder();
  const rejects = { place: 'path' as const, path: join(folder, 'gone', 'rejects.csv'), replaces: false };
  const { error } = await runJob({ plan: { ...plan, rejects }, services: open, folder });
  expect(error).toMatchObject({ code: 'file_unwritable', details: { file: 'rejects.csv' } });
  expect(JSON.stringify(error?.toBody())).not.toContain(folder);
});
