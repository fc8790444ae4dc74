import type { JsonObject } from '../../shared/json.ts';
import type { Catalogue } from '../data/catalogue.ts';
import type { Dataset } from '../data/dataset.ts';
import type { Well, World } from '../platform/world.ts';
import { hasBeenDrilled, isOrdinary, sampleEnd } from '../platform/world.ts';
import { hash } from '../random.ts';
import type { Recipe } from '../store/generated.ts';
import { generatedRun } from '../store/generated.ts';
import type { Key } from '../store/values.ts';
import { activity } from './activity.ts';
import { PumpingLog } from './completion.ts';
import type { DepthLog } from './depth.ts';
import { depthAt, depthChannels, summaryChannels } from './depth.ts';
import * as reference from './reference.ts';
import { sensorReading, sensorTime, sensorsPerPad } from './sensors.ts';
import { split } from './shares.ts';
import { DrillingLog } from './wits.ts';

/** What a run of records of one well is made of. */
interface Part {
  readonly dataset: Dataset;
  readonly well: Well;
  readonly rows: number;
  readonly scope?: JsonObject;
  readonly exact?: boolean;
  readonly key: (row: number) => Key;
  /** What stands between `collection` and the end of the record. */
  readonly body: (row: number) => JsonObject;
}

class Filler {
  readonly #runs = new Map<Dataset, number>();

  add({ dataset, well, rows, scope, exact, key, body }: Part): void {
    if (rows <= 0) return;
    const run = this.#runs.get(dataset) ?? 0;
    this.#runs.set(dataset, run + 1);
    const envelope = {
      company_id: well.companyId,
      asset_id: well.assetId,
      version: 1,
      provider: dataset.provider,
      collection: dataset.name,
    };
    const { asset_id: _scopedByMetadata, ...withoutAsset } = envelope;
    const timeseries = dataset.type === 'timeseries';
    const recipe: Recipe = {
      scope: timeseries
        ? { company_id: well.companyId, metadata: { company_id: well.companyId, asset_id: well.assetId } }
        : { company_id: well.companyId, asset_id: well.assetId, ...scope },
      length: rows,
      idPrefix: `66f0${dataset.id.toString(16).padStart(2, '0')}${run.toString(16).padStart(6, '0')}`,
      key,
      make: timeseries
        ? (row) => ({ ...withoutAsset, ...body(row) })
        : (row) => ({ ...envelope, ...body(row) }),
      exact: exact ?? false,
    };
    dataset.collection.addGenerated(generatedRun(recipe));
  }
}

/**
 * Fills the datasets with so many records that ordinary keys see, the newest at `end` (Unix milliseconds). The same seed, wells and
 * number give the same records.
 */
export function fillSample(
  catalogue: Catalogue,
  world: World,
  seed: number,
  records: number,
  end = sampleEnd,
): void {
  const filler = new Filler();
  const drilled = world.wells.filter((well) => isOrdinary(well) && hasBeenDrilled(well));
  const left = records - fillReference(filler, catalogue, drilled, seed, Math.floor(records * 0.2));
  const shift = end - sampleEnd;
  const [wits = 0, depth = 0, completion = 0, sensors = 0, summary = 0] = split(
    left,
    [0.7, 0.12, 0.08, 0.06, 0.04],
  );
  fillWits(filler, catalogue.samples.wits, drilled, seed, wits, shift);
  fillDepth(filler, catalogue.samples.depth, drilled, seed, depth, 0.5, depthChannels);
  fillDepth(filler, catalogue.samples.summary, drilled, seed, summary, 1, summaryChannels);
  const fracked = drilled.filter((well) => well.fleetId !== null);
  fillCompletion(filler, catalogue, fracked.length > 0 ? fracked : drilled, seed, completion, shift);
  fillSensors(filler, catalogue, drilled, seed, sensors, shift);
  const others = world.wells.filter((well) => !isOrdinary(well) && well.visibility !== 'deleted');
  const few = Math.min(records, others.length * recordsOfOthers);
  fillWits(filler, catalogue.samples.wits, others, seed, few, shift);
  fillWits(filler, catalogue.northern, others, seed, few, shift);
}

// What only administrators and the other company see comes on top of the number asked for.
const recordsOfOthers = 200;

// Wells that are being drilled have far more data than those that were drilled long ago.
function fillWits(
  filler: Filler,
  dataset: Dataset,
  wells: readonly Well[],
  seed: number,
  rows: number,
  shift: number,
): void {
  const counts = split(
    rows,
    wells.map((well) => (well.state === 'drilling' ? 12 : 3) / (1 + well.index / 40)),
  );
  for (const [at, well] of wells.entries()) {
    const count = counts[at] ?? 0;
    if (count === 0) continue;
    const wellSeed = hash(seed, 201, well.index);
    const end = (well.lastDrillingAt ?? sampleEnd) + shift;
    const log = new DrillingLog(wellSeed, activity(wellSeed, count, end, 2_000 + (wellSeed % 9_000)));
    const times = Float64Array.from({ length: count }, (_, row) => log.time(row));
    const time = (row: number): number => times[row] ?? 0;
    filler.add({
      dataset,
      well,
      rows: count,
      key: time,
      body: (row) => ({ timestamp: time(row), data: log.channels(row) }),
    });
  }
}

function fillDepth(
  filler: Filler,
  dataset: Dataset,
  wells: readonly Well[],
  seed: number,
  rows: number,
  step: number,
  channels: (log: DepthLog, depth: number) => JsonObject,
): void {
  // Every third well was logged twice: two logs over the same depths, told apart by their identifiers alone.
  const logs = wells.flatMap((well) => (well.index % 3 === 0 ? [{ well, log: 1 }, { well, log: 2 }] : [{ well, log: 1 }])); // prettier-ignore
  const counts = split(
    rows,
    logs.map(({ well }) => 1 / (1 + well.index / 40)),
  );
  for (const [at, { well, log }] of logs.entries()) {
    const logSeed = hash(seed, 301, well.index, log);
    const identifier = `${hash(logSeed, dataset.id).toString(16).padStart(8, '0')}${hash(logSeed, 5).toString(16).padStart(8, '0').slice(0, 4)}`;
    const depths: DepthLog = { seed: logSeed, top: 1_500 + (hash(seed, well.index) % 1_000), step };
    filler.add({
      dataset,
      well,
      rows: counts[at] ?? 0,
      scope: { log_identifier: identifier },
      key: (row) => depthAt(depths, row),
      body: (row) => {
        const depth = depthAt(depths, row);
        return { measured_depth: depth, log_identifier: identifier, data: channels(depths, depth) };
      },
    });
  }
}

function fillCompletion(
  filler: Filler,
  { samples }: Catalogue,
  wells: readonly Well[],
  seed: number,
  rows: number,
  shift: number,
): void {
  const counts = split(
    rows,
    wells.map((well) => (well.state === 'completions' ? 8 : 2) / (1 + well.index / 40)),
  );
  for (const [at, well] of wells.entries()) {
    const count = counts[at] ?? 0;
    const end =
      (well.state === 'completions'
        ? (well.lastActiveAt ?? sampleEnd)
        : (well.lastDrillingAt ?? sampleEnd) + 20 * 86_400_000) + shift;
    const log = new PumpingLog(hash(seed, 401, well.index), count, end);
    filler.add({
      dataset: samples.completion,
      well,
      rows: count,
      key: (row) => log.time(row),
      body: (row) => ({ timestamp: log.time(row), stage_number: log.stage(row), data: log.channels(row) }),
    });
  }
}

function fillSensors(
  filler: Filler,
  { samples }: Catalogue,
  wells: readonly Well[],
  seed: number,
  rows: number,
  shift: number,
): void {
  const chosen = wells.filter((well) => well.status === 'active');
  const counts = split(
    rows,
    (chosen.length > 0 ? chosen : wells).map((well) => 1 / (1 + well.index / 40)),
  );
  for (const [at, well] of (chosen.length > 0 ? chosen : wells).entries()) {
    const count = counts[at] ?? 0;
    const wellSeed = hash(seed, 501, well.index);
    const end = sampleEnd + shift;
    const time = (row: number): string => new Date(sensorTime(row, count, end)).toISOString();
    filler.add({
      dataset: samples.sensors,
      well,
      rows: count,
      key: time,
      body: (row) => ({
        datetime: time(row),
        metadata: {
          company_id: well.companyId,
          asset_id: well.assetId,
          sensor: `node-${String((row % sensorsPerPad) + 1)}`,
        },
        data: sensorReading(wellSeed, row),
      }),
    });
  }
}

function fillReference(
  filler: Filler,
  { samples }: Catalogue,
  wells: readonly Well[],
  seed: number,
  most: number,
): number {
  let used = 0;
  for (const well of wells) {
    const stages = well.fleetId === null ? 0 : 12 + (hash(seed, 601, well.index) % 20);
    const needed = 1 + reference.formationsPerWell + reference.sectionsPerWell + stages;
    if (used + needed > most) break;
    used += needed;
    const start = (well.lastDrillingAt ?? sampleEnd) + 20 * 86_400_000;
    const stageTimes = (row: number): JsonObject =>
      reference.stageTimes(seed, well, row + 1, start + row * 7_200_000, start + row * 7_200_000 + 5_400_000);
    const add = (dataset: Dataset, rows: number, body: (row: number) => JsonObject, exact = false): void => {
      filler.add({ dataset, well, rows, key: () => null, body, exact });
    };
    add(samples.survey, 1, () => ({ data: reference.survey(seed, well) }));
    add(
      samples.formations,
      reference.formationsPerWell,
      (row) => ({ data: reference.formation(seed, well, row) }),
      true,
    );
    add(samples.sections, reference.sectionsPerWell, (row) => ({ data: reference.section(seed, well, row) }));
    add(samples.stageTimes, stages, (row) => ({ stage_number: row + 1, data: stageTimes(row) }), true);
  }
  return used;
}
