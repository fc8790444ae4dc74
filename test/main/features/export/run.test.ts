import type { ExportPlan } from '../../../../src/main/features/export/export.ts';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { calculationFacts } from '../../../../src/main/core/records/calculator.ts';
import type { Calculation } from '../../../../src/shared/calculated/calculated.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { seededRandom } from '../../../support/clock.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';
import { recordsPart } from '../../../support/export-content.ts';
import { useServices } from '../../../support/services.ts';
import { canMount, withSmallDisk } from '../../../support/small-disk.ts';
import { manifestOf, planFor, runExport, runUntil } from './support/jobs.ts';
import { idAt, Rows, type Behavior } from './support/rows.ts';
import { recordsService } from './support/service.ts';
import { sampleOf } from '../../../support/sample.ts';

const folder = useFolders();
const servers = useServers();
const open = useServices();

/**
 * Records of several wells with repeated times, some without a time, and a column that first appears late, unless
 * `steady`.
 */
function records(count: number, { steady = false } = {}): string[] {
  return Array.from({ length: count }, (_, n) => {
    const timestamp = n % 97 === 5 ? '' : `"timestamp":${1_700_000_000_000 + Math.floor(n / 3) * 1000},`;
    const late = !steady && n > count * 0.7 && timestamp !== '' ? `,"late":${n}.10` : '';
    return `{"_id":"${idAt(n * 7919 + 1)}","asset_id":${1000 + (n % 3)},${timestamp}"version":1,"data":{"rop":${n}.50,"big":9007199254740993,"note":"a, \\"b\\" ${n}"${late}}}`;
  });
}

async function service(rows: Rows, faults: Parameters<typeof recordsService>[1] = {}) {
  const { url } = await servers.http(recordsService(rows, faults));
  return open(url);
}

/** Pages of a thousand records, whatever the request's limit. */
const small: Behavior = { cap: (limit) => Math.min(limit, 1000) };

/** With and without a late column: with one, a table is written from the spool at the end. */
const behaviors: [boolean, Behavior][] = [
  [true, small],
  [false, { cap: (limit, nth) => Math.max(2, Math.floor(limit * ((nth * 37) % 10) * 0.05)) }],
];

describe('an export', () => {
  it('writes every matching record as CSV, with a manifest', async () => {
    const target = await folder();
    const rows = new Rows(records(2500));
    const job = await folder();
    const { result, made } = await runExport(await service(rows), job, planFor(target));
    expect(readdirSync(job)).toEqual(['journal.ndjson']);
    const file = join(target, 'out.csv');
    expect(made).toEqual({ result: file, manifest: `${file}.manifest.json` });
    expect(readdirSync(target).toSorted()).toEqual(['out.csv', 'out.csv.manifest.json']);
    const bytes = readFileSync(file);
    expect(result).toEqual({
      rows: 2500,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      expected: 2500,
      warnings: [],
    });
    const [header, ...lines] = Papa.parse<string[]>(bytes.toString(), { newline: '\r\n' }).data;
    expect(header).toEqual([
      '_id',
      'asset_id',
      'version',
      'timestamp',
      'data.rop',
      'data.big',
      'data.note',
      'data.late',
    ]);
    expect(lines).toHaveLength(2501);
    expect(new Set(lines.map(([id]) => id)).size).toBe(2501);
    expect(lines.at(-2)).toEqual([
      idAt(2499 * 7919 + 1),
      '1000',
      '1',
      '1700000833000',
      '2499.50',
      '9007199254740993',
      'a, "b" 2499',
      '2499.10',
    ]);
    expect(manifestOf(file)).toMatchObject({
      file: 'out.csv',
      connection: { name: 'North Ridge', dataUrl: 'http://127.0.0.1' },
      dataset: 'demo/wits',
      query: {},
      sort: { timestamp: 1 },
      columns: header,
      rows: 2500,
      sha256: result.sha256,
      counted: { atEnd: 2500 },
      warnings: [],
      notes: [],
    });
  });

  it('writes a JSON array, and NDJSON with every byte of a record as received', async () => {
    const target = await folder();
    const all = records(1200).filter((text) => text.includes('timestamp'));
    const services = await service(new Rows(all));
    await runExport(services, await folder(), planFor(target, { format: 'ndjson' }));
    await runExport(services, await folder(), planFor(target, { format: 'json' }));
    const lines = readFileSync(join(target, 'out.ndjson'), 'utf8').split('\n').slice(0, -1);
    expect(lines.toSorted()).toEqual(all.toSorted());
    expect(readFileSync(join(target, 'out.json'), 'utf8')).toBe(`[\n${lines.join(',\n')}\n]\n`);
  });

  it('removes the id and the index field that it added to the request', async () => {
    const target = await folder();
    const services = await service(new Rows(records(300)));
    await runExport(services, await folder(), planFor(target, { format: 'ndjson', fields: ['asset_id'] }));
    await runExport(services, await folder(), planFor(target, { fields: ['version', 'asset_id'] }));
    expect(readFileSync(join(target, 'out.ndjson'), 'utf8').split('\n').slice(0, 3)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^\{"asset_id":\d+\}$/)),
    );
    expect(readFileSync(join(target, 'out.csv'), 'utf8').split('\r\n').slice(0, 2)).toEqual([
      'version,asset_id',
      expect.stringMatching(/^1,100\d$/),
    ]);
  });

  it('writes an empty file when nothing matches', async () => {
    const target = await folder();
    const services = await service(new Rows([]));
    const { result } = await runExport(services, await folder(), planFor(target));
    expect(result).toMatchObject({ rows: 0, bytes: 0, expected: 0, warnings: [] });
    await runExport(services, await folder(), planFor(target, { format: 'json' }));
    expect(JSON.parse(readFileSync(join(target, 'out.json'), 'utf8'))).toEqual([]);
  });

  it('writes into the job’s own folder for a host without paths', async () => {
    const job = await folder();
    const plan = planFor('', { target: { place: 'job', name: '../a:b.csv' } });
    const { made } = await runExport(await service(new Rows(records(20))), job, plan);
    expect(made['result']).toBe(join(job, 'result', 'ab.csv'));
    expect(readdirSync(join(job, 'result')).toSorted()).toEqual(['ab.csv', 'ab.csv.manifest.json']);
  });

  it('keeps numbers unchanged when it pages by range', async () => {
    const target = await folder();
    const depths = ['0.15240', '0.30480', '1000000000000000.125', '12345678901234567891'];
    const all = depths.flatMap((depth, nth) =>
      Array.from(
        { length: 600 },
        (_, n) => `{"_id":"${idAt(nth * 1000 + n + 1)}","measured_depth":${depth}}`,
      ),
    );
    const { url, seen } = await servers.http(recordsService(new Rows(all, small)));
    const plan = planFor(target, {
      sort: '{"measured_depth":1}',
      windows: { field: 'measured_depth', direction: 1, tie: 1 },
    });
    const { result } = await runExport(open(url), await folder(), plan);
    expect(result).toMatchObject({ rows: 2400, expected: 2400 });
    const queries = seen.map((request) => request.url.searchParams.get('query'));
    expect(queries).toEqual(
      expect.arrayContaining([
        '{"measured_depth":{"$gt":0.15240}}',
        '{"measured_depth":12345678901234567891}',
      ]),
    );
  });

  it('continues after failures of the service and truncated responses', async () => {
    const target = await folder();
    const random = seededRandom(7);
    const fail = () => {
      const dice = random();
      return dice < 0.15 ? 503 : dice < 0.25 ? 429 : dice < 0.35 ? ('cut' as const) : null;
    };
    const rows = new Rows(records(3000), small);
    const { result } = await runExport(await service(rows, { fail }), await folder(), planFor(target));
    expect(result).toMatchObject({ rows: 3000, expected: 3000, warnings: [] });
  });
});

describe('an export with well names', () => {
  const named = { 1000: 'Ridge 1', 1002: 'Basin, "7"' };
  it.each(['csv', 'ndjson'] as const)(
    'has them next to the asset ids in %s, and produces the same bytes after a resume',
    async (format) => {
      const services = await service(new Rows(records(4000), small));
      const [whole, resumed, job] = [await folder(), await folder(), await folder()];
      const by = { format, wellNames: named };
      const { result } = await runExport(services, await folder(), planFor(whole, by));
      expect(await runUntil(services, job, planFor(resumed, by), 1000)).toBeUndefined();
      expect((await runExport(services, job, planFor(resumed, by))).result.sha256).toBe(result.sha256);
      const text = readFileSync(join(whole, `out.${format}`), 'utf8');
      const [header = '', row = ''] = text.split('\n');
      expect(format === 'csv' ? header : row).toContain(
        format === 'csv' ? '_id,asset_id,well_name,version' : '"asset_id":1000,"well_name":"Ridge 1"',
      );
      expect(text).toContain(format === 'csv' ? ',1001,,' : '"asset_id":1001,"version"');
    },
  );
});

describe('calculated columns', () => {
  const calculationOf = (columns: Record<string, string>): ExportPlan['calculation'] => {
    const calculation: Calculation = {
      columns: Object.entries(columns).map(([name, expression]) => ({ name, expression })),
      fields: [
        { id: 'timestamp', values: 'time' },
        { id: 'asset_id', values: 'number' },
        { id: 'data.rop', values: 'number', unit: 'ft/h' },
      ],
      index: 'timestamp',
      order: 'unknown',
      series: ['asset_id'],
    };
    return { ...calculation, ...calculationFacts(calculation) };
  };
  const byRow = calculationOf({ double: 'rop * 2' });
  const ofRows = calculationOf({
    double: 'rop * 2',
    step: 'difference(rop)',
    mean: 'rolling_mean(rop, 100)',
  });

  /** The rows of a CSV by column. */
  const rowsIn = (place: string) =>
    Papa.parse<Record<string, string>>(readFileSync(join(place, 'out.csv'), 'utf8').trimEnd(), {
      header: true,
    }).data;

  it('are written for all records by well, and again by an export that was stopped', async () => {
    const services = await service(new Rows(records(4000, { steady: true }), small));
    for (const calculation of [byRow, ofRows]) {
      const [whole, resumed, job] = [await folder(), await folder(), await folder()];
      const { result } = await runExport(services, await folder(), planFor(whole, { calculation }));
      expect(await runUntil(services, job, planFor(resumed, { calculation }), 2000)).toBeUndefined();
      expect((await runExport(services, job, planFor(resumed, { calculation }))).result.sha256).toBe(
        result.sha256,
      );
      const rows = rowsIn(whole);
      expect(rows).toHaveLength(4000);
      expect(rows.every(({ double, 'data.rop': rop }) => Number(double) === Number(rop) * 2)).toBe(true);
      if (calculation === byRow) continue;
      for (const well of ['1000', '1001', '1002']) {
        const ofWell = rows.filter((row) => row['asset_id'] === well && row['timestamp'] !== '');
        expect(ofWell.slice(1).map(({ step }) => Number(step))).toEqual(
          ofWell.slice(1).map((row, at) => Number(row['data.rop']) - Number(ofWell[at]?.['data.rop'])),
        );
        const last = ofWell.slice(-100).map((row) => Number(row['data.rop']));
        expect(Number(ofWell.at(-1)?.['mean'])).toBeCloseTo(last.reduce((sum, rop) => sum + rop, 0) / 100, 8);
      }
      // A record without a time has no row before it.
      expect(rows.find(({ timestamp }) => timestamp === '')).toMatchObject({ step: '', mean: '' });
    }
  });

  it('are the same in a table and in JSON', async () => {
    const services = await service(new Rows(records(500, { steady: true }), small));
    const target = await folder();
    for (const format of ['csv', 'ndjson', 'parquet'] as const)
      await runExport(services, await folder(), planFor(target, { format, calculation: ofRows }));
    const expected = rowsIn(target).map(({ double, step }) => [double, step]);
    const written = (row: Record<string, unknown>) =>
      ['double', 'step'].map((name) =>
        row[name] === undefined || row[name] === null ? '' : String(row[name] as number | bigint),
      );
    const lines = readFileSync(join(target, 'out.ndjson'), 'utf8').trim().split('\n');
    expect(lines.map((line) => written(JSON.parse(line) as Record<string, unknown>))).toEqual(expected);
    const table = await parquetReadObjects({
      file: Uint8Array.from(readFileSync(join(target, 'out.parquet'))).buffer,
      compressors: { ZSTD: (input) => zstdDecompressSync(input) },
    });
    expect(table.map(written)).toEqual(expected);
  });

  it('need fields that are requested, and not written', async () => {
    const services = await service(new Rows(records(50, { steady: true })));
    const target = await folder();
    await runExport(services, await folder(), planFor(target, { fields: ['asset_id'], calculation: ofRows }));
    const [first] = rowsIn(target);
    expect(Object.keys(first ?? {})).toEqual(['asset_id', 'double', 'step', 'mean']);
    expect(rowsIn(target).filter(({ double }) => double !== '')).toHaveLength(50);
  });

  it('have their unit in the header and in metadata', async () => {
    const services = await service(new Rows(records(50, { steady: true })));
    const target = await folder();
    const layout = { timeAndWellFirst: false, units: { 'data.rop': 'ft/h' }, times: 'iso' as const };
    await runExport(services, await folder(), planFor(target, { layout, calculation: byRow }));
    expect(Object.keys(rowsIn(target)[0] ?? {})).toEqual(
      expect.arrayContaining(['data.rop (ft/h)', 'double (ft/h)']),
    );
  });
});

describe('changes during an export', () => {
  it('are a note when records were added above the maximum at the start', async () => {
    const target = await folder();
    const rows: Rows = new Rows(records(500), {
      before: (nth) => rows.add(`{"_id":"${idAt(90_000_000 + nth)}","timestamp":${1_800_000_000_000 + nth}}`),
    });
    const plan = planFor(target, { query: '{"timestamp":{"$gt":0}}' });
    const { result } = await runExport(await service(rows), await folder(), plan);
    expect(result.warnings).toEqual([]);
    expect(result.expected).toBe(result.rows);
    expect(manifestOf(join(target, 'out.csv'))['notes']).toEqual([
      expect.stringMatching(/added during the export/),
    ]);
  });

  it('are a warning when rows are missing', async () => {
    const target = await folder();
    const rows = new Rows(records(500), {
      before: (nth) => nth === 3 && rows.add('{"_id":"x","timestamp":1}', '{"_id":"y","timestamp":2}'),
    });
    const { result } = await runExport(await service(rows), await folder(), planFor(target));
    expect(result).toMatchObject({ rows: 500, expected: 502 });
    expect(result.warnings).toEqual([expect.stringMatching(/has 500 records, but the service counts 502/)]);
  });

  it('are a warning when the service can’t count', async () => {
    const target = await folder();
    const services = await service(new Rows(records(50)));
    const withoutCounts = {
      ...services,
      data: {
        ...services.data,
        count: () => services.data.count({ provider: 'a', dataset: 'b' }, { $x: { $y: 1 } }),
      },
    };
    const { result } = await runExport(withoutCounts, await folder(), planFor(target));
    expect(result).toMatchObject({
      rows: 50,
      expected: null,
      warnings: [expect.stringMatching(/couldn.t be compared/)],
    });
  });
});

describe('an export that was stopped', () => {
  it.each(sampleOf(['csv', 'xlsx', 'ndjson', 'json', 'parquet'] as const, 3))(
    'leaves only an incomplete file, and a resume produces the same bytes: %s',
    async (format) => {
      // Formats differ only in how records are written; the simulator stops CSV and NDJSON at each call.
      const tried = format === 'csv' ? behaviors : behaviors.slice(1);
      for (const [steady, behavior] of tried) {
        const reference = await folder();
        const target = await folder();
        const job = await folder();
        const rows = new Rows(records(3000, { steady }), behavior);
        const services = await service(rows);
        const whole = await runExport(services, await folder(), planFor(reference, { format }));
        let ran: Awaited<ReturnType<typeof runUntil>>;
        let stops = 0;
        for (const at of [0, 0, 1, 0, Number.POSITIVE_INFINITY]) {
          ran = await runUntil(services, job, planFor(target, { format }), at);
          if (ran) break;
          stops += 1;
          expect(readdirSync(target)).toEqual([`out.${format}.partial`]);
        }
        expect(stops).toBeGreaterThan(1);
        const varying = format === 'xlsx' ? { bytes: expect.any(Number), sha256: expect.any(String) } : {};
        expect(ran?.result).toEqual({ ...whole.result, ...varying });
        const [resumed, expected] = [target, reference].map((place) =>
          recordsPart(format, readFileSync(join(place, `out.${format}`))),
        );
        expect(expected && resumed?.equals(expected)).toBe(true);
      }
    },
  );

  it('produces the same bytes when it is read by skip', async () => {
    const [reference, target, job] = [await folder(), await folder(), await folder()];
    const rows = new Rows(records(4000), { ...small, shuffles: true });
    const services = await service(rows);
    const by = { sort: '{"asset_id":-1}', windows: null };
    const whole = await runExport(services, await folder(), planFor(reference, by));
    expect(await runUntil(services, job, planFor(target, by), 3000)).toBeUndefined();
    const { requestCount } = rows;
    const { result } = await runExport(services, job, planFor(target, by));
    expect(result).toEqual(whole.result);
    expect(result.rows).toBe(4000);
    // The last page, the empty one after it, and the read-ahead requests.
    expect(rows.requestCount - requestCount).toBeLessThan(4);
  });

  it('produces the same bytes after a power failure truncated its files', async () => {
    for (const format of ['csv', 'ndjson'] as const) {
      const [reference, target, job] = [await folder(), await folder(), await folder()];
      const services = await service(new Rows(records(4000), small));
      const whole = await runExport(services, await folder(), planFor(reference, { format }));
      expect(await runUntil(services, job, planFor(target, { format }), 3000)).toBeUndefined();
      truncateSync(
        format === 'csv' ? join(job, 'spool.ndjson') : join(target, 'out.ndjson.partial'),
        250_000,
      );
      expect((await runExport(services, job, planFor(target, { format }))).result).toEqual(whole.result);
    }
  });

  it('produces the same bytes when its incomplete file was deleted', async () => {
    for (const format of ['csv', 'ndjson'] as const) {
      const [reference, target, job] = [await folder(), await folder(), await folder()];
      const services = await service(new Rows(records(3000), small));
      const whole = await runExport(services, await folder(), planFor(reference, { format }));
      expect(await runUntil(services, job, planFor(target, { format }), 1)).toBeUndefined();
      rmSync(join(target, `out.${format}.partial`));
      expect((await runExport(services, job, planFor(target, { format }))).result).toEqual(whole.result);
    }
  });

  it('finds its file when it was already finished', async () => {
    const [target, job] = [await folder(), await folder()];
    const rows = new Rows(records(100));
    const services = await service(rows);
    const first = await runExport(services, job, planFor(target));
    const requestCount = rows.requestCount;
    rmSync(join(target, 'out.csv.manifest.json'));
    expect(await runExport(services, job, planFor(target))).toEqual(first);
    expect(rows.requestCount).toBe(requestCount);
    expect(existsSync(join(target, 'out.csv.manifest.json'))).toBe(true);
  });
});

describe('an export that is killed while it renames its file', () => {
  it.each([
    ['before', (file: string) => renameSync(file, `${file}.partial`)],
    ['with both names', (file: string) => linkSync(file, `${file}.partial`)],
  ])('finds its file without reading it again: %s', async (_, interrupt) => {
    const [target, job] = [await folder(), await folder()];
    const rows = new Rows(records(100));
    const services = await service(rows);
    const first = await runExport(services, job, planFor(target));
    const { requestCount } = rows;
    rmSync(join(target, 'out.csv.manifest.json'));
    interrupt(join(target, 'out.csv'));
    expect(await runExport(services, job, planFor(target))).toEqual(first);
    expect(rows.requestCount).toBe(requestCount);
    expect(readdirSync(target).toSorted()).toEqual(['out.csv', 'out.csv.manifest.json']);
  });
});

describe('the file of an export', () => {
  it.each(['csv', 'ndjson'] as const)(
    'that may replace another is not replaced once it has its name and somebody edited it: %s',
    async (format) => {
      const [target, job] = [await folder(), await folder()];
      const services = await service(new Rows(records(100)));
      const path = join(target, 'out.csv');
      const plan = planFor(target, {
        format,
        target: { place: 'path', path, name: 'out.csv', replaces: true },
      });
      writeFileSync(path, 'older');
      const { result } = await runExport(services, job, plan);
      const whole = readFileSync(path, 'utf8');
      rmSync(`${path}.manifest.json`);
      writeFileSync(path, 'edited');
      await expect(runExport(services, job, plan)).rejects.toMatchObject({ code: 'file_exists' });
      expect(readFileSync(path, 'utf8')).toBe('edited');
      rmSync(path);
      expect((await runExport(services, job, plan)).result).toEqual(result);
      expect(readFileSync(path, 'utf8')).toBe(whole);
    },
  );

  it('never replaces a file that appears during the export', async () => {
    const [target, job] = [await folder(), await folder()];
    const services = await service(new Rows(records(2000), small));
    expect(await runUntil(services, job, planFor(target), 1)).toBeUndefined();
    writeFileSync(join(target, 'out.csv'), 'mine');
    await expect(runExport(services, job, planFor(target))).rejects.toMatchObject({ code: 'file_exists' });
    expect(readFileSync(join(target, 'out.csv'), 'utf8')).toBe('mine');
    rmSync(join(target, 'out.csv'));
    expect((await runExport(services, job, planFor(target))).result.rows).toBe(2000);
  });

  it('has another name next to the incomplete file of another export', async () => {
    const target = await folder();
    writeFileSync(join(target, 'out.csv.partial'), 'of another job');
    await runExport(await service(new Rows(records(20))), await folder(), planFor(target));
    expect(readFileSync(join(target, 'out.csv.partial'), 'utf8')).toBe('of another job');
    expect(readdirSync(target)).toHaveLength(3);
  });

  it('needs an existing folder', async () => {
    const services = await service(new Rows(records(20)));
    const plan = planFor(join(await folder(), 'nowhere'));
    await expect(runExport(services, await folder(), plan)).rejects.toMatchObject({
      code: 'file_unwritable',
    });
  });

  it('reports a folder that is deleted during the export', async () => {
    const target = await folder();
    const rows = new Rows(records(3000), {
      ...small,
      // Only once it has the file: pages are requested ahead, and an export makes its folder.
      before: (nth) =>
        nth >= 5 &&
        existsSync(target) &&
        readdirSync(target).length > 0 &&
        rmSync(target, { recursive: true }),
    });
    await expect(runExport(await service(rows), await folder(), planFor(target))).rejects.toMatchObject({
      code: 'file_unwritable',
      details: { file: 'out.csv' },
    });
  });

  it('reports why the service failed, also if its folder is gone then', async () => {
    const target = await folder();
    const rows = new Rows(records(3000), small);
    const services = await service(rows);
    let pages = 0;
    const findUnchecked: typeof services.data.findUnchecked = async (...call) => {
      pages += 1;
      if (pages < 4) return services.data.findUnchecked(...call);
      await setTimeout(50);
      rmSync(target, { recursive: true, force: true });
      throw new AppError('forbidden', { service: 'data', status: 403 });
    };
    const failing = { ...services, data: { ...services.data, findUnchecked } };
    const plan = planFor(target, { concurrency: 1 });
    await expect(runExport(failing, await folder(), plan)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it.runIf(process.platform === 'linux')('waits for space when the job’s own disk is full', async () => {
    const [target, job] = [await folder(), await folder()];
    symlinkSync('/dev/full', join(job, 'spool.ndjson'));
    const services = await service(new Rows(records(1500)));
    await expect(runExport(services, job, planFor(target))).rejects.toMatchObject({
      code: 'disk_full',
      details: { file: 'the working file of out.csv in the data folder' },
    });
    expect(readdirSync(target)).toEqual(['out.csv.partial']);
    rmSync(join(job, 'spool.ndjson'));
    expect((await runExport(services, job, planFor(target))).result).toMatchObject({
      rows: 1500,
      expected: 1500,
    });
  });

  it.runIf(canMount)('has the same bytes after a full disk has space again', async () => {
    const [reference, target, job] = [await folder(), await folder(), await folder()];
    const services = await service(new Rows(records(4000), small));
    const whole = await runExport(services, await folder(), planFor(reference));
    await withSmallDisk(target, 1024, async () => {
      const filler = join(target, 'filler');
      writeFileSync(filler, Buffer.alloc(700_000));
      await expect(runExport(services, job, planFor(target))).rejects.toMatchObject({
        code: 'disk_full',
        details: { file: 'out.csv' },
      });
      expect(readdirSync(target).toSorted()).toEqual(['filler', 'out.csv.partial']);
      rmSync(filler);
      expect((await runExport(services, job, planFor(target))).result).toEqual(whole.result);
    });
  });
});
