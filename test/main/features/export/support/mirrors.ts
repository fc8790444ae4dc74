import { join } from 'node:path';
import { expect } from 'vitest';
import { useFolders } from '../../../../support/folders.ts';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';
import { folderPlanFor, recordsById } from './folders.ts';
import { runExport } from './jobs.ts';
import { idAt, type Rows } from './rows.ts';
import { recordsService } from './service.ts';

export const hour = 3_600_000;
/** The time of the first records. */
export const start = Date.UTC(2026, 0, 30);
/** The service's clock. */
export const nowMs = start + 100 * hour;
export const wells = [5001, 5002] as const;

/** A record of a time dataset. */
export const record = (n: number, asset: number, time: string): string =>
  `{"_id":"${idAt(n)}","asset_id":${asset}${time},"version":1,"data":{"rop":${n}.5}}`;
export const timed = (n: number, asset: number, ms: number): string => record(n, asset, `,"timestamp":${ms}`);

/** A record of each of two wells every hour, for 4 days by default. */
export const hourly = (count = 96): string[] =>
  Array.from({ length: count }, (_, n) =>
    wells.map((asset, well) => timed(2 * n + well, asset, start + n * hour)),
  ).flat();

/** A record of a timeseries dataset. */
export const series = (n: number, asset: number, datetime: string): string =>
  `{"_id":"${idAt(n)}","metadata":{"asset_id":${asset}},"datetime":${datetime},"data":{"rop":${n}.5}}`;
export const instant = (ms: number): string => JSON.stringify(new Date(ms).toISOString());
/** The same as {@link instant}, with an offset of so many hours from UTC. */
export const localInstant = (ms: number, offset: number): string =>
  JSON.stringify(
    new Date(ms + offset * hour)
      .toISOString()
      .replace('Z', `${offset < 0 ? '-' : '+'}${String(Math.abs(offset)).padStart(2, '0')}:00`),
  );

/** The same records as {@link hourly}, in a timeseries dataset. */
export const hourlySeries = (count = 96): string[] =>
  Array.from({ length: count }, (_, n) =>
    wells.map((asset, well) => series(2 * n + well, asset, instant(start + n * hour))),
  ).flat();

type Faults = Parameters<typeof recordsService>[1];
type Run = Parameters<typeof folderPlanFor>[2];

/** Updates mirrors from services over real HTTP; all are removed after each test. */
export function useMirrors() {
  const folder = useFolders();
  const servers = useServers();
  const open = useServices();

  async function updated(path: string, rows: Rows, faults: Faults = {}, run: Run = {}) {
    const clockMs = run.nowMs ?? nowMs;
    const server = await servers.http(recordsService(rows, { clockMs, ...faults }));
    const plan = await folderPlanFor(path, rows, { nowMs, mirror: { overlapMs: 2 * hour }, ...run });
    const { result } = await runExport(open(server.url), await folder(), plan);
    return { plan, result, requests: server.seen.map(({ url, method }) => `${method} ${url.pathname}`) };
  }

  return {
    folder,
    updated,
    /** Checks that a mirror has the records of a fresh export. */
    async expectFresh(path: string, rows: Rows, run: Run = {}): Promise<void> {
      const fresh = join(await folder(), 'fresh');
      await updated(fresh, rows, {}, run);
      expect(await recordsById(path)).toEqual(await recordsById(fresh));
    },
  };
}
