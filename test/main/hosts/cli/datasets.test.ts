import { expect, it } from 'vitest';
import { runInProcess } from '../../../support/cli.ts';
import { useServers, type RequestHandler } from '../../../support/servers.ts';

const servers = useServers();

/** Runs a command at a service with these definitions. */
async function runAt(definitions: readonly object[], records: RequestHandler, ...args: string[]) {
  const { url } = await servers.http((...all) => {
    const { pathname } = all[0].url;
    if (pathname === '/api/v1/dataset/') return definitions;
    return pathname.startsWith('/api/v1/dataset/p') ? definitions[0] : records(...all);
  });
  const env = { WELLBENCH_DATA_URL: url, WELLBENCH_PLATFORM_URL: url, WELLBENCH_API_KEY: 'key-of-test' };
  return runInProcess([...args, '--json'], env);
}

const forbidden: RequestHandler = (_seen, response) => void response.writeHead(403).end();

it('datasets: names those that could not be checked for records of a well', async () => {
  const time = ['wits', 'secret'].map((name) => ({ name: `p#${name}`, data_type: 'time' }));
  const records: RequestHandler = (...all) =>
    all[0].url.pathname.includes('secret') ? forbidden(...all) : [{ _id: 'a' }];
  const ended = await runAt(time, records, 'datasets', '--asset-id', '1');
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.summary()).toEqual({ count: 1, unchecked: ['p/secret'] });
  expect(ended.stderr).toContain('Warning: p/secret wasn’t checked for records: ');
});

it('dataset: its fields and its range say which part could not be read, and that there are more', async () => {
  const data = Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`channel_${at}`, 1]));
  const wits = [{ name: 'p#wits', data_type: 'time' }];
  const many = await runAt(wits, () => [{ _id: 'a', data }], 'dataset', 'p/wits', '--fields');
  expect(many.summary()).toMatchObject({ sampled: 1, more: true });
  expect(many.stderr).toContain('Warning: Not all fields are listed.');
  const unread = await runAt(wits, forbidden, 'dataset', 'p/wits', '--fields');
  expect(unread.summary()).toMatchObject({ sampled: 0, problem: { code: 'forbidden' } });
  const uncounted = await runAt(wits, forbidden, 'dataset', 'p/wits', '--extent');
  expect(JSON.parse(uncounted.lines[0] ?? '')).toMatchObject({ count: null, problem: { code: 'forbidden' } });
});

it('datasets: names those whose type is unknown if one is requested', async () => {
  const definitions = [{ name: 'p#logs', data_type: 'depth' }, { name: 'p#survey' }];
  const ended = await runAt(definitions, forbidden, 'datasets', '--type', 'depth');
  expect(ended.summary()).toEqual({ count: 1, untyped: ['p/survey'] });
  expect(ended.stderr).toContain('Warning: Unknown type, not listed: p/survey');
  expect((await runAt(definitions, forbidden, 'datasets')).summary()).toEqual({ count: 2 });
});
