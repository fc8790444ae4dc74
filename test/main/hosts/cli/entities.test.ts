import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { cliEnd, runInProcess, startCli } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';

const servers = useServers();
const folder = useFolders();
const pageOf = (url: URL, total: number): number[] => {
  const [page, size] = ['page', 'per_page'].map((name) => Number(url.searchParams.get(name)));
  const first = ((page ?? 1) - 1) * (size ?? 1) + 1;
  return Array.from({ length: Math.max(0, Math.min(size ?? 1, total + 1 - first)) }, (_, at) => first + at);
};
const well = (id: number) => ({
  id: String(id),
  type: 'well',
  attributes: { name: `Ridge ${id}`, asset_id: id + 1_000_000, ...(id === 3 ? { area: 'North, "A"' } : {}) },
});
const env = (url: string) => ({
  WELLBENCH_DATA_URL: url,
  WELLBENCH_PLATFORM_URL: url,
  WELLBENCH_API_KEY: 'key-of-test',
});

describe('wells and other resources of the platform', () => {
  it('are written alike, however many pages they come in', async () => {
    const server = await servers.http(({ url }) => ({ data: pageOf(url, 5).map(well) }));
    for (const format of ['ndjson', 'csv', 'table', 'geojson']) {
      const [whole, parts] = await Promise.all(
        [[], ['--per-page', '2']].map((more) =>
          runInProcess(['wells', '--format', format, ...more], env(server.url)),
        ),
      );
      expect(whole?.code).toBe(0);
      expect(whole?.stdout).toContain('Ridge 5');
      expect(parts?.stdout).toBe(whole?.stdout);
    }
    const csv = await runInProcess(['wells', '--format', 'csv', '--per-page', '2'], env(server.url));
    expect(csv.stdout).toMatch(/^id,type,attributes\.name,attributes\.asset_id,attributes\.area\r\n/);
    expect(csv.stdout).toContain('\r\n3,well,Ridge 3,1000003,"North, ""A"""\r\n');
    const geojson = await runInProcess(['rigs', '--format', 'geojson', '--per-page', '2'], env(server.url));
    const collection = z.object({ features: z.array(z.unknown()) }).parse(geojson.summary());
    expect(collection.features).toHaveLength(5);
  });

  it('are none in each format', async () => {
    const server = await servers.http(() => ({ data: [] }));
    const outputs = ['ndjson', 'csv', 'geojson'].map(async (format) => {
      const { code, stdout } = await runInProcess(['pads', '--format', format], env(server.url));
      return [code, stdout];
    });
    expect(await Promise.all(outputs)).toEqual([
      [0, ''],
      [0, ''],
      [0, '{"type":"FeatureCollection","features":[]}\n'],
    ]);
    const pastTheEnd = await runInProcess(['pads', '--format', 'geojson', '--page', '9'], env(server.url));
    expect(pastTheEnd.stdout).toBe('{"type":"FeatureCollection","features":[]}\n');
  });

  it('are 200,000 in a heap of 75 MB, which all of them together would fill', async () => {
    const count = 200_000;
    const server = await servers.http(({ url }, response) => {
      response.end(
        `{"data":[${pageOf(url, count)
          .map((id) => `{"id":${id},"type":"well"}`)
          .join(',')}]}`,
      );
    });
    const child = startCli(['wells', '--format', 'ndjson'], {
      ...env(server.url),
      NODE_OPTIONS: '--max-old-space-size=75 --max-semi-space-size=8',
    });
    const { code, lines, stderr } = await cliEnd(child);
    expect([code, stderr]).toEqual([0, '']);
    expect(lines).toHaveLength(count);
    expect(lines.at(-1)).toBe(`{"id":${count},"type":"well","attributes":{}}`);
  }, 180_000);
});

it('inspect --wells says which names of a column it did not look up', async () => {
  const file = join(await folder(), 'many.csv');
  const rows = Array.from({ length: 201 }, (_, at) => `Ridge ${at + 1},2024-01-01`);
  await writeFile(file, ['well,day', ...rows].join('\n'));
  const server = await servers.http(() => ({ data: [] }));
  const { code, stdout } = await runInProcess(['inspect', file, '--wells'], env(server.url));
  expect(code).toBe(0);
  expect(stdout).toMatch(/Ridge 200 +no well matches\n/);
  expect(stdout).toMatch(/Ridge 201 +not looked up \(over 200 names\)\n/);
});
