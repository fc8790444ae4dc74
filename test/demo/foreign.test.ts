import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Demo, startDemo } from '../../src/demo/index.ts';
import { type JsonObject, parseJson } from '../../src/shared/json.ts';
import { object, objects } from '../conformance/target.ts';

// An external client: curl, as a user runs it from a shell.
const there = spawnSync('curl', ['--version']).status === 0;
const run = promisify(execFile);

describe.skipIf(!there)('curl', () => {
  let demo: Demo;
  let folder: string;
  let data: string;
  beforeAll(async () => {
    demo = await startDemo({ records: 20_000 });
    folder = await mkdtemp(join(tmpdir(), 'foreign-'));
    data = `${demo.dataUrl}/api/v1/data`;
  });
  afterAll(async () => {
    await demo.close();
    await rm(folder, { recursive: true });
  });

  async function curl(...args: string[]): Promise<string> {
    const { stdout } = await run('curl', ['--silent', '--show-error', '--max-time', '60', ...args], {
      maxBuffer: 1 << 28,
    });
    return stdout;
  }
  const withKey = (...args: string[]): Promise<string> =>
    curl('--header', `Authorization: API ${demo.apiKeys.write}`, ...args);

  test('finds a well by name, then its data: parameters encoded by curl', async () => {
    const wells = parseJson(await withKey('--get', `${demo.platformUrl}/v2/wells`, '--data-urlencode', 'search=Кедровая', '--data-urlencode', 'fields[]=well.asset_id')); // oxfmt-ignore
    const assetId = object(objects(object(wells)['data'])[0]?.['attributes'])['asset_id'];
    const records = objects(parseJson(await withKey('--get', `${data}/demo/data.formations/`, '--data-urlencode', `query={"asset_id":${String(Number(assetId))}}`, '--data-urlencode', 'sort={"data.md":1}', '--data-urlencode', 'limit=3'))); // oxfmt-ignore
    expect(records.map((record) => record['asset_id'])).toEqual([assetId, assetId, assetId]);
  });

  test('raw brackets, globbing off', async () => {
    const answer = await withKey(
      '--globoff',
      `${demo.platformUrl}/v2/wells?ids[]=1&ids[]=2&fields[]=well.name`,
    );
    expect(objects(object(parseJson(answer))['data'])).toHaveLength(2);
  });

  test('follows the redirect of a path without its slash, and posts the body again', async () => {
    const body = '{"query":{"asset_id":5003},"sort":{"timestamp":-1},"limit":2}';
    const answer = await withKey('--location', '--header', 'Content-Type: application/json', '--data', body, `${data}/demo/wits/list`); // oxfmt-ignore
    expect(objects(parseJson(answer))).toHaveLength(2);
  });

  test('reads every page in a shell loop, with each record once', async () => {
    const script = `
      set -eu
      skip=0
      while :; do
        curl --silent --show-error --fail --get "$DATA/demo/sensors.pad/" --header "Authorization: API $KEY" \\
          --data-urlencode 'query={}' --data-urlencode 'sort={"datetime":1,"_id":1}' \\
          --data limit=500 --data "skip=$skip" --data fields=_id --output page.json
        count=$(grep -o '"_id"' page.json | wc -l)
        grep -o '"_id":"[0-9a-f]*"' page.json >> all.txt || true
        [ "$count" -eq 500 ] || break
        skip=$((skip + 500))
      done`;
    await run('sh', ['-c', script], {
      cwd: folder,
      env: { ...process.env, DATA: data, KEY: demo.apiKeys.read },
    });
    const ids = (await readFile(join(folder, 'all.txt'), 'utf8')).trim().split('\n');
    const { count } = object(
      parseJson(await withKey('--get', `${data}/demo/sensors.pad/count/`, '--data-urlencode', 'query={}')),
    );
    expect([ids.length, new Set(ids).size]).toEqual([count, count]);
  });

  test('sends a large file in one insert, waiting for 100 Continue, and reads it back', async () => {
    const file = join(folder, 'records.json');
    const records: JsonObject[] = Array.from({ length: 1000 }, (_, at) => ({
      version: 1,
      asset_id: 5003,
      timestamp: at,
      data: { text: 'é'.repeat(700) },
    }));
    await writeFile(file, JSON.stringify(records));
    const answer = await withKey(
      '--header',
      'Content-Type: application/json',
      '--data-binary',
      `@${file}`,
      `${data}/demo/uploads.time/`,
    );
    expect(object(parseJson(answer))).toMatchObject({ failed_count: 0, messages: [] });
    const back = objects(parseJson(await withKey('--get', `${data}/demo/uploads.time/`, '--data-urlencode', 'query={"asset_id":5003}', '--data-urlencode', 'sort={"timestamp":1}', '--data', 'limit=1000'))); // oxfmt-ignore
    expect(back.map((record) => record['data'])).toEqual(records.map((record) => record['data']));
  });

  test('sends a wrapped insert, like an older client', async () => {
    const body = '{"data":[{"version":1,"data":{"name":"wrapped"}}]}';
    expect(
      object(parseJson(await withKey('--data', body, `${data}/demo/uploads.reference/`)))['failed_count'],
    ).toBe(0);
  });

  test('signs in, uses the token, and refreshes it once', async () => {
    const post = async (auth: object): Promise<JsonObject> =>
      object(parseJson(await curl('--json', JSON.stringify({ auth }), `${demo.platformUrl}/v1/user_token`)));
    const { jwt, refresh_token } = await post(demo.login);
    const total = await curl('--get', '--dump-header', '-', '--oauth2-bearer', String(jwt), `${data}/demo/wits/`, '--data-urlencode', 'query={"asset_id":5003}', '--data-urlencode', 'sort={}', '--data', 'limit=1', '--data', 'include_count=true'); // oxfmt-ignore
    expect(total).toMatch(/^HTTP\/1.1 200 OK/);
    expect(total).toMatch(/^Total: \d+\r$/m);
    expect(await post({ refresh_token })).toHaveProperty('jwt');
    expect(await post({ refresh_token })).toEqual({ errors: { login: [expect.any(String)] } });
  });

  test('retries automatically after 503 and 429', async () => {
    demo.faults.rate_5xx = 1;
    demo.faults.fault_times = 2;
    const file = join(folder, 'programs.json');
    await withKey('--retry', '5', '--retry-delay', '1', '--output', file, `${demo.platformUrl}/v2/programs`);
    const answer = await readFile(file, 'utf8');
    demo.faults.rate_5xx = 0;
    expect(objects(object(parseJson(answer))['data']).length).toBeGreaterThan(0);
  });

  test('runs a pipeline by GET, encoded by curl', async () => {
    const stages =
      '[{"$match":{"asset_id":5003}},{"$group":{"_id":"$data.state","n":{"$sum":1}}},{"$sort":{"n":-1}},{"$limit":1}]';
    const answer = await withKey(
      '--get',
      `${data}/demo/wits/aggregate/pipeline/`,
      '--data-urlencode',
      `stages=${stages}`,
    );
    expect(objects(parseJson(answer))[0]?.['_id']).toBe('Rotary Drilling');
  });
});
