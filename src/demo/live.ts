import { hash } from './random.ts';
import { activity } from './generate/activity.ts';
import { DrillingLog } from './generate/wits.ts';
import type { Service } from './service.ts';

const rowsAhead = 100_000;

/**
 * Lets the wells that are being drilled go on: one record a second each, from `start` (Unix milliseconds) on.
 * @returns what ends it
 */
export function startGrowing({ world, catalogue }: Service, seed: number, start: number): () => void {
  const { collection, provider, name } = catalogue.samples.wits;
  const growing = world.wells
    .filter((well) => well.state === 'drilling' && well.status === 'active')
    .map((well) => {
      const wellSeed = hash(seed, 701, well.index);
      return { well, log: new DrillingLog(wellSeed, activity(wellSeed, rowsAhead, start, 9_000)) };
    });
  let written = 0;
  const timer = setInterval(() => {
    // A timer may come late; what is due by now is written.
    for (const due = Math.floor((Date.now() - start) / 1000); written < due; written += 1) {
      collection.insert(
        growing.map(({ well, log }) => ({
          company_id: well.companyId,
          asset_id: well.assetId,
          version: 1,
          provider,
          collection: name,
          timestamp: start + (written + 1) * 1000,
          data: log.channels(written % rowsAhead),
        })),
      );
    }
  }, 1000);
  timer.unref();
  return () => clearInterval(timer);
}
