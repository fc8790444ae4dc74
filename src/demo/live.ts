import { drillingLog } from './generate/fill-series.ts';
import type { Well } from './platform/world.ts';
import type { Service } from './service.ts';

const rowsAhead = 100_000;

/**
 * Adds records to the active wells where their data end: one per second each, from `start` (Unix milliseconds).
 * @param drilled number of rows that each well has at the start
 * @returns a function that stops it
 */
export function startGrowing(
  { world, catalogue }: Service,
  seed: number,
  start: number,
  drilled: ReadonlyMap<Well, number>,
): () => void {
  const { collection, provider, name } = catalogue.samples.wits;
  const growing = world.wells
    .filter((well) => well.state === 'drilling' && well.status === 'active')
    .map((well) => {
      const rows = drilled.get(well) ?? 0;
      return { well, rows, log: drillingLog(seed, well, rows + rowsAhead, start) };
    });
  let written = 0;
  const timer = setInterval(() => {
    // A timer may be late; all records that are due by now are added.
    for (const due = Math.floor((Date.now() - start) / 1000); written < due; written += 1) {
      collection.insert(
        growing.map(({ well, rows, log }) => ({
          company_id: well.companyId,
          asset_id: well.assetId,
          version: 1,
          provider,
          collection: name,
          timestamp: start + (written + 1) * 1000,
          data: log.channels(rows + (written % rowsAhead)),
        })),
      );
    }
  }, 1000);
  timer.unref();
  return () => clearInterval(timer);
}
