import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';
import { idAt, Rows } from '../../features/export/support/rows.ts';
import { recordsService } from '../../features/export/support/service.ts';

const folder = useFolders();
const servers = useServers();
const hourMs = 3_600_000;

/** A service whose clock is ahead of this computer's, with a record for each minute of its last 3 hours. */
async function service(aheadMs: number, { date = true } = {}) {
  const nowMs = Date.now() + aheadMs;
  const rows = new Rows(
    Array.from(
      { length: 180 },
      (_, minute) =>
        `{"_id":"${idAt(minute + 1)}","asset_id":5001,"timestamp":${nowMs - minute * 60_000 - 30_000}}`,
    ),
  );
  const answer = recordsService(rows);
  return servers.http((request, response, socket) => {
    response.sendDate = false;
    if (date) response.setHeader('date', new Date(nowMs).toUTCString());
    return answer(request, response, socket);
  });
}

const run = async (url: string, ...args: string[]) =>
  runInProcess([...args, '--data-dir', await folder()], {
    WELLBENCH_DATA_URL: url,
    WELLBENCH_PLATFORM_URL: url,
    WELLBENCH_API_KEY: 'the-test-key',
  });

const lastHour = '{ asset_id: 5001, timestamp: { $gte: {{now-1h}}, $lt: {{now}} } }';

describe('now in a query', () => {
  it.each([
    ['3 h behind', 3 * hourMs, '3 h behind '],
    ['3 h ahead', -3 * hourMs, '3 h ahead of '],
  ])('is that of a service while this computer is %s, which is said once', async (_case, aheadMs, words) => {
    const { url } = await service(aheadMs);
    const found = await run(url, 'find', 'demo/wits', '--query', lastHour);
    expect(found).toMatchObject({ code: 0 });
    expect(found.lines).toHaveLength(60);
    expect(found.stderr.split(words)).toHaveLength(2);
    const out = join(await folder(), 'out.ndjson');
    const exported = await run(url, 'export', 'demo/wits', '--query', lastHour, '--out', out);
    expect(exported).toMatchObject({ code: 0 });
    expect((await readFile(out, 'utf8')).trim().split('\n')).toHaveLength(60);
    expect(exported.stderr.split(words)).toHaveLength(2);
    const counted = await run(url, 'count', 'demo/wits', '--query', lastHour);
    expect(counted.lines).toEqual(['60']);
  });

  it('is an answer of --param, too', async () => {
    const { url } = await service(3 * hourMs);
    const query = '{ timestamp: { $gte: {{ask:from:date}} } }';
    const counted = await run(url, 'count', 'demo/wits', '--query', query, '--param', 'from=now-1h');
    expect(counted.lines).toEqual(['60']);
  });

  it('is that of this computer if the service names no time, and nothing is said', async () => {
    const { url } = await service(0, { date: false });
    const counted = await run(url, 'count', 'demo/wits', '--query', lastHour);
    expect([counted.lines, counted.stderr]).toEqual([['60'], '']);
  });
});
