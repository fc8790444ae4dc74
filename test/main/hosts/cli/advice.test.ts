import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 500, wells: 4 });
});
afterAll(() => demo.close());
const folder = useFolders();
const servers = useServers();

const run = async (...args: string[]) =>
  runInProcess([...args, '--data-dir', await folder()], connectionEnv(demo));

it.each([
  [
    ['find', 'demo/wits', '--sort', '{ "data.rop": 1 }'],
    [/^Warning: query, .*asset_id/, /^Warning: sort, line 1, column 1: No index/],
  ],
  [
    ['count', 'demo/wits', '--query', '{ company_id: 1, timestamp: { $gte: 1700000000 } }'],
    [/^Warning: query, line 1, column 37: 1700000000 looks like seconds/],
  ],
  [
    [
      'aggregate',
      'demo/wits',
      '--match',
      '{ company_id: 1 }',
      '--sort',
      '{}',
      '--group',
      '{ _id: "$asset_id" }',
    ],
    [],
  ],
  [
    [
      'aggregate',
      'demo/wits',
      '--match',
      '{ company_id: 1 }',
      '--sort',
      '{}',
      '--limit',
      '10',
      '--group',
      '{ _id: 1 }',
    ],
    [/^Warning: limit: Only the first 10 /, /^Warning: The results are computed from at most 10 records/],
  ],
  [
    [
      'pipeline',
      'demo/wits',
      '--stages',
      '[{ $match: { company_id: 1 } }, { $limit: 1 }, { $group: { _id: 1 } }]',
    ],
    [
      /^Warning: stages, line 1, column 33: This limit comes before \$group/,
      /computed from at most 1 record\.$/,
    ],
  ],
  [
    [
      'pipeline',
      'demo/wits',
      '--stages',
      '[{ $match: { company_id: 1 } }, { $sort: { "data.rop": 1 } }, { $limit: 1 }]',
    ],
    [/^Warning: stages, line 1, column 42: No index/],
  ],
  [['count', 'demo/wits', '--query', '{ company_id: 1 }'], []],
] as const)('%j runs, with a performance warning on stderr', async (args, said) => {
  const ended = await run(...args);
  expect(ended.code).toBe(0);
  const lines = ended.stderr.split('\n').filter((line) => line !== '');
  expect(lines).toEqual(said.map((pattern) => expect.stringMatching(pattern)));
});

describe('a mean of numbers such as -999.25', () => {
  const dataset = 'demo/uploads.time';
  const upload = async () => {
    const path = join(await folder(), 'nulls.csv');
    const rows = Array.from({ length: 10 }, (_, at) => `${1_700_000_000_000 + at * 1000},${at},${at}`);
    await writeFile(path, `timestamp,rop,wob\n${rows.join('\n')}\n1700000010000,-999.25,1\n`);
    const mapping = join(await folder(), 'mapping.json');
    const columns = { rop: { to: 'data.rop' }, wob: { to: 'data.wob' } };
    const constants = { asset_id: 5001, version: 1 };
    await writeFile(mapping, JSON.stringify({ columns, constants, keepAsText: ['-999.25'] }));
    const ended = await run('upload', dataset, path, '--mapping', mapping, '--settle', '0');
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
  };
  const mean = (field: string) => `{ _id: "$asset_id", mean: { $avg: "$data.${field}" } }`;
  const match = '{ asset_id: 5001 }';
  const warning = /\$avg counts -999\.25, which probably means null: \d+% of the sampled records/;

  it('is a warning of both aggregate and pipeline, in the words of the window', async () => {
    await upload();
    const aggregated = await run('aggregate', dataset, '--match', match, '--group', mean('rop'));
    expect(aggregated.stderr).toMatch(warning);
    expect(aggregated.stderr).toMatch(/^Warning: group, line 1, column/);
    const stages = `[{ $match: ${match} }, { $group: ${mean('rop')} }]`;
    expect((await run('pipeline', dataset, '--stages', stages)).stderr).toMatch(warning);
    for (const others of [
      await run('aggregate', dataset, '--match', match, '--group', mean('wob')),
      await run(
        'aggregate',
        dataset,
        '--match',
        '{ asset_id: 5001, "data.rop": { $gt: 0 } }',
        '--group',
        mean('rop'),
      ),
    ])
      expect(others.stderr).toBe('');
  });
});

it.each([
  [['find', 'demo/wits', '--query', '{ a: 1,\n $where: "1" }'], { field: 'query', line: 2, column: 2 }],
  [['find', 'demo/wits', '--sort', '{ timestamp: "desc" }'], { field: 'sort', line: 1, column: 14 }],
  [['count', 'demo/wits', '--query', '{ data.rop: 1 }'], { field: 'query', line: 1, column: 3 }],
  [['aggregate', 'demo/wits', '--group', '5'], { field: 'group', line: 1, column: 1 }],
  [
    ['pipeline', 'demo/wits', '--stages', '[{ $match: {} }, { $gruop: {} }]'],
    { field: 'stages', line: 1, column: 20 },
  ],
  [['pipeline', 'demo/wits', '--stages', '[{ $out: "x" }]'], { field: 'stages', line: 1, column: 2 }],
] as const)('%j is rejected with its position, and nothing is sent', async (args, place) => {
  const server = await servers.http((_request, response) => void response.end('[]'));
  const env = { WELLBENCH_DATA_URL: server.url, WELLBENCH_PLATFORM_URL: server.url, WELLBENCH_API_KEY: 'k' };
  const ended = await runInProcess([...args, '--json', '--data-dir', await folder()], env);
  expect(ended.code).toBe(2);
  expect(ended.error()).toMatchObject({ code: 'invalid_input', details: { issues: [{ place }] } });
  // Without a sort the dataset's default applies, which may need its definition.
  expect(server.seen.filter(({ url }) => !url.pathname.includes('/dataset/'))).toEqual([]);
});

/** The service's requests during a run. */
async function requestsOf(args: readonly string[]) {
  const server = await servers.http((seen) => {
    if (!seen.url.pathname.includes('/dataset/')) return [];
    return { id: 1, provider: 'demo', name: 'demo#wits', data_type: 'time', indexes: [], schema: {} };
  });
  const env = { WELLBENCH_DATA_URL: server.url, WELLBENCH_PLATFORM_URL: server.url, WELLBENCH_API_KEY: 'k' };
  await runInProcess([...args, '--data-dir', await folder()], env);
  return server.seen.map(({ url }) => (url.pathname.includes('/dataset/') ? 'definition' : 'read'));
}

it.each([
  [
    ['find', 'demo/wits'],
    ['definition', 'read'],
  ],
  [
    ['find', 'demo/wits', '--sort', '{}'],
    ['definition', 'read'],
  ],
  [
    ['aggregate', 'demo/wits'],
    ['definition', 'read'],
  ],
  [
    ['count', 'demo/wits', '--query', '{ company_id: 1 }'],
    ['definition', 'read'],
  ],
] as const)('%j requests the definition once', async (args, wanted) => {
  const paths = await requestsOf(args);
  expect(paths.toSorted()).toEqual(wanted);
});

describe('the definition request', () => {
  const env = (url: string) => ({
    WELLBENCH_DATA_URL: url,
    WELLBENCH_PLATFORM_URL: url,
    WELLBENCH_API_KEY: 'k',
  });
  const isDefinition = ({ url }: { url: URL }) => url.pathname.includes('/dataset/');

  it.each(['find', 'aggregate'])(
    '%s: is retried once when the default sort depends on it, and nothing else is sent',
    async (command) => {
      const server = await servers.http((_seen, response) => void response.writeHead(503).end());
      const ended = await runInProcess([command, 'demo/wits', '--data-dir', await folder()], env(server.url));
      expect(ended.code).not.toBe(0);
      expect(ended.stderr).toContain('--sort');
      expect(server.seen.map(isDefinition)).toEqual([true, true]);
    },
  );

  it.each([
    ['find', 'demo/wits', '--sort', '{ timestamp: 1 }'],
    ['aggregate', 'demo/wits', '--sort', '{ timestamp: 1 }'],
    ['pipeline', 'demo/wits', '--stages', '[{ $limit: 1 }]'],
  ])('%s %s %s: doesn’t delay a response that does not depend on it', async (...args) => {
    const server = await servers.http((seen) => (isDefinition(seen) ? new Promise(() => undefined) : []));
    const began = performance.now();
    const ended = await runInProcess([...args, '--data-dir', await folder()], env(server.url));
    expect(ended.code).toBe(0);
    expect(performance.now() - began).toBeLessThan(1500);
    expect(server.seen.filter((seen) => !isDefinition(seen))).toHaveLength(1);
  });

  it('is retried once for a warning, in parallel with the one read', async () => {
    const server = await servers.http((seen, response) => {
      if (!isDefinition(seen)) return new Promise((resolve) => setTimeout(() => resolve([]), 1500));
      response.writeHead(503).end();
      return undefined;
    });
    const args = ['find', 'demo/wits', '--sort', '{ timestamp: 1 }', '--data-dir', await folder()];
    expect(await runInProcess(args, env(server.url))).toMatchObject({ code: 0 });
    expect(server.seen.filter(isDefinition)).toHaveLength(2);
    expect(server.seen).toHaveLength(3);
  });
});
