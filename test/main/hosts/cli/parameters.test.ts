import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { bindTyped } from '../../../../src/main/hosts/cli/parameters.ts';
import { assetId } from '../../../../src/shared/wells/wells.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 500, wells: 4 });
});
afterAll(() => demo.close());
const folder = useFolders();
const run = async (...args: string[]) =>
  runInProcess([...args, '--data-dir', await folder(), '--json'], connectionEnv(demo));
const noClock = () => Promise.reject(new Error('it was not asked'));
const noValues = { assetId: [], param: [] };
const parsed = z.object({
  assetId: z.array(assetId),
  companyId: z.int().optional(),
  param: z.array(z.tuple([z.string(), z.string()])),
});

const of = '{ asset_id: {{wells}}, timestamp: { $gte: {{ask:from:date}}, $lt: {{now}} } }';
const values = ['--asset-id', '5001,5002', '--param', 'from=2001-01-01'];

it('find, count, aggregate, pipeline, and export send the given values', async () => {
  const counted = await run('count', 'demo/wits', '--query', of, ...values);
  expect(counted).toMatchObject({ code: 0 });
  const { count } = counted.summary() as { count: number };
  expect(count).toBeGreaterThan(0);

  const found = await run('find', 'demo/wits', '--query', of, '--limit', '9999', ...values);
  expect(found.summary()).toMatchObject({ count });
  expect(
    new Set(found.lines.slice(0, -1).map((line) => (JSON.parse(line) as { asset_id: number }).asset_id)),
  ).toEqual(new Set([5001, 5002]));
  const group = ['--group', '{ _id: {{company}}, n: { $sum: 1 } }', '--company-id', '7', '--limit', '9999'];
  const grouped = await run('aggregate', 'demo/wits', '--match', of, ...group, ...values);
  expect(JSON.parse(grouped.lines[0] ?? '')).toEqual({ _id: 7, n: count });
  const piped = await run(
    'pipeline',
    'demo/wits',
    '--stages',
    `[{ $match: ${of} }, { $count: 'n' }]`,
    ...values,
  );
  expect(JSON.parse(piped.lines[0] ?? '')).toEqual({ n: count });

  const out = join(await folder(), 'out.ndjson');
  const exported = await run('export', 'demo/wits', '--query', of, '--out', out, ...values);
  expect(exported.summary()).toMatchObject({ rows: count });
  expect((await readFile(out, 'utf8')).trimEnd().split('\n')).toHaveLength(count);
});

it.each([
  ['find', ['--sort', '{ timestamp: {{ask:way}} }'], { field: 'sort', column: 14 }, '--param way=…'],
  ['export', ['--out', 'x.csv', '--query', '{ a: {{nwo}} }'], { field: 'query', column: 6 }, 'now'],
  [
    'export',
    ['--out', 'x.csv', '--query', '{ asset_id: {{wells}}, $where: "1" }', '--asset-id', '5001'],
    { field: 'query', line: 1, column: 24 },
    '$where',
  ],
  ['count', ['--param', 'depth'], { field: 'param' }, 'name=value'],
])('%s %j is rejected, with the next step', async (command, args, place, says) => {
  const ended = await run(command, 'demo/wits', ...args);
  expect(ended.code).toBe(2);
  const issue = { place, message: expect.stringContaining(says) };
  expect(ended.error()).toMatchObject({ code: 'invalid_input', details: { issues: [issue] } });
});

it.each([
  ['{ a: 1,\n asset_id: {{wells}} }', {}, { field: 'query', line: 2, column: 12 }, '--asset-id'],
  ['{ company_id: {{company}} }', {}, { field: 'query', line: 1, column: 15 }, '--company-id'],
  ['{ n: {{ask:n:integer}} }', { param: [['n', 'few']] }, { field: 'query' }, 'whole number'],
  ['{}', { assetId: [5001] }, { field: 'asset-id' }, 'doesn’t use {{wells}}'],
  ['{}', { companyId: 1 }, { field: 'company-id' }, 'doesn’t use {{company}}'],
  [
    '{ a: {{ask:n}} }',
    {
      param: [
        ['n', '1'],
        ['n', '2'],
      ],
    },
    { field: 'param' },
    '“n” is set twice',
  ],
  ['{ a: {{ask:dpth}} }', { param: [['depth', '1']] }, { field: 'param' }, 'The query doesn’t use “depth”'],
])('%j with %j is rejected at its position', (query, change, place, says) => {
  const typed = parsed.parse({ ...noValues, ...change });
  const issue = { place, message: expect.stringContaining(says) };
  expect(() => bindTyped({ query }, typed)).toThrow(
    expect.objectContaining({
      details: { issues: [expect.objectContaining({ ...issue, place: expect.objectContaining(place) })] },
    }),
  );
});

it('a value keeps its equals signs; a name with blanks is quoted in the suggested command', async () => {
  const param: [string, string][] = [['a', 'x=y']];
  expect(await bindTyped({ query: '{ a: {{ask:a:text}} }' }, { ...noValues, param })(noClock)).toEqual({
    query: '{ a: "x=y" }',
  });
  expect(() => bindTyped({ query: '{ a: {{ask:top depth}} }' }, noValues)).toThrow('--param "top depth"=');
  const wells = { ...noValues, assetId: [assetId.parse(5)] };
  expect(await bindTyped({ sort: undefined, query: '{ w: {{wells}} }' }, wells)(noClock)).toEqual({
    sort: undefined,
    query: '{ w: 5 }',
  });
});

it('a time is requested again after a failure, and then stays', async () => {
  const bind = bindTyped({ query: '{ t: {{now}} }' }, noValues);
  await expect(bind(noClock)).rejects.toThrow('it was not asked');
  expect(await bind(async () => 5)).toEqual({ query: '{ t: 5 }' });
  expect(await bind(noClock)).toEqual({ query: '{ t: 5 }' });
});
