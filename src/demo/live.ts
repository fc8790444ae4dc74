import type { JsonObject } from '../shared/json.ts';
import type { Dataset } from './data/dataset.ts';
import { drillingLog, padReading, pumpingLog } from './generate/fill-series.ts';
import type { SeriesRows } from './generate/sample.ts';
import { sensorsPerPad, sensorSeconds } from './generate/sensors.ts';
import type { Well } from './platform/world.ts';
import type { Service } from './service.ts';

const rowsAhead = 100_000;

/** A dataset that grows, and the records that a second adds to it. `second` counts from 1 at the start. */
interface Growth {
  readonly dataset: Dataset;
  readonly records: (second: number) => readonly JsonObject[];
}

/**
 * Adds records to the active wells where their data end: drilling and stimulation data each second, readings of
 * sensors every ten seconds, from `start` (Unix milliseconds).
 * @param filled number of rows that each well has at the start
 * @returns a function that stops it
 */
export function startGrowing(
  { world, catalogue: { samples } }: Service,
  seed: number,
  start: number,
  filled: SeriesRows,
): () => void {
  const active = world.wells.filter((well) => well.status === 'active');
  const growths = [
    drilling(samples.wits, active, seed, start, filled.wits),
    stimulation(samples.completion, active, seed, start, filled.completion),
    sensors(samples.sensors, active, seed, start, filled.sensors),
  ];
  let written = 0;
  const timer = setInterval(() => {
    // A timer may be late; all records that are due by now are added.
    for (const due = Math.floor((Date.now() - start) / 1000); written < due; written += 1) {
      for (const { dataset, records } of growths) {
        const added = records(written + 1);
        if (added.length > 0) dataset.collection.insert(added);
      }
    }
  }, 1000);
  timer.unref();
  return () => clearInterval(timer);
}

const envelope = ({ provider, name }: Dataset, { companyId, assetId }: Well) => ({
  company_id: companyId,
  asset_id: assetId,
  version: 1,
  provider,
  collection: name,
});

type Rows = ReadonlyMap<Well, number>;

/** Fields of a record by the second. */
type FieldsOf = (second: number) => JsonObject;

/** A record of each well every second. */
function eachSecond(
  dataset: Dataset,
  wells: readonly Well[],
  start: number,
  fieldsOf: (well: Well) => FieldsOf,
): Growth {
  const logs = wells.map((well) => ({ owner: envelope(dataset, well), fields: fieldsOf(well) }));
  return {
    dataset,
    records: (second) =>
      logs.map(({ owner, fields }) => ({ ...owner, timestamp: start + second * 1000, ...fields(second) })),
  };
}

function drilling(
  dataset: Dataset,
  active: readonly Well[],
  seed: number,
  start: number,
  rows: Rows,
): Growth {
  return eachSecond(dataset, active, start, (well) => {
    const row = rows.get(well) ?? 0;
    const log = drillingLog(seed, well, row + rowsAhead, start);
    return (second) => ({ data: log.channels(row + ((second - 1) % rowsAhead)) });
  });
}

function stimulation(
  dataset: Dataset,
  active: readonly Well[],
  seed: number,
  start: number,
  rows: Rows,
): Growth {
  const pumping = active.filter(({ state }) => state === 'completions');
  return eachSecond(dataset, pumping, start, (well) => {
    const row = rows.get(well) ?? 0;
    const log = pumpingLog(seed, well, row, start);
    return (second) => ({
      stage_number: log.stage(row + second - 1),
      data: log.channels(row + second - 1),
    });
  });
}

function sensors(dataset: Dataset, active: readonly Well[], seed: number, start: number, rows: Rows): Growth {
  return {
    dataset,
    records: (second) => {
      if (second % sensorSeconds !== 0) return [];
      const datetime = new Date(start + second * 1000).toISOString();
      return active.flatMap((well) => {
        // Sensors report together; a time that has only some of them is complete.
        const first = Math.ceil((rows.get(well) ?? 0) / sensorsPerPad) + second / sensorSeconds - 1;
        return Array.from({ length: sensorsPerPad }, (_, sensor) => ({
          company_id: well.companyId,
          version: 1,
          provider: dataset.provider,
          collection: dataset.name,
          datetime,
          ...padReading(seed, well, first * sensorsPerPad + sensor),
        }));
      });
    },
  };
}
