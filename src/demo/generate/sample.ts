import type { Catalogue } from '../data/catalogue.ts';
import { type Well, type World, hasBeenDrilled, isOrdinary } from '../platform/world.ts';
import { depthChannels, summaryChannels } from './depth.ts';
import { fillReference } from './fill-reference.ts';
import { fillCompletion, fillDepth, fillSensors, fillWits } from './fill-series.ts';
import { Filler, split } from './filler.ts';

// The maximum share of records that describe wells; the others are series, divided as follows.
const referenceShare = 0.2;
const seriesShares = { wits: 0.7, depth: 0.12, completion: 0.08, sensors: 0.06, summary: 0.04 };
// Records that only administrators or the other company see, in addition to the requested number, for each such well.
const recordsOfOthers = 200;

/** The number of rows of each well in the datasets that grow. */
export type SeriesRows = Readonly<Record<'wits' | 'completion' | 'sensors', ReadonlyMap<Well, number>>>;

/**
 * Fills the datasets with the requested number of records that ordinary keys see, the newest at the end time of the
 * world.
 * The same seed, world, and number give the same records.
 */
export function fillSample(catalogue: Catalogue, world: World, seed: number, records: number): SeriesRows {
  const { samples, northern } = catalogue;
  const filler = new Filler();
  const wells = world.wells.filter((well) => isOrdinary(well) && hasBeenDrilled(well));
  const described = fillReference(filler, catalogue, wells, seed, Math.floor(records * referenceShare));
  const [wits = 0, depth = 0, completion = 0, sensors = 0, summary = 0] = split(
    records - described,
    Object.values(seriesShares),
  );
  const usual = { filler, wells, seed, end: world.end };
  const drilled = fillWits({ ...usual, dataset: samples.wits, rows: wits });
  fillDepth({ ...usual, dataset: samples.depth, rows: depth }, 0.5, depthChannels);
  fillDepth({ ...usual, dataset: samples.summary, rows: summary }, 1, summaryChannels);
  const stimulated = wells.filter((well) => well.fleetId !== null);
  const pumped = fillCompletion({
    ...usual,
    wells: stimulated.length > 0 ? stimulated : wells,
    dataset: samples.completion,
    rows: completion,
  });
  const sensed = fillSensors({ ...usual, dataset: samples.sensors, rows: sensors });
  const hiddenWells = world.wells.filter((well) => !isOrdinary(well) && well.visibility !== 'deleted');
  const rows = Math.min(records, hiddenWells.length * recordsOfOthers);
  fillWits({ ...usual, wells: hiddenWells, dataset: samples.wits, rows });
  fillWits({ ...usual, wells: hiddenWells, dataset: northern, rows });
  return { wits: drilled, completion: pumped, sensors: sensed };
}
