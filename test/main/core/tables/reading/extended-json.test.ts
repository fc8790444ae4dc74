import { describe, expect, it } from 'vitest';
import { inspectionOf } from '../../../../../src/main/core/tables/reading/warnings.ts';
import { extendedCell } from '../../../../../src/main/core/tables/reading/recognize.ts';
import { json } from '../../../../../src/main/core/tables/sources/json.ts';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';
import { fileWith, scanText, temporaryFolder } from '../../../features/upload/support/files.ts';
import { createSink } from '../../../features/upload/support/sink.ts';
import { cellsOf, namesOf, readContent } from '../../../features/upload/support/sources.ts';
import { planOf, runJob } from '../../../features/upload/support/uploads.ts';

const servers = useServers();
const services = useServices();

/** Two records as MongoDB Compass and mongoexport write them: canonical, and relaxed. */
const canonical =
  '{"_id":{"$oid":"65000000aa00000000000001"},"asset_id":{"$numberInt":"7"},"version":{"$numberInt":"1"},"timestamp":{"$date":{"$numberLong":"1700000000000"}},"data":{"rop":{"$numberDouble":"12.5"},"n":{"$numberLong":"9007199254740993"},"p":{"$numberDecimal":"0.12345678901234567891"},"list":[{"$numberLong":"9007199254740995"},{"at":{"$date":{"$numberLong":"0"}}}]}}';
const relaxed =
  '{"_id":{"$oid":"65000000aa00000000000002"},"asset_id":7,"version":1,"timestamp":{"$date":"2023-11-14T22:13:21Z"},"data":{"rop":{"$numberDouble":"NaN"},"n":9007199254740994,"p":{"$numberDecimal":"1.5"},"list":[1,{"at":{"$date":"1970-01-01T00:00:01.000+0000"}}]}}';

const names = ['_id', 'asset_id', 'version', 'timestamp', 'data.rop', 'data.n', 'data.p', 'data.list'];
const stored = [
  {
    asset_id: 7,
    version: 1,
    timestamp: 1_700_000_000_000,
    data: {
      rop: 12.5,
      n: 9007199254740993n,
      p: 0.12345678901234568,
      list: [9007199254740995n, { at: '1970-01-01T00:00:00.000Z' }],
    },
  },
  {
    asset_id: 7,
    version: 1,
    timestamp: 1_700_000_001_000,
    data: { n: 9007199254740994n, p: 1.5, list: [1, { at: '1970-01-01T00:00:01.000+00:00' }] },
  },
];

describe('MongoDB’s extended JSON', () => {
  it('has values, not fields that are named after their types', async () => {
    const array = await readContent(json, `[${canonical},\n${relaxed}]`, 'records.json');
    expect(namesOf(array)).toEqual(names);
    expect(array.warnings).toEqual([]);
    expect(array.tables[0]?.columns.map(({ type }) => type)).toEqual([
      'text',
      null,
      null,
      'text',
      null,
      null,
      null,
      null,
    ]);
    expect(cellsOf(array)[0]).toEqual([
      '65000000aa00000000000001',
      '7',
      '1',
      '2023-11-14T22:13:20.000Z',
      '12.5',
      '9007199254740993',
      '0.12345678901234567891',
      '[9007199254740995,{"at":"1970-01-01T00:00:00.000Z"}]',
    ]);
    const lines = inspectionOf(await scanText(`${canonical}\n${relaxed}\n`));
    expect(lines.columns.map(({ name }) => name)).toEqual(names);
    expect(lines.columns.map(({ type }) => type)).toEqual([
      'string',
      'integer',
      'integer',
      'time',
      'number',
      'integer',
      'number',
      'string',
    ]);
    expect(lines.warnings.map(({ code }) => code)).toEqual(['null_words']);
  });

  it.each([
    ['records.json', `[${canonical},${relaxed}]`],
    ['records.ndjson', `${canonical}\n${relaxed}\n`],
  ])('is stored as these values from %s', async (name, text) => {
    const sink = createSink();
    const { url } = await servers.raw(sink.server);
    const open = services(url);
    const plan = await planOf(await fileWith(text, name), open, { mapping: null });
    const { result } = await runJob({ plan, services: open, folder: await temporaryFolder() });
    expect(result?.ledger).toMatchObject({ rows: 2, accepted: 2 });
    expect(sink.stored).toEqual(stored);
  });

  it.each([
    [{ $numberLong: '9007199254740993' }, '9007199254740993'],
    [{ $numberDouble: '-Infinity' }, '-Infinity'],
    [{ $numberDouble: 0.5 }, '0.5'],
    [{ $date: 1_700_000_000_000 }, '2023-11-14T22:13:20.000Z'],
    [{ $date: { $numberLong: '-1' } }, '1969-12-31T23:59:59.999Z'],
    [{ $date: { $numberLong: '9007199254740993' } }, '9007199254740993'],
    [{ $timestamp: { t: 1_700_000_000, i: 1 } }, '2023-11-14T22:13:20.000Z'],
    [{ $binary: { base64: 'AQI=', subType: '00' } }, 'AQI='],
    [{ $undefined: true }, null],
  ])('has a cell for %j', (object, cell) => {
    expect(extendedCell(object)?.cell).toBe(cell);
  });

  it.each([
    [{ $cost: 5 }],
    [{ $numberLong: '007' }],
    [{ $numberLong: 'many' }],
    [{ $numberLong: '1', of: 2 }],
    [{ $date: { from: 1 } }],
    [{ constructor: 1 }],
    [{}],
  ])('isn’t %j', (object) => {
    expect(extendedCell(object)).toBeNull();
  });
});
