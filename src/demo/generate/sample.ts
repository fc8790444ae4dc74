import * as reference from './reference.ts';
import type { Catalogue } from '../data/catalogue.ts';
import { type Well, type World, hasBeenDrilled, isOrdinary } from '../platform/world.ts';
import { depthChannels, summaryChannels } from './depth.ts';
import { fillCompletion, fillDepth, fillSensors, fillWits, startDepth } from './fill-series.ts';
import { Filler, split } from './filler.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Dataset } from '../data/dataset.ts';
import { hash } from '../random.ts';
import { formationsPerWell, sectionsPerWell, WellPlan } from './well-plan.ts';

const day = 86_400_000;
const stageMs = 5_400_000;
const betweenStagesMs = 7_200_000;

/**
 * Surveys, formations, sections, and stages of one well after the other, up to a number of records. Returns how many.
 */
export function fillReference(
  filler: Filler,
  { samples }: Catalogue,
  wells: readonly Well[],
  seed: number,
  most: number,
): number {
  let used = 0;
  for (const well of wells) {
    const stages = well.fleetId === null ? 0 : 12 + (hash(seed, 601, well.index) % 20);
    const needed = 1 + formationsPerWell + sectionsPerWell + stages;
    if (used + needed > most) break;
    used += needed;
    const add = (dataset: Dataset, rows: number, record: (row: number) => JsonObject, exact = false): void =>
      filler.add({ dataset, well, rows, exact, key: () => null, record });
    const plan = new WellPlan(seed, well);
    // A well that is being drilled has a survey down to where its log begins.
    const surveyed =
      well.status === 'active' && well.state === 'drilling' ? startDepth(seed, well, plan) : plan.end;
    add(samples.survey, 1, () => ({ data: reference.survey(seed, well, plan, surveyed) }));
    add(
      samples.formations,
      formationsPerWell,
      (row) => ({ data: reference.formation(well, plan, row) }),
      true,
    );
    add(samples.sections, sectionsPerWell, (row) => ({ data: reference.section(plan, row) }));
    const firstStage = (well.lastDrillingAt ?? well.createdAt) + 20 * day;
    const stage = (row: number): JsonObject => {
      const start = firstStage + row * betweenStagesMs;
      const data = reference.stageTimes(seed, well, row + 1, start, start + stageMs);
      return { stage_number: row + 1, data };
    };
    add(samples.stageTimes, stages, stage, true);
  }
  return used;
}

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
