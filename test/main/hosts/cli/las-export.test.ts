import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 20_000, wells: 10 });
});
afterAll(() => demo.close());
const folders = useFolders();

const run = async (...args: string[]) =>
  runInProcess([...args, '--data-dir', await folders(), '--json'], connectionEnv(demo));

const log = z.object({ asset_id: z.int(), log_identifier: z.string() });

/** The first log of a depth dataset. */
async function firstLog() {
  const { lines } = await run('find', 'demo/drilling.wits.depth', '--limit', '1');
  return log.parse(JSON.parse(lines[0] ?? ''));
}

it('runs down from the top in every order of the query, with the well and its company in its header', async () => {
  const { asset_id: well, log_identifier: id } = await firstLog();
  const files = await folders();
  const texts: string[] = [];
  for (const [name, sort] of [
    ['down', '{ measured_depth: -1 }'],
    ['up', '{ measured_depth: 1 }'],
    ['other', '{ _id: -1 }'],
  ] as const) {
    const file = join(files, `${name}.las`);
    const query = JSON.stringify({ asset_id: well, log_identifier: id });
    const args = ['--query', query, '--sort', sort, '--out', file];
    expect(await run('export', 'demo/drilling.wits.depth', ...args)).toMatchObject({ code: 0 });
    texts.push((await readFile(file, 'utf8')).replace(/^DATE.*$/m, ''));
  }
  const [text = ''] = texts;
  expect(new Set(texts).size).toBe(1);
  const header = Object.fromEntries(
    [...text.matchAll(/^(\w+) *\.\S* +(.*?) *: /gm)].map(([, name, value]) => [name, value]),
  );
  expect(Number(header['STRT'])).toBeLessThan(Number(header['STOP']));
  expect(header).toMatchObject({
    STEP: '0.5',
    COMP: 'Bluebonnet Energy',
    WELL: 'Ridge A-101H',
    LOC: expect.stringMatching(/^-?\d+(\.\d{1,6})? -?\d+(\.\d{1,6})? latitude longitude$/),
  });
});

it('is of one log, whose well and name it has, whatever fields are selected', async () => {
  const { asset_id: well, log_identifier: id } = await firstLog();
  const { lines } = await run('find', 'demo/drilling.wits.depth', '--limit', '1');
  const [channel] = Object.keys(
    z.object({ data: z.record(z.string(), z.unknown()) }).parse(JSON.parse(lines[0] ?? '')).data,
  );
  const files = await folders();
  const write = async (query: object, ...fields: string[]) => {
    const file = join(files, `${Object.keys(query).length}-${fields.length}.las`);
    const args = ['--query', JSON.stringify(query), '--out', file, ...fields];
    const { code } = await run('export', 'demo/drilling.wits.depth', ...args);
    return { code, text: code === 0 ? await readFile(file, 'utf8') : '' };
  };
  const fields = ['--fields', `data.${channel}`];
  const one = await write({ asset_id: well, log_identifier: id }, ...fields);
  expect(one.code).toBe(0);
  expect(one.text).toMatch(new RegExp(`^ASST *\\. +${well} `, 'm'));
  expect(one.text).toMatch(new RegExp(`^LOGI *\\. +${id} `, 'm'));
  expect(one.text.split('~A')[1]?.trimEnd().split('\n').length).toBeGreaterThan(2);
  // Of a well with several logs, it is refused as with all fields.
  expect((await write({ asset_id: well }, ...fields)).code).toBe((await write({ asset_id: well })).code);
});

it('isn’t written of a dataset without depths, before anything else is asked for', async () => {
  const out = join(await folders(), 'a.las');
  const refused = await run('export', 'demo/wits', '--query', '{ asset_id: 5001 }', '--out', out);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('LAS files have a row for each depth, but this is a time dataset.');
});
