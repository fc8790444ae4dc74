import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { connectionEnv, runInProcess, type CliRun } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 5000, wells: 12 });
});
afterAll(() => demo.close());
const folder = useFolders();
const servers = useServers();

const run = async (...args: string[]): Promise<CliRun> =>
  runInProcess([...args, '--data-dir', await folder()], connectionEnv(demo));

/** Runs with `--json` and expects success. Returns the lines before the summary, and the summary. */
async function done(...args: string[]) {
  const ended = await run(...args, '--json');
  // A request without a well gets a performance warning.
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(?:Warning: .*\n)*$/) });
  return { lines: ended.lines.slice(0, -1), summary: ended.summary() };
}
const records = (lines: string[]) => lines.map((line): unknown => JSON.parse(line));

/** A service that responds to every read of records with this text. */
const serviceWith = async (text: string): Promise<Record<string, string>> => {
  const { url } = await servers.http((_seen, response) => {
    response.setHeader('Content-Type', 'application/json').end(text);
  });
  return { WELLBENCH_DATA_URL: url, WELLBENCH_PLATFORM_URL: url, WELLBENCH_API_KEY: 'k' };
};

describe('lists of the platform', () => {
  it.each(['wells', 'assets', 'programs', 'pads', 'rigs', 'drillout-units', 'frac-fleets'])(
    '%s: prints all pages, one item per line, and the count',
    async (resource) => {
      const { lines, summary } = await done(resource, '--format', 'ndjson', '--per-page', '2');
      expect(lines.length).toBeGreaterThan(0);
      expect(summary).toEqual({ count: lines.length });
      expect(new Set(records(lines).map((one) => (one as { id: number }).id)).size).toBe(lines.length);
    },
  );

  it('wells: prints the asset id first, and a distinct heading for the platform id', async () => {
    const { code, lines } = await run('wells');
    expect(code).toBe(0);
    expect(lines[0]).toMatch(/^asset_id {2}name .* platform_id$/);
    // It is among the settings of a well.
    expect(lines[0]).toContain('api_number');
    expect(lines.find((line) => line.includes('Cottonwood A-105H'))).toContain('42-329-30028-00-00');
    expect(lines).toHaveLength(14);
  });

  it('have each filter as an option: numbers, texts, lists, and repeated ones', async () => {
    const all = records((await done('wells', '--format', 'ndjson')).lines);
    const [first, second] = all as { id: number; attributes: { asset_id: number; status: string } }[];
    const ids = await done('wells', '--ids', `${first!.id},${second!.id}`);
    expect(ids.summary).toEqual({ count: 2 });
    const asset = await done('wells', '--asset-id', String(first!.attributes.asset_id), '--asset-id', '1');
    expect(asset.summary).toEqual({ count: 1, notFound: ['1'] });
    const active = await done('wells', '--status', 'active', '--company', '1', '--format', 'ndjson');
    expect(records(active.lines)).toEqual(
      all.filter((one) => (one as typeof first)!.attributes.status === 'active'),
    );
    expect((await done('pads', '--active', 'no')).summary).toEqual({ count: expect.any(Number) });
  });

  it('name the ids and API numbers of a list that no item has', async () => {
    const ended = await run('wells', '--asset-id', '5001\r\n77001\r\n5002\r\n77002\r\n', '--json');
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/77001, 77002/) });
    expect(ended.summary()).toEqual({ count: 2, notFound: ['77001', '77002'] });
    const numbers = await done('assets', '--api-number', '42-329-30028-00-00\n42-999-99999');
    expect(numbers.summary).toEqual({ count: 1, notFound: ['42-999-99999'] });
    expect((await done('pads', '--ids', '990001')).summary).toEqual({ count: 0, notFound: ['990001'] });
    // It can be a well of another company.
    const conditional = await done('wells', '--asset-id', '5001,77001', '--company', '1');
    expect(conditional.summary).toEqual({ count: 1 });
    // Without their asset id, which wells there are is unknown.
    const named = await done('wells', '--asset-id', '5001,77001', '--fields', 'well.name');
    expect(named.summary).toEqual({ count: 1 });
  });

  it('show the requested attributes', async () => {
    const { lines } = await done('wells', '--fields', 'well.name,well.area', '--sort', 'name');
    expect(lines[0]).toMatch(/^name +area +platform_id$/);
  });

  it('are written as CSV with dotted columns', async () => {
    const { lines } = await done('wells', '--format', 'csv');
    expect(lines[0]).toMatch(/^id,type,attributes\..*relationships\./);
    expect(lines).toHaveLength(13);
  });

  it.each([
    [['wells', '--company', 'three'], { code: 'invalid_input', field: 'company' }],
    [['wells', '--asset-id', '1,x'], { code: 'invalid_input', field: 'asset-id' }],
    [['assets', '--status', 'busy'], { code: 'invalid_input', field: 'status' }],
    [['pads', '--active', 'maybe'], { code: 'invalid_input', field: 'active' }],
    [['wells', '--lat-start', '1'], { code: 'invalid_input', field: 'lat_start' }],
    [['--connection', 'a', 'wells', '--connection', 'b'], { code: 'invalid_input', field: 'connection' }],
  ])('reject %j', async (args, { code, field }) => {
    const ended = await run(...args, '--json');
    expect(ended.code).toBe(2);
    expect(ended.error()).toMatchObject({ code, details: { issues: [{ place: { field } }] } });
  });
});

describe('definitions', () => {
  it('datasets: filters by search, by type, and by whether they can be plotted', async () => {
    const all = await done('datasets', '--format', 'ndjson');
    expect(all.summary).toEqual({ count: all.lines.length });
    const time = await done('datasets', '--type', 'time', '--format', 'ndjson');
    expect(records(time.lines)).toSatisfy((found: { data_type: string }[]) =>
      found.every(({ data_type }) => data_type === 'time'),
    );
    const { lines } = await done('datasets', 'wits', '--plottable');
    expect(lines[0]).toMatch(/^dataset +type +name +plottable +records$/);
    expect(lines.slice(2)).toSatisfy((found: string[]) => found.every((line) => line.includes('wits')));
  });

  it('datasets: lists those with records of a well; one without read permission is skipped, and reported', async () => {
    const ended = await run('datasets', '--asset-id', '5001', '--format', 'ndjson', '--json');
    const names = records(ended.lines.slice(0, -1)).map((one) => (one as { name: string }).name);
    expect(names).toEqual(expect.arrayContaining(['wits', 'data.formations']));
    expect(names).not.toContain('uploads.time');
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stderr).toContain('demo/frac.confidential');
  });

  it('dataset: prints its fields and the range of its records, for the given wells', async () => {
    const fields = await done('dataset', 'demo/wits', '--fields', '--asset-id', '5001', '--format', 'ndjson');
    expect(records(fields.lines)).toContainEqual(
      expect.objectContaining({ path: 'data.rop', from: 'definition', unit: 'ft/h' }),
    );
    expect(fields.summary).toMatchObject({ count: fields.lines.length, of: 'wells', scope: 'asset_id' });
    const { lines } = await run('dataset', 'demo/wits', '--fields');
    expect(lines[0]).toMatch(/^field +types +unit +null +absent +example$/);
    const { lines: output } = await done('dataset', 'demo/wits', '--extent', '--asset-id', '5001');
    const { summary } = await done('count', 'demo/wits', '--query', '{asset_id: 5001}');
    expect(records(output)).toEqual([
      expect.objectContaining({ field: 'timestamp', of: 'wells', ...(summary as object) }),
    ]);
    expect(await run('dataset', 'demo/wits', '--fields', '--asset-id', 'A-100H')).toMatchObject({ code: 2 });
    // These would be ignored.
    expect(await run('dataset', 'demo/wits', '--asset-id', '5001')).toMatchObject({ code: 2 });
    expect(await run('dataset', 'demo/wits', '--extent', '--company-id', '1')).toMatchObject({ code: 2 });
    expect(await run('datasets', '--company-id', '1')).toMatchObject({ code: 2 });
  });

  it('dataset: prints the fields that the specification names', async () => {
    const { lines, summary } = await done('dataset', 'demo/wits');
    expect(summary).toEqual({ count: 1 });
    expect(JSON.parse(lines.join(''))).toMatchObject({
      dataset: 'demo/wits',
      provider: 'demo',
      data_type: 'time',
      plottable: true,
    });
  });

  it('dataset: exits with 1 for one that doesn’t exist', async () => {
    const ended = await run('dataset', 'demo/nothing', '--json');
    expect(ended.code).toBe(1);
    expect(ended.error()).toMatchObject({ code: 'not_found', details: { status: 404 } });
  });
});

describe('find', () => {
  it('prints NDJSON by the index field, ascending, and the count with the total', async () => {
    const { lines, summary } = await done('find', 'demo/wits', '--limit', '50', '--total');
    const times = records(lines).map((one) => (one as { timestamp: number }).timestamp);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(summary).toEqual({ count: 50, total: expect.any(Number) });
  });

  it('accepts the same relaxed JSON as the editor', async () => {
    const query = "{ // the first well\n asset_id: { $in: [5001, 5002,] }, 'provider': 'demo' }";
    const { lines } = await done(
      'find',
      'demo/wits',
      '--query',
      query,
      '--sort',
      '{timestamp: -1}',
      '--skip',
      '1',
    );
    expect(lines.length).toBeGreaterThan(0);
    expect(records(lines)).toSatisfy((found: { asset_id: number }[]) =>
      found.every(({ asset_id }) => asset_id === 5001 || asset_id === 5002),
    );
  });

  it('prints CSV with the envelope and dotted columns, and JSON as one array', async () => {
    const csv = await done('find', 'demo/wits', '--limit', '2', '--format', 'csv');
    expect(csv.lines[0]).toMatch(
      /^_id,company_id,asset_id,version,provider,collection,timestamp,data\.hole_depth,/,
    );
    expect(csv.lines).toHaveLength(3);
    const some = await done(
      'find',
      'demo/wits',
      '--limit',
      '2',
      '--format',
      'csv',
      '--fields',
      'timestamp,data.rop',
    );
    expect(some.lines[0]).toMatch(/^timestamp,data\.rop/);
    const json = await done('find', 'demo/wits', '--limit', '2', '--format', 'json');
    expect(JSON.parse(json.lines.join(''))).toHaveLength(2);
  });

  const exact = '[{"_id":"a","n":9007199254740993,"x":1.10,"y":1e400,\n "data":{"t":"a\\nb, \\"c\\""}}]';

  it.each([
    ['ndjson', '{"_id":"a","n":9007199254740993,"x":1.10,"y":1e400,"data":{"t":"a\\nb, \\"c\\""}}\n'],
    ['json', '[{"_id":"a","n":9007199254740993,"x":1.10,"y":1e400,"data":{"t":"a\\nb, \\"c\\""}}]\n'],
    ['csv', '_id,n,x,y,data.t\r\na,9007199254740993,1.10,1e400,"a\nb, ""c"""\r\n'],
  ])('keeps every digit in %s', async (format, expected) => {
    const env = await serviceWith(exact);
    const ended = await runInProcess(
      ['find', 'p/d', '--sort', '{n: 1}', '--format', format, '--data-dir', await folder()],
      env,
    );
    expect(ended).toMatchObject({ code: 0, stdout: expected });
  });

  it('warns when the default limit was reached, as aggregate does, not when the user set one', async () => {
    const warning =
      /^Warning: 1000 records were read, the default limit; there (?:may be|are) more\. Set --limit/m;
    const query = '{ asset_id: { $gt: 0 } }';
    expect((await run('find', 'demo/wits', '--query', query)).stderr).toMatch(warning);
    expect((await run('find', 'demo/wits', '--query', query, '--total')).stderr).toMatch(warning);
    expect((await run('aggregate', 'demo/wits', '--match', query)).stderr).toMatch(warning);
    expect((await run('find', 'demo/wits', '--query', query, '--limit', '1000')).stderr).not.toMatch(warning);
    const all = serviceWith(`[${Array.from({ length: 1000 }, (_, n) => `{"n":${n}}`).join()}]`);
    const find = ['find', 'p/d', '--sort', '{n: 1}', '--data-dir', await folder()];
    expect((await runInProcess(find, await all)).stderr).toMatch(warning);
    const fewer = serviceWith('[{"n":1}]');
    expect((await runInProcess(find, await fewer)).stderr).not.toMatch(warning);
  });

  it('prints only the summary when no records match', async () => {
    const { lines, summary } = await done('find', 'demo/wits', '--query', '{ asset_id: -1 }');
    expect({ lines, summary }).toEqual({ lines: [], summary: { count: 0, total: null } });
  });

  it.each([
    ['limit 0', ['--limit', '0'], { field: 'limit' }],
    ['limit 10001', ['--limit', '10001'], { field: 'limit' }],
    ['a limit that isn’t a number', ['--limit', 'ten'], { field: 'limit' }],
    ['skip -1', ['--skip', '-1'], { field: 'skip' }],
    [
      'broken JSON, with line and column',
      ['--query', '{ asset_id: 5001,\n  depth: }'],
      { field: 'query', line: 2, column: 10 },
    ],
    ['an invalid direction', ['--sort', '{timestamp: 2}'], { field: 'sort' }],
  ])('rejects %s before anything is sent', async (_what, args, place) => {
    const env = { ...connectionEnv(demo), WELLBENCH_DATA_URL: 'http://127.0.0.1:9' };
    const ended = await runInProcess(
      ['find', 'demo/wits', ...args, '--json', '--data-dir', await folder()],
      env,
    );
    expect(ended.code).toBe(2);
    expect(ended.error()).toMatchObject({ code: 'invalid_input', details: { issues: [{ place }] } });
    expect(ended.stdout).toBe('');
  });
});

describe('count, aggregate, pipeline', () => {
  it('count: prints the number, then the summary', async () => {
    const { lines, summary } = await done('count', 'demo/wits', '--query', '{}');
    expect(summary).toEqual({ count: Number(lines[0]) });
    expect(Number(lines[0])).toBeGreaterThan(0);
  });

  it('aggregate: groups the records after match, sort, and limit', async () => {
    const { lines, summary } = await done(
      'aggregate',
      'demo/wits',
      '--match',
      '{}',
      '--sort',
      '{timestamp: 1}',
      '--limit',
      '10',
      '--group',
      '{ _id: null, n: { $sum: 1 } }',
      '--project',
      '{ n: 1 }',
    );
    expect(records(lines)).toEqual([{ _id: null, n: 10 }]);
    expect(summary).toEqual({ count: 1, computedFrom: 'at most 10 records' });
  });

  it('aggregate: groups all matching records of all wells unless a limit is set', async () => {
    const [total] = (await done('count', 'demo/wits', '--query', '{}')).lines;
    const group = '{ _id: "$asset_id", n: { $sum: 1 } }';
    const { lines, summary } = await done('aggregate', 'demo/wits', '--group', group);
    const counts = (records(lines) as { n: number }[]).map(({ n }) => n);
    expect(counts.length).toBeGreaterThan(1);
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(Number(total));
    expect(Number(total)).toBeGreaterThan(1000);
    expect(summary).toEqual({ count: counts.length });
  });

  it('pipeline: sends the stages unchanged', async () => {
    const { lines, summary } = await done('pipeline', 'demo/wits', '--stages', '[{ $limit: 3 }]');
    expect(lines).toHaveLength(3);
    expect(summary).toEqual({ count: 3 });
  });

  it('pipeline: rejects an empty one', async () => {
    const ended = await run('pipeline', 'demo/wits', '--stages', '[]', '--json');
    expect(ended.code).toBe(2);
    expect(ended.error()).toMatchObject({ details: { issues: [{ place: { field: 'stages' } }] } });
  });
});
