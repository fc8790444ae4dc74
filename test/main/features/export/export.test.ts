import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createExport, type ExportPlan, exportPlan } from '../../../../src/main/features/export/export.ts';
import { windowsFor } from '../../../../src/main/core/reading/windows.ts';
import { createFiles, targetAt } from '../../../../src/main/core/files/files.ts';
import { exportRequest } from '../../../../src/shared/export/export.ts';
import type { Calculation } from '../../../../src/shared/calculated/calculated.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { Rows } from './support/rows.ts';
import { recordsService } from './support/service.ts';

const folder = useFolders();
const servers = useServers();
const open = useServices();

async function setUp(type = 'time', status: number | null = null) {
  let requests = 0;
  const fail = (nth: number) => {
    requests = nth;
    return status;
  };
  const { url } = await servers.http(recordsService(new Rows([]), { type, fail }));
  const services = open(url);
  const files = createFiles();
  const plans: ExportPlan[] = [];
  const place = await folder();
  const handlers = createExport({
    readCheckpoint: async () => [],
    connections: {
      services: () => services,
      get: (id) => ({
        id,
        name: 'North Ridge',
        color: 'blue',
        dataUrl: url,
        platformUrl: url,
        method: 'api_key',
        secret: 'session',
        readOnly: false,
        sample: false,
      }),
    },
    files,
    keepFolder: async () => undefined,
    version: '1.2.3',
    store: { page: async () => ({ jobs: [], older: 0 }), plan: async () => null },
    runner: {
      start: async (_, plan) => {
        plans.push(exportPlan.parse(plan));
        return { id: 'job-1234' };
      },
    },
  });
  const start = (request: object = {}, path = join(place, 'out.csv'), replaces = false) => {
    const { token } = files.grantTarget(targetAt(path, replaces));
    const input = exportRequest.parse({
      connection: 'c',
      provider: 'demo',
      dataset: 'wits',
      target: token,
      ...request,
    });
    return handlers.start(input, {});
  };
  return { start, plans, place, files, handlers, requests: () => requests };
}

describe('starting an export', () => {
  it('uses up the token of the target file, but not when the request is invalid', async () => {
    const { place, files, handlers } = await setUp();
    const { token: target } = files.grantTarget(targetAt(join(place, 'out.csv')));
    const request = { connection: 'c', provider: 'demo', dataset: 'wits', target };
    const wrong = exportRequest.parse({ ...request, query: '{ $nope: ' });
    await expect(handlers.start(wrong, {})).rejects.toMatchObject({ code: 'invalid_input' });
    expect(files.target(target)).toMatchObject({ place: 'path' });
    await handlers.start(exportRequest.parse(request), {});
    expect(() => files.target(target)).toThrow('no longer available');
  });

  it('reads in order of the index if calculated columns need the rows before, and refuses those that can’t be had', async () => {
    const { start, plans, place, files } = await setUp();
    const calculationOf = (expression: string): Calculation => ({
      columns: [{ name: 'c', expression }],
      fields: [
        { id: 'timestamp', values: 'time' },
        { id: 'data.rop', values: 'number' },
      ],
      index: 'timestamp',
      order: 'descending',
      series: [],
    });
    const sort = '{ timestamp: -1 }';
    await start({ sort, calculation: calculationOf('rop * 2') });
    await start({ sort, calculation: calculationOf('previous(rop)') }, join(place, 'other.csv'));
    expect(plans.map((plan) => plan.sort)).toEqual(['{"timestamp":-1}', '{"timestamp":1}']);
    await expect(start({ calculation: calculationOf('torque') })).rejects.toThrow(
      'The column c can’t be calculated. There is no column “torque”',
    );
    const { token: target } = files.grantFolder({ path: join(place, 'wits'), name: 'wits' });
    const divided = {
      target,
      format: 'parquet',
      partition: ['asset_id'],
      calculation: calculationOf('rop * 2'),
    };
    await expect(start(divided)).rejects.toThrow('A folder contains only stored columns');
    expect(plans).toHaveLength(2);
  });

  it('writes no folder of computed rows, which an update would replace by records', async () => {
    const { start, plans, place, files } = await setUp();
    const { token: target } = files.grantFolder({ path: join(place, 'wits'), name: 'wits' });
    const aggregation = { kind: 'pipeline', stages: '[{ $count: "n" }]' };
    await expect(start({ target, format: 'parquet', partition: ['asset_id'], aggregation })).rejects.toThrow(
      'A folder contains only stored records',
    );
    expect(plans).toEqual([]);
  });

  it('has the type of the company’s list where the definition has none', async () => {
    const { start, plans, place, files } = await setUp('');
    const { token: target } = files.grantFolder({ path: join(place, 'wits'), name: 'wits' });
    await start({ target, format: 'parquet', partition: ['asset_id', 'day'], fields: ['metadata'] });
    expect(plans[0]?.folder?.partition).toMatchObject({
      assetPath: 'metadata.asset_id',
      timePath: 'datetime',
    });
    // A record is placed by both.
    expect(plans[0]?.fields).toEqual(['datetime', 'metadata']);
  });

  it('creates a job with a complete plan', async () => {
    const { start, plans, place } = await setUp();
    const request = {
      query: "{ asset_id: 5003, 'data.n': 9007199254740993, /* all */ }",
      fields: ['timestamp', 'timestamp'],
    };
    expect(await start(request)).toEqual({ job: 'job-1234' });
    expect(plans).toEqual([
      {
        connection: { id: 'c', name: 'North Ridge', dataUrl: expect.stringContaining('http://127.0.0.1') },
        address: { provider: 'demo', dataset: 'wits' },
        fileName: 'out.csv',
        query: '{"asset_id":5003,"data.n":9007199254740993}',
        aggregation: null,
        columnNames: 'dotted',
        nullValues: 'blank',
        details: { units: 'stored' },
        columns: {},
        unitChanges: {},
        folder: null,
        version: '1.2.3',
        csv: { delimiter: ',', newline: 'CRLF', bom: false, decimal: '.', escapeFormulas: false },
        layout: { timeAndWellFirst: false, units: {}, times: 'iso' },
        sort: '{"timestamp":1}',
        fields: ['timestamp'],
        format: 'csv',
        concurrency: 8,
        timeZone: null,
        wellNames: null,
        target: { place: 'path', path: join(place, 'out.csv'), name: 'out.csv', replaces: false },
        windows: { field: 'timestamp', direction: 1, tie: 1 },
      },
    ]);
    expect(readdirSync(place)).toEqual([]);
  });

  it.each([
    ['a query that is not JSON', { query: '{ asset_id: ' }, 'invalid_input'],
    ['a sort with an invalid direction', { sort: '{ timestamp: 2 }' }, 'invalid_input'],
    ['code', { query: '{ $where: "1" }' }, 'invalid_input'],
    ['a parameter without a value', { query: '{ asset_id: {{wells}} }' }, 'invalid_input'],
    ['an unknown time zone', { timeZone: 'Mars/Base' }, 'invalid_input'],
  ])('rejects %s, and creates no job', async (_, request, code) => {
    const { start, plans, place } = await setUp();
    await expect(start(request)).rejects.toMatchObject({ code });
    expect(plans).toEqual([]);
    expect(readdirSync(place)).toEqual([]);
  });

  it('leaves to the job what it can read: units, descriptions, and names of wells', async () => {
    const { start, plans, requests } = await setUp();
    await start({ format: 'xlsx', units: 'metric', wellNames: true, query: '{ asset_id: 5003 }' });
    expect(plans).toMatchObject([{ details: { units: 'metric', wells: [5003] }, columns: {} }]);
    expect(requests()).toBe(1);
  });

  it('rejects a dataset that the service does not have', async () => {
    const { start, plans } = await setUp('time', 404);
    await expect(start()).rejects.toMatchObject({ code: 'not_found' });
    expect(plans).toEqual([]);
  });

  it('never replaces an existing file', async () => {
    const { start, place } = await setUp();
    writeFileSync(join(place, 'out.csv'), 'mine');
    await expect(start()).rejects.toMatchObject({ code: 'file_exists', details: { file: 'out.csv' } });
    await expect(start({}, place)).rejects.toMatchObject({ code: 'file_exists' });
  });

  it('replaces a file and its manifest if that is allowed, and never another file in place of the manifest', async () => {
    const { start, place } = await setUp();
    const [path, manifest] = [join(place, 'out.csv'), join(place, 'out.csv.manifest.json')];
    const refused = { code: 'file_exists', details: { file: 'out.csv.manifest.json' } };
    writeFileSync(manifest, '{"wellbenchExport":1,"file":"out.csv"}');
    await expect(start()).rejects.toMatchObject(refused);
    writeFileSync(path, 'mine');
    expect(await start({}, path, true)).toEqual({ job: 'job-1234' });
    for (const text of ['something else', '{"wellbenchExport":1,"file":"other.csv"}', '[]']) {
      writeFileSync(manifest, text);
      await expect(start({}, path, true)).rejects.toMatchObject(refused);
      expect(readFileSync(manifest, 'utf8')).toBe(text);
    }
  });

  it('needs the folder of the file', async () => {
    const { start, place } = await setUp();
    const failing = start({}, join(place, 'failing', 'out.csv'));
    await expect(failing).rejects.toMatchObject({ code: 'file_unwritable', details: { file: 'out.csv' } });
    writeFileSync(join(place, 'a-file'), '');
    await expect(start({}, join(place, 'a-file', 'out.csv'))).rejects.toMatchObject({
      code: 'file_unwritable',
    });
    expect(existsSync(join(place, 'nowhere'))).toBe(false);
  });
});

describe('the field that an export pages by', () => {
  it.each([
    ['time', { timestamp: 1 }, {}, { field: 'timestamp', direction: 1, tie: 1 }],
    ['time', { timestamp: -1, _id: -1 }, {}, { field: 'timestamp', direction: -1, tie: -1 }],
    ['depth', { measured_depth: -1 }, {}, { field: 'measured_depth', direction: -1, tie: 1 }],
    ['timeseries', { datetime: 1 }, {}, { field: 'datetime', direction: 1, tie: 1 }],
    ['reference', { _id: 1 }, {}, { field: '_id', direction: 1, tie: 1 }],
    [null, { measured_depth: 1 }, {}, { field: 'measured_depth', direction: 1, tie: 1 }],
    ['time', { measured_depth: 1 }, {}, null],
    ['time', { 'data.rop': 1 }, {}, null],
    ['time', { asset_id: 1, timestamp: 1 }, {}, null],
    ['time', { timestamp: 1, asset_id: 1 }, {}, null],
    ['time', { timestamp: 1 }, { timestamp: { $regex: 'x' } }, null],
  ] as const)('is selected for %s, sorted by %j', (type, sort, query, expected) => {
    expect(windowsFor(type, query, sort)).toEqual(expected);
  });
});
