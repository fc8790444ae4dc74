import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { inspectionOf } from '../../../../../src/main/core/tables/reading/warnings.ts';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';
import { fileWith, scanText, temporaryFolder } from '../../../features/upload/support/files.ts';
import { createSink } from '../../../features/upload/support/sink.ts';
import { planOf, runJob } from '../../../features/upload/support/uploads.ts';

const servers = useServers();
const services = useServices();

const lines = [
  '{"timestamp":1700000000000,"asset_id":7,"version":1,"data":{"rop":12.50,"tag":"007","list":[1,2.5],"note":"a \\"b\\"\\nc"}}',
  '',
  '{"timestamp":1700000001000,"asset_id":7,"version":1,"data":{"rop":null,"tag":"8","big":12345678901234567890}}',
  '{"timestamp":"soon","asset_id":7,"version":1,"data":{"rop":1}}',
  '{"timestamp":1700000002000,"asset_id":7,',
  '[1,2]',
  '{"_id":"65","provider":"p","timestamp":1700000003000,"asset_id":7,"version":1,"data":{"rop":3,"deep":{"er":true}}}',
];

describe('a file of JSON lines', () => {
  it('has a problem in the line that is nested too deeply, and reads the others', async () => {
    const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const { rows, warnings } = inspectionOf(await scanText(`{"a":1}\n${deep}\n{"a":2}\n{"a":3}\n`));
    expect([rows, warnings.map(({ code, line }) => [code, line])]).toEqual([4, [['bad_json', 2]]]);
  });

  it('has the paths of all its objects as columns, typed like columns of a table', async () => {
    const found = inspectionOf(await scanText(lines.join('\r\n')));
    expect(found).toMatchObject({ delimiter: '', headerRow: 0, newline: 'CRLF', rows: 6 });
    const types = Object.fromEntries(found.columns.map(({ name, type }) => [name, type]));
    expect(types).toMatchObject({
      asset_id: 'integer',
      'data.rop': 'number',
      'data.tag': 'string',
      'data.big': 'integer',
      'data.deep.er': 'boolean',
      // One text among numbers is a problem of its row.
      timestamp: 'integer',
    });
    expect(found.columns.find(({ name }) => name === 'data.rop')).toMatchObject({ min: 1, max: 12.5 });
    expect(found.warnings.map(({ code, line }) => [code, line])).toContainEqual(['bad_json', 5]);
    expect(found.warnings.some(({ code }) => code === 'no_header')).toBe(false);
  });

  it.each([
    ['an object over several lines', '{\n "a": 1\n}', /JSON file/],
    ['a list', '[{"a":1}]', /JSON file/],
  ])('is not %s', async (_what, text, message) => {
    await expect(scanText(text)).rejects.toThrow(message);
  });

  it('may be UTF-16 with a byte order mark', async () => {
    const text = Buffer.from(`\uFEFF${lines.join('\n')}`, 'utf16le');
    expect(inspectionOf(await scanText(text))).toMatchObject({ encoding: 'UTF-16LE', rows: 6 });
  });

  it('is sent with texts, numbers, lists, and nesting unchanged, and its rejects file can be sent again', async () => {
    const sink = createSink();
    const { url } = await servers.raw(sink.server);
    const open = services(url);
    const folder = await temporaryFolder();
    const mapping = { columns: { timestamp: { to: 'timestamp', format: 'unix_ms' } } };
    const plan = await planOf(await fileWith(lines.join('\n'), 'f.ndjson'), open, { mapping });
    const { result, made } = await runJob({ plan, services: open, folder });
    expect(result?.ledger).toMatchObject({ rows: 6, accepted: 3, rejected: 3 });
    expect(sink.stored).toEqual([
      {
        timestamp: 1_700_000_000_000,
        asset_id: 7,
        version: 1,
        data: { rop: 12.5, tag: '007', list: [1, 2.5], note: 'a "b"\nc' },
      },
      {
        timestamp: 1_700_000_001_000,
        asset_id: 7,
        version: 1,
        data: { tag: '8', big: 12345678901234567890n },
      },
      { timestamp: 1_700_000_003_000, asset_id: 7, version: 1, data: { rop: 3, deep: { er: true } } },
    ]);
    expect(made[0]).toMatch(/f\.rejects\.ndjson$/);
    const rejects = (await readFile(made[0] ?? '', 'utf8')).trimEnd().split('\n');
    // The row's own bytes, then the added fields.
    expect(rejects[0]).toMatch(
      /^\{"timestamp":"soon","asset_id":7,"version":1,"data":\{"rop":1\},"rejected_line":4,/,
    );
    expect(rejects.map((line): unknown => JSON.parse(line))).toMatchObject([
      { rejected_code: 'not_a_time' },
      { rejected_code: 'bad_json', rejected_line: 5, rejected_text: lines[4] },
      { rejected_code: 'bad_json', rejected_line: 6, rejected_text: '[1,2]' },
    ]);
    const corrected = rejects[0]?.replace('"soon"', '1700000009000') ?? '';
    const again = await planOf(await fileWith(corrected, 'f.rejects.ndjson'), open, { mapping: null });
    const end = await runJob({ plan: again, services: open, folder: await temporaryFolder() });
    expect(end.result?.ledger).toMatchObject({ rows: 1, accepted: 1 });
    expect(sink.stored.at(-1)).toEqual({
      timestamp: 1_700_000_009_000,
      asset_id: 7,
      version: 1,
      data: { rop: 1 },
    });
  });

  it('reads the same when resumed in the middle, by byte offset', async () => {
    const sink = createSink();
    const { url } = await servers.raw(sink.server);
    const open = services(url);
    const folder = await temporaryFolder();
    const many = Array.from(
      { length: 40 },
      (_, n) =>
        `{"timestamp":${1_700_000_000_000 + n},"asset_id":7,"version":1,"data":{"n":${n},"t":"ü\\"{"}}`,
    );
    const plan = await planOf(await fileWith(many.join('\n'), 'f.jsonl'), open);
    const engine = { batch: { rows: 7, bytes: 1 << 20 } };
    await runJob({ plan, services: open, folder, engine, killAfter: 8 });
    for (let tries = 0; tries < 9; tries++) {
      const { result } = await runJob({ plan, services: open, folder, engine });
      if (result) break;
    }
    const stored = sink.stored.map(({ timestamp }) => Number(timestamp) - 1_700_000_000_000);
    expect(new Set(stored).size).toBe(stored.length);
    expect(stored.length).toBeGreaterThanOrEqual(33);
    expect(sink.stored.every((record) => JSON.stringify(record).includes('ü\\"{'))).toBe(true);
  });
});
