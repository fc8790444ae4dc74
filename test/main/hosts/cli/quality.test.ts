import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { createSettings } from '../../../../src/main/features/settings/settings.ts';
import { connectionEnv, runInProcess, type CliRun } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 20_000, wells: 4 });
});
afterAll(() => demo.close());
const folders = useFolders();
const servers = useServers();

const range = z.object({ well: z.string().optional(), from: z.unknown(), to: z.unknown() });
const summaryShape = z.object({
  job: z.string().optional(),
  rows: z.int(),
  index: z.object({ first: z.unknown(), last: z.unknown(), step: z.number().nullable() }),
  gaps: z.array(range.extend({ missing: z.int().nullable() })),
  duplicates: z.int(),
  disorder: z.int(),
  unplaced: z.int(),
  wells: z.array(z.object({ well: z.string(), rows: z.int() })),
  fields: z.array(
    z.object({
      name: z.string(),
      nulls: z.int(),
      tokens: z.int(),
      min: z.number().nullable(),
      max: z.number().nullable(),
      flat: z.array(range),
      spikes: z.int(),
      outside: z.int(),
      outsidePlaces: z.array(z.object({ at: z.string(), value: z.number() })),
      types: z.record(z.string(), z.int()),
    }),
  ),
  exceeded: z.array(z.string()),
});
const summaryOf = (run: CliRun) => summaryShape.parse(run.summary());

async function setUp() {
  const data = await folders();
  const files = await folders();
  const run = (...args: string[]) =>
    runInProcess([...args, '--data-dir', data, '--json'], connectionEnv(demo));
  return {
    run,
    addNames: (channelNames: Record<string, string[]>) =>
      createSettings(data, () => undefined).handlers.change(
        { set: {}, reset: [], shortcuts: {}, channelNames, remember: {} },
        {},
      ),
    file: async (name: string, content: string) => {
      await writeFile(join(files, name), content);
      return join(files, name);
    },
  };
}

const start = Date.UTC(2026, 4, 1, 6);
const time = (second: number) => new Date(start + second * 1000).toISOString();

/** A file with one record per second, some of them missing. */
const rows = (seconds: number, gap: readonly [from: number, to: number]) =>
  Array.from({ length: seconds }, (_, n) => n)
    .filter((n) => n < gap[0] || n >= gap[1])
    .map((n) => `${time(n)},${n % 2 === 0 ? -999.25 : (50 + Math.sin(n)).toFixed(3)},7`);

describe('quality of a dataset', () => {
  it('checks every matching record as a job, by well', async () => {
    const { run } = await setUp();
    const ended = await run('quality', 'demo/wits');
    const summary = summaryOf(ended);
    const { count } = z.object({ count: z.int() }).parse((await run('count', 'demo/wits')).summary());
    expect(ended.code).toBe(0);
    expect(summary).toMatchObject({ rows: count, disorder: 0 });
    expect(summary.fields.map(({ name }) => name)).toContain('data.rop');
    const { jobs } = z
      .object({ jobs: z.array(z.object({ id: z.string(), kind: z.string(), state: z.string() })) })
      .parse((await run('jobs', 'list')).summary());
    expect(jobs).toEqual([{ ...jobs[0], id: summary.job, kind: 'quality', state: 'done' }]);
  });

  it('reports a requested range without records as a gap of each well, and exits with 3 above a limit', async () => {
    const { run } = await setUp();
    const query = JSON.stringify({
      asset_id: { $in: [5003, 5004] },
      timestamp: { $gte: Date.UTC(2030, 0, 1), $lt: Date.UTC(2030, 0, 1, 0, 1) },
    });
    const ended = await run('quality', 'demo/wits', '--query', query, '--step', '1s', '--max-gap', '30s');
    const edges = { from: '2030-01-01T00:00:00.000Z', to: '2030-01-01T00:01:00.000Z', missing: 60 };
    expect(ended.code).toBe(3);
    expect(summaryOf(ended)).toMatchObject({
      rows: 0,
      gaps: [
        { well: '5003', ...edges },
        { well: '5004', ...edges },
      ],
    });
  });

  it.each([
    ['--max-gap', '10d'],
    ['--max-nulls', '1'],
  ])('exceeds %s without records to check', async (...limit) => {
    const { run } = await setUp();
    const check = ['quality', 'demo/wits', '--query', '{ asset_id: 9999999 }'];
    expect((await run(...check)).code).toBe(0);
    const ended = await run(...check, ...limit);
    expect([ended.code, summaryOf(ended).exceeded]).toEqual([3, [expect.stringContaining('No records')]]);
  });

  it.each([
    // Longer than the range of the records.
    ['--max-gap', '10000d'],
    ['--max-nulls', '1'],
  ])('exceeds %s %s if a requested well has no records', async (...limit) => {
    const { run } = await setUp();
    const query = '{ asset_id: { $in: [5003, 9999999] } }';
    const ended = await run('quality', 'demo/wits', '--query', query, ...limit);
    expect([ended.code, summaryOf(ended).exceeded]).toEqual([3, [expect.stringContaining('(9999999)')]]);
  });

  it('says which gap of the other wells is too long if a requested well has no records', async () => {
    const { run } = await setUp();
    const query = '{ asset_id: { $in: [5003, 9999999] } }';
    const ended = await run('quality', 'demo/wits', '--query', query, '--max-gap', '1m');
    const [absent, gap] = ['(9999999)', '(5003)'].map((name): unknown => expect.stringContaining(name));
    expect(summaryOf(ended).exceeded).toEqual([absent, gap]);
  });

  it('exceeds a maximum gap if no record has an index', async () => {
    const { url } = await servers.http(({ url: { pathname, searchParams } }) => {
      if (pathname.startsWith('/api/v1/dataset/')) return { name: 'p#wits', data_type: 'time' };
      if (pathname.endsWith('/count/')) return { count: 1 };
      return searchParams.has('skip') ? [] : [{ _id: 'a', asset_id: 1, data: { rop: 1 } }];
    });
    const env = { WELLBENCH_DATA_URL: url, WELLBENCH_PLATFORM_URL: url, WELLBENCH_API_KEY: 'key-of-test' };
    const check = ['quality', 'p/wits', '--data-dir', await folders()];
    const ended = await runInProcess([...check, '--max-gap', '10d', '--json'], env);
    expect([ended.code, summaryOf(ended).exceeded]).toEqual([3, [expect.stringContaining('timestamp')]]);
    const { code, stdout } = await runInProcess(check, env);
    expect([code, stdout]).toEqual([0, expect.stringContaining('without timestamp: 1\n')]);
  });

  it('takes a name with dots for a dataset, unless there is such a file or it ends like one', async () => {
    const { run } = await setUp();
    const ended = await run('quality', 'demo/drilling.wits.depth', '--query', '{ asset_id: 5003 }');
    expect(ended.code).toBe(0);
    expect((await run('quality', 'demo/missing.las')).error()).toMatchObject({ code: 'file_unreadable' });
  });

  it('reads only the requested fields', async () => {
    const { run } = await setUp();
    const summary = summaryOf(await run('quality', 'demo/wits', '--fields', 'data.rop,data.hole_depth'));
    expect(summary.fields.map(({ name }) => name).toSorted()).toEqual(['data.hole_depth', 'data.rop']);
  });

  it('has no value of a field that no record has, which exceeds a limit', async () => {
    const { run } = await setUp();
    const fields = ['--fields', 'data.rpo,data.rop,timestamp,asset_id', '--max-nulls', '0.05'];
    const ended = await run('quality', 'demo/wits', '--query', '{ asset_id: 5003 }', ...fields);
    const { rows: count, fields: checked, exceeded } = summaryOf(ended);
    expect(checked.map(({ name, nulls }) => [name, nulls === count])).toEqual([
      ['data.rop', false],
      ['data.rpo', true],
    ]);
    expect([ended.code, exceeded]).toEqual([3, [expect.stringContaining('data.rpo')]]);
  });

  it('finds a flat range from the number of values that --flat sets', async () => {
    const { run, file } = await setUp();
    const lines = Array.from(
      { length: 400 },
      (_, n) => `${time(n)},${n >= 200 && n < 250 ? 7 : n + 0.5},${n % 9}`,
    );
    const path = await file('log.csv', ['Time,ROP,WOB', ...lines].join('\n'));
    const flatsOf = async (...options: string[]) =>
      summaryOf(await run('quality', path, ...options)).fields.map(({ flat }) => flat);
    expect(await flatsOf()).toEqual([[{ from: time(200), to: time(249) }], []]);
    expect(await flatsOf('--flat', '51')).toEqual([[], []]);
    expect((await run('quality', path, '--flat', '1')).code).toBe(2);
  });

  it('finds values outside the limits of the channel that the user’s own name of a field means', async () => {
    const { run, addNames } = await setUp();
    const outside = async () =>
      summaryOf(await run('quality', 'demo/wits', '--fields', 'data.hole_depth')).fields[0]?.outside;
    expect(await outside()).toBe(0);
    await addNames({ block_height: ['hole_depth'] });
    expect(await outside()).toBeGreaterThan(0);
  });

  it('rejects a step that does not fit the index', async () => {
    const { run } = await setUp();
    const ended = await run('quality', 'demo/wits', '--step', '1ft');
    expect(ended.code).toBe(2);
    expect(ended.error()).toMatchObject({ code: 'invalid_input' });
  });
});

describe('quality of a file', () => {
  it('finds the gap and the null values, but nothing flat in a constant column', async () => {
    const { run, file } = await setUp();
    const path = await file('log.csv', ['Time,ROP,WOB', ...rows(4000, [1000, 1600])].join('\n'));
    const ended = await run('quality', path);
    const summary = summaryOf(ended);
    expect(ended.code).toBe(0);
    expect(summary).toMatchObject({
      rows: 3400,
      index: { first: time(0), last: time(3999), step: 1 },
      gaps: [{ from: time(999), to: time(1600), missing: 600 }],
      duplicates: 0,
      disorder: 0,
    });
    expect(summary.fields).toMatchObject([
      { name: 'ROP', nulls: 0, tokens: 1700, spikes: 0, types: { number: 1700 } },
      { name: 'WOB', nulls: 0, tokens: 0, flat: [] },
    ]);
  });

  it('finds values outside the limits of the channel that the user’s own name of a column means', async () => {
    const { run, file, addNames } = await setUp();
    const path = await file(
      'log.csv',
      'Time,Fortschritt (ft/h)\n2026-05-01,50\n2026-05-02,-5\n2026-05-03,52\n',
    );
    const outside = async () => summaryOf(await run('quality', path)).fields[0]?.outsidePlaces;
    expect(await outside()).toEqual([]);
    await addNames({ rop: ['Fortschritt'] });
    expect(await outside()).toEqual([{ at: '2026-05-02T00:00:00.000Z', value: -5 }]);
  });

  it('warns of times without a zone, unless the column of times of day names it', async () => {
    const { run, file } = await setUp();
    const codes = async (name: string) => {
      const path = await file('log.csv', `Date,${name},ROP\n2026-05-01,06:00,50\n2026-05-01,06:01,51\n`);
      const { warnings } = z
        .object({ warnings: z.array(z.object({ code: z.string() })) })
        .parse((await run('quality', path)).summary());
      return warnings.map(({ code }) => code);
    };
    expect(await codes('Time')).toContain('zone_missing');
    expect(await codes('Time (UTC-6)')).not.toContain('zone_missing');
  });

  it('exits with 3 when a gap is longer, or a field has fewer values, than the limits allow', async () => {
    const { run, file } = await setUp();
    const path = await file('log.csv', ['Time,ROP,WOB', ...rows(400, [100, 160])].join('\n'));
    const limits = (...args: string[]) => run('quality', path, ...args);
    expect((await limits('--max-gap', '2m', '--max-nulls', '0.6')).code).toBe(0);
    expect((await limits('--max-gap', '30s')).code).toBe(3);
    expect((await limits('--max-gap', '2ft')).code).toBe(2);
    // The column is ROP.
    expect((await limits('--fields', 'rop')).code).toBe(2);
    expect(summaryOf(await limits('--max-nulls', '0.1')).exceeded).toHaveLength(1);
  });

  it('exceeds a limit with what it did not check', async () => {
    const { run, file } = await setUp();
    const exceeded = async (text: string, ...limit: string[]) => {
      const ended = await run('quality', await file('log.csv', text), ...limit);
      return [ended.code, summaryOf(ended).exceeded];
    };
    const wells = Array.from({ length: 1001 }, (_, n) => `Well ${n},${time(0)},7`);
    const many = ['Well,Time,WOB', ...wells].join('\n');
    expect(await exceeded(many, '--max-nulls', '0')).toEqual([0, []]);
    expect(await exceeded(many, '--max-gap', '10d')).toEqual([3, [expect.stringContaining('gaps: 1.')]]);
    const names = Array.from({ length: 2001 }, (_, n) => `c${n}`);
    const wide = [`Time,${names.join(',')}`, `${time(0)},${names.map(() => '7').join(',')}`].join('\n');
    expect(await exceeded(wide, '--max-gap', '10d')).toEqual([0, []]);
    expect(await exceeded(wide, '--max-nulls', '0')).toEqual([3, [expect.stringContaining('checked: 1.')]]);
    // Of one well, and of all, no record has a time.
    const timed = rows(20, [0, 0]).map((row) => `Smith 1H,${row}`);
    const untimed = timed.map(() => 'Jones 2H,,7,8');
    const mixed = ['Well,Time,ROP,WOB', ...timed, ...untimed].join('\n');
    expect(await exceeded(mixed, '--max-gap', '10d')).toEqual([
      3,
      ['No record of Jones 2H has Time, so gaps aren’t checked.'],
    ]);
    const { summary } = await run('quality', await file('log.csv', mixed));
    expect(summary()).toMatchObject({ gapCount: 0, irregularWells: 1 });
  });

  it('checks each well of a file separately, with its name, whose spellings are one', async () => {
    const { run, file } = await setUp();
    const mixed = rows(300, [0, 0]).flatMap((row, n) => [
      `${n % 2 === 0 ? 'Smith 1H' : 'SMITH 1H'},${row}`,
      ...(n < 100 || n >= 130 ? [`Jones 2H,${row}`] : []),
    ]);
    const path = await file('wells.csv', ['Well,Time,ROP,WOB', ...mixed].join('\n'));
    expect(summaryOf(await run('quality', path))).toMatchObject({
      wells: expect.arrayContaining([expect.objectContaining({ well: 'Smith 1H', rows: 300 })]) as unknown,
      gaps: [{ well: 'Jones 2H', from: time(99), to: time(130), missing: 30 }],
      duplicates: 0,
      disorder: 0,
    });
  });

  it('says in how many wells gaps aren’t checked, because their step is irregular, and the longest distance', async () => {
    const { run, file } = await setUp();
    const irregular = [0, 1, 5, 18, 60, 200, 700, 36_700].map((second) => `Jones 2H,${time(second)},7`);
    const regular = Array.from({ length: 40 }, (_, second) => `Smith 1H,${time(second)},7`);
    const path = await file('wells.csv', ['Well,Time,WOB', ...regular, ...irregular].join('\n'));
    const longest = { well: 'Jones 2H', from: time(700), to: time(36_700) };
    expect((await run('quality', path)).summary()).toMatchObject({ gapCount: 0, irregularWells: 1, longest });
    const { stdout } = await runInProcess(['quality', path, '--data-dir', await folders()]);
    expect(stdout).toContain(
      `gaps not checked, no index or irregular step: 1 of 2 wells, longest distance: ${longest.from} to ${longest.to}\n`,
    );
  });

  it('checks each log of a well of a file separately', async () => {
    const { run, file } = await setUp();
    const depths = Array.from({ length: 60 }, (_, at) => 1000 + at);
    const logs = ['GR', 'RES'].flatMap((log) => depths.map((depth) => `Smith 1H,${log},${depth},45`));
    const path = await file('logs.csv', ['Well,log_identifier,MD,Value', ...logs].join('\n'));
    const summary = summaryOf(await run('quality', path));
    expect(summary).toMatchObject({ gaps: [], duplicates: 0, disorder: 0, fields: [{ name: 'Value' }] });
  });

  it('finds all rows that repeat an earlier one, also where the file is repeated as a whole', async () => {
    const { run, file } = await setUp();
    const wells = rows(200, [0, 0]).flatMap((row, n) => [
      `"Smith ""1H"", north",${row}`,
      ...(n < 50 ? [`Jones 2H,${row}`] : []),
    ]);
    const header = 'Well,Time,ROP,WOB';
    const once = summaryOf(await run('quality', await file('once.csv', [header, ...wells].join('\n'))));
    const all = [header, ...wells, ...wells, wells.at(-1)].join('\n');
    const twice = summaryOf(await run('quality', await file('twice.csv', all)));
    expect([once.rows, once.duplicates, twice.rows, twice.duplicates]).toEqual([250, 0, 501, 251]);
  });

  it('has no gaps when no column orders the rows', async () => {
    const { run, file } = await setUp();
    const path = await file('tops.csv', 'Name,Top\nA,12.5\nB,8\nC,30\n');
    expect(summaryOf(await run('quality', path))).toMatchObject({ rows: 3, gaps: [], disorder: 0 });
  });

  it.each([
    ['decimal commas', ['1000,0;45,1', '1000,5;46,2', '1001,0;44,8'], 1000, 1001],
    ['decimal commas in some', ['1000;45,1', '1000,5;46,2', '1001;44,8'], 1000, 1001],
    ['commas between thousands', ['"1,234.5";45', '"1,235.0";46', '"1,235.5";44'], 1234.5, 1235.5],
    ['points between thousands', ['998,5;45,1', '1.012,5;46,2', '1.013;44,8'], 998.5, 1013],
    ['a decimal comma in its only row', ['1000,5;45,1'], 1000.5, 1000.5],
    ['thousands in its only row', ['"1,234.5";45'], 1234.5, 1234.5],
  ])('reads an index with %s', async (_, lines, first, last) => {
    const { run, file } = await setUp();
    const summary = summaryOf(await run('quality', await file('log.csv', ['MD;GR', ...lines].join('\n'))));
    expect(summary).toMatchObject({ rows: lines.length, index: { first, last }, unplaced: 0 });
  });

  it('has no depth in a null value of the index', async () => {
    const { run, file } = await setUp();
    const depths = Array.from({ length: 40 }, (_, at) => (at === 20 ? -999.25 : 1000 + at));
    const text = `MD;GR\n${depths.map((depth) => `${depth};45`).join('\n')}`;
    expect(summaryOf(await run('quality', await file('log.csv', text)))).toMatchObject({
      index: { first: 1000, last: 1039 },
      unplaced: 1,
      disorder: 0,
      gaps: [{ from: 1019, to: 1021, missing: 1 }],
    });
  });

  it('finds the gap of an index with decimal commas', async () => {
    const { run, file } = await setUp();
    const depths = Array.from({ length: 200 }, (_, at) => 1000 + at / 2).filter(
      (at) => at < 1020 || at > 1030,
    );
    const text = depths.map((depth) => `${String(depth).replace('.', ',')};45`).join('\n');
    const summary = summaryOf(await run('quality', await file('log.csv', `MD;GR\n${text}`)));
    expect(summary.gaps).toMatchObject([{ from: 1019.5, to: 1030.5, missing: 21 }]);
  });

  it.each([
    ['with points between thousands', ['987,5', '1.012,5', '1.013'], 987.5, 1013],
    ['with points between thousands, of one row', ['1.012,5'], 1012.5, 1012.5],
    ['with decimal commas', ['1,5', '2', '2,25'], 1.5, 2.25],
  ])('reads values %s', async (_, cells, min, max) => {
    const { run, file } = await setUp();
    const text = cells.map((cell, row) => `${row};${cell}`).join('\n');
    const [field] = summaryOf(await run('quality', await file('log.csv', `MD;P\n${text}`))).fields;
    expect(field).toMatchObject({ name: 'P', min, max });
  });
});

const sideShape = z.object({ rows: z.int(), only: z.int(), extra: z.int(), fields: z.array(z.string()) });
const comparisonShape = z.object({
  matched: z.int(),
  shift: z.number(),
  source: sideShape,
  against: sideShape,
  fields: z.array(z.object({ name: z.string(), compared: z.int(), differing: z.int() })),
});
const comparisonOf = (run: CliRun) => comparisonShape.parse(run.summary());

describe('comparing two queries', () => {
  const well = (id: number, more: object = {}) => JSON.stringify({ asset_id: id, ...more });

  it('ends with 0 if the same records match', async () => {
    const { run } = await setUp();
    const ended = await run('quality', 'demo/wits', '--query', well(5003), '--against-query', well(5003));
    const { matched, source, against, fields } = comparisonOf(ended);
    expect(ended.code).toBe(0);
    expect(matched).toBeGreaterThan(0);
    expect(source).toEqual({ rows: matched, only: 0, extra: 0, fields: [] });
    expect(against).toEqual(source);
    expect(fields.map(({ name }) => name)).toContain('data.rop');
  });

  it('ends with 3 if neither side has records', async () => {
    const { run } = await setUp();
    const empty = well(9_999_999);
    const ended = await run('quality', 'demo/wits', '--query', empty, '--against-query', empty);
    expect([ended.code, comparisonOf(ended).matched]).toEqual([3, 0]);
  });

  it('compares two wells by time, and ends with 3 where they differ', async () => {
    const { run } = await setUp();
    const fields = ['--fields', 'data.rop', '--tolerance', '1%'];
    const queries = ['--query', well(5003), '--against-query', well(5004)];
    const ended = await run('quality', 'demo/wits', ...queries, ...fields);
    const { matched, source, against } = comparisonOf(ended);
    expect(ended.code).toBe(3);
    expect(source.rows).toBe(matched + source.only + source.extra);
    expect(against.rows).toBe(matched + against.only + against.extra);
  });

  it('pairs the logs of two wells by depth, whatever their names are, if each has one', async () => {
    const { run } = await setUp();
    const compare = (...queries: [string, string]) =>
      run('quality', 'demo/drilling.wits.depth', '--query', queries[0], '--against-query', queries[1]);
    const { matched, fields } = comparisonOf(await compare(well(5002), well(5003)));
    expect(matched).toBeGreaterThan(0);
    expect(fields.reduce((sum, { compared }) => sum + compared, 0)).toBeGreaterThan(0);
    const ambiguous = await compare(well(5003), well(5004));
    // One has two logs.
    expect(ambiguous.code).toBe(2);
    expect(ambiguous.stderr).toContain('log_identifier');
  });

  it('pairs two ranges by the distance from their start', async () => {
    const { run } = await setUp();
    const found = await run('find', 'demo/wits', '--query', well(5001), '--limit', '1');
    const { timestamp } = z.object({ timestamp: z.number() }).parse(JSON.parse(found.lines[0] ?? ''));
    const range = (from: number) => well(5001, { timestamp: { $gte: from, $lt: from + 60_000 } });
    const queries = ['--query', range(timestamp), '--against-query', range(timestamp + 60_000)];
    const { matched, shift } = comparisonOf(await run('quality', 'demo/wits', ...queries));
    expect(shift).toBe(60);
    expect(matched).toBeGreaterThan(0);
  });

  it('rejects options that don’t apply, and an invalid tolerance', async () => {
    const { run } = await setUp();
    const against = ['--against-query', '{}'];
    expect((await run('quality', 'demo/wits', ...against, '--max-gap', '10m')).code).toBe(2);
    expect((await run('quality', 'demo/wits', ...against, '--flat', '50')).code).toBe(2);
    expect((await run('quality', 'demo/wits', ...against, '--sheet', '1')).code).toBe(2);
    expect((await run('quality', 'demo/wits', '--header-row', '1')).code).toBe(2);
    expect((await run('quality', 'demo/wits', ...against, '--tolerance', 'much')).code).toBe(2);
    expect((await run('quality', 'demo/wits', '--tolerance', '1%')).code).toBe(2);
    expect((await run('quality', 'demo/wits', ...against, '--well', '5003')).code).toBe(2);
    expect((await run('quality', 'log.csv', ...against, '--against', 'demo/wits')).code).toBe(2);
  });
});

describe('comparing a file with the dataset that it goes into', () => {
  const fileShape = comparisonShape.extend({
    source: sideShape.extend({
      rejected: z.int(),
      ranges: z.array(range.extend({ line: z.int().nullable(), records: z.int() })),
    }),
    fields: z.array(
      z.object({
        name: z.string(),
        differing: z.int(),
        places: z.array(
          z.object({ at: z.unknown(), line: z.int().nullable(), source: z.unknown(), against: z.unknown() }),
        ),
      }),
    ),
  });

  /** Ten records of the dataset, with the members that a file brings. */
  async function recordsOf(run: (...args: string[]) => Promise<CliRun>) {
    const fields = ['asset_id', 'version', 'timestamp', 'data.rop'].join(',');
    const query = JSON.stringify({ asset_id: 5003, 'data.rop': { $gt: 0 } });
    const found = await run('find', 'demo/wits', '--query', query, '--limit', '10', '--fields', fields);
    const record = z.object({
      asset_id: z.int(),
      timestamp: z.int(),
      version: z.int(),
      data: z.object({ rop: z.number() }),
    });
    return found.lines.slice(0, 10).map((line) => record.parse(JSON.parse(line)));
  }

  const csvOf = (records: Awaited<ReturnType<typeof recordsOf>>) =>
    [
      'asset_id,version,timestamp,data.rop',
      ...records.map(({ asset_id: id, version, timestamp, data }) =>
        [id, version, timestamp, data.rop].join(','),
      ),
    ].join('\n');

  const compared = async (run: (...args: string[]) => Promise<CliRun>, path: string, ...args: string[]) => {
    const fields = ['--fields', 'data.rop'];
    const ended = await run('quality', path, '--against', 'demo/wits', ...fields, ...args);
    return { code: ended.code, ...fileShape.parse(ended.summary()) };
  };

  it('finds the changed value and the row that the dataset lacks, in a file of any order', async () => {
    const { run, file } = await setUp();
    const records = await recordsOf(run);
    const [first, ...others] = records;
    if (!first) throw new Error('the dataset is empty');
    const changed = { ...first, data: { rop: first.data.rop * 2 } };
    const last = others.at(-1) ?? first;
    const added = { ...last, timestamp: last.timestamp + 1 };
    const path = await file('rop.csv', csvOf([...others, added, changed].toReversed()));
    const found = await compared(run, path);
    expect(found.code).toBe(3);
    expect(found.matched).toBe(10);
    const place = new Date(added.timestamp).toISOString();
    expect(found.source).toMatchObject({ rows: 11, only: 1, rejected: 0 });
    expect(found.source.ranges).toMatchObject([{ line: 3, from: place, to: place, records: 1 }]);
    const at = new Date(first.timestamp).toISOString();
    const difference = { at, line: 2, source: changed.data.rop, against: first.data.rop };
    expect(found.fields).toMatchObject([{ name: 'data.rop', differing: 1, places: [difference] }]);
  });

  it('finds the same in a file of any order as in a sorted one, with rows that repeat or have no index', async () => {
    const { run, file } = await setUp();
    const [header = '', ...lines] = csvOf(await recordsOf(run)).split('\n');
    const [first = '', second = ''] = lines;
    const changed = `${second}9`;
    const sorted = [first, first, changed, ...lines.slice(2)];
    const withoutLines = ({ code, matched, source, fields }: Awaited<ReturnType<typeof compared>>) => ({
      code,
      matched,
      source,
      fields: fields.map(({ places, ...field }) => ({
        ...field,
        places: places.map(({ line: _line, ...place }) => place),
      })),
    });
    const text = (rows: readonly string[]) => [header, ...rows].join('\n');
    const inOrder = await compared(run, await file('sorted.csv', text(sorted)));
    const mixed = [...sorted.slice(5), ...sorted.slice(0, 5)];
    const other = await compared(run, await file('mixed.csv', text(mixed)));
    expect(inOrder).toMatchObject({ code: 3, matched: 10, source: { rows: 11, extra: 1 } });
    expect(withoutLines(other)).toEqual(withoutLines(inOrder));
    expect([inOrder, other].map(({ fields }) => fields[0]?.places.map(({ line }) => line))).toEqual([
      [4],
      [10],
    ]);
  });

  it('compares with the records of the file’s wells and range, or of a query', async () => {
    const { run, file } = await setUp();
    const records = await recordsOf(run);
    const path = await file('rop.csv', csvOf(records.slice(0, 5)));
    const query = JSON.stringify({
      asset_id: 5003,
      timestamp: { $in: records.map((each) => each.timestamp) },
    });
    const other = await compared(run, path, '--query', query);
    expect(other.code).toBe(3);
    expect(other).toMatchObject({ matched: 5, against: { rows: 10, only: 5 } });
    const [from, to] = [records[0]?.timestamp ?? 0, records[4]?.timestamp ?? 0];
    const between = JSON.stringify({ asset_id: 5003, timestamp: { $gte: from, $lte: to } });
    const { count } = z
      .object({ count: z.int() })
      .parse((await run('count', 'demo/wits', '--query', between)).summary());
    expect((await compared(run, path)).against.rows).toBe(count);
  });

  it('pairs times as text by what they mean, and no records outside of the file’s range', async () => {
    const { run, file } = await setUp();
    const header = 'metadata.asset_id,version,datetime,data.value';
    const hour = (n: number) => new Date(Date.UTC(2021, 5, 1, n)).toISOString();
    const rowsIn = (from: number, to: number, timeAt: (n: number) => string) =>
      Array.from({ length: to - from }, (_, n) => `5003,1,${timeAt(from + n)},${from + n}`);
    const stored = await file('utc.csv', [header, ...rowsIn(0, 60, hour)].join('\n'));
    await run('upload', 'demo/uploads.timeseries', stored);
    const local = (n: number) => hour(n - 6).replace('.000Z', '-06:00');
    const notations = [local, (n: number) => hour(n).replace('.000Z', '+00:00')];
    for (const [from, to] of [
      [20, 40],
      [30, 31],
    ] as const)
      for (const timeAt of notations) {
        const path = await file('local.csv', [header, ...rowsIn(from, to, timeAt)].join('\n'));
        const ended = await run('quality', path, '--against', 'demo/uploads.timeseries');
        const matched = to - from;
        expect(fileShape.parse(ended.summary())).toMatchObject({
          matched,
          source: { rows: matched, only: 0 },
          against: { rows: matched, only: 0 },
        });
        expect(ended.code).toBe(0);
      }
  });

  it('maps columns by the names of channels, or by a mapping, with one well for all rows', async () => {
    const { run, file } = await setUp();
    const records = await recordsOf(run);
    const rows = records.map(({ timestamp, version, data }) => [timestamp, version, data.rop].join(','));
    const query = JSON.stringify({
      asset_id: 5003,
      timestamp: { $in: records.map((each) => each.timestamp) },
    });
    const path = await file('named.csv', ['timestamp,version,ROP', ...rows].join('\n'));
    expect(await compared(run, path, '--well', '5003', '--query', query)).toMatchObject({
      code: 0,
      matched: 10,
    });
    // Such as -32768, by which some programs mean null.
    const [first = '', ...others] = rows;
    const holes = [first.replace(/[^,]+$/, '-32768'), ...others];
    const withNull = await file('null.csv', ['timestamp,version,ROP', ...holes].join('\n'));
    const { fields } = await compared(run, withNull, '--well', '5003', '--query', query);
    expect(fields).toMatchObject([{ places: [{ source: null }] }]);
    const mapping = JSON.stringify({ columns: { ROP: { to: 'data.rop' } }, constants: { asset_id: 5003 } });
    const mappingPath = await file('mapping.json', mapping);
    const mapped = await compared(run, path, '--mapping', mappingPath, '--query', query);
    expect(mapped).toMatchObject({ code: 0, matched: 10 });
  });
});
