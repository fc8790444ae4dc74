import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import iconv from 'iconv-lite';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { fileWith, scanPath, temporaryFolder } from '../support/files.ts';
import { createSink } from '../support/sink.ts';
import { planOf, runJob } from '../support/uploads.ts';

const servers = useServers();
const services = useServices();

/** Uploads a file of a reference dataset and returns its rejects file. */
async function rejectsOf(
  content: Uint8Array | string,
  mapping: unknown = { columns: { n: { to: 'data.n', type: 'number' } }, rest: 'data' },
) {
  const { url } = await servers.raw(createSink({ type: 'reference' }).server);
  const open = services(url);
  const plan = await planOf(await fileWith(content), open, { mapping });
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

  it('keeps rows with broken quotes line by line', async () => {
    const { path, bytes } = await rejectsOf('n,m\n1,a\n2,"never closed\n3,c\n');
    expect(bytes.toString().split('\n')[1]).toMatch(/^2,"never closed,3,"unclosed_quote"/);
    expect(scanPath(path).rows).toBe(1);
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
