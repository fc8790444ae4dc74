import type { JsonObject } from '../../shared/json.ts';
import type { Catalogue } from '../data/catalogue.ts';
import type { Dataset } from '../data/dataset.ts';
import type { Well } from '../platform/world.ts';
import { hash } from '../random.ts';
import type { Filler } from './filler.ts';
import { startDepth } from './fill-series.ts';
import * as reference from './reference.ts';
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
