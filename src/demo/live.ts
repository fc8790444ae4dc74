import type { JsonObject } from '../shared/json.ts';
import type { Dataset } from './data/datasets.ts';
import { drillingLog } from './generate/drilling.ts';
import { padReading, pumpingChannels, sensorSeconds, sensorsPerPad, stageAt } from './generate/logs.ts';
import type { SeriesRows } from './generate/sample.ts';
import type { Well } from './platform/world.ts';
import type { Service } from './service.ts';

const rowsAhead = 100_000;

/** The fields of the records that a second adds to a dataset. `second` counts from 1 at the start. */
type Growth = (second: number) => JsonObject[];

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
  const growths: readonly (readonly [Dataset, readonly Growth[]])[] = [
    [samples.wits, active.map((well) => drilling(seed, start, well, filled.wits.get(well) ?? 0))],
    [
      samples.completion,
      active
        .filter(({ state }) => state === 'completions')
        .map((well) => stimulation(seed, start, well, filled.completion.get(well) ?? 0)),
    ],
    [samples.sensors, active.map((well) => sensors(seed, start, well, filled.sensors.get(well) ?? 0))],
  ];
  let written = 0;
  const timer = setInterval(() => {
    // A timer may be late; all records that are due by now are added.
    for (const due = Math.floor((Date.now() - start) / 1000); written < due; written += 1) {
      for (const [{ provider, name, collection }, wells] of growths) {
        const added = wells.flatMap((recordsOf) => recordsOf(written + 1));
        const envelope = { version: 1, provider, collection: name };
        if (added.length > 0) collection.insert(added.map((record) => ({ ...envelope, ...record })));
      }
    }
  }, 1000);
  timer.unref();
  return () => clearInterval(timer);
}

const idsOf = ({ companyId, assetId }: Well): JsonObject => ({ company_id: companyId, asset_id: assetId });

function drilling(seed: number, start: number, well: Well, row: number): Growth {
  const log = drillingLog(seed, well, row + rowsAhead, start);
  return (second) => [
    {
      ...idsOf(well),
      timestamp: start + second * 1000,
      data: log.channels(row + ((second - 1) % rowsAhead)),
    },
  ];
}

function stimulation(seed: number, start: number, well: Well, rows: number): Growth {
  return (second) => {
    const row = rows + second - 1;
    const timestamp = start + second * 1000;
    const data = pumpingChannels(seed, well, row);
    return [{ ...idsOf(well), timestamp, stage_number: stageAt(row), data }];
  };
}

function sensors(seed: number, start: number, well: Well, rows: number): Growth {
  return (second) => {
    if (second % sensorSeconds !== 0) return [];
    // Sensors report together; a time that has only some of them is complete.
    const first = Math.ceil(rows / sensorsPerPad) + second / sensorSeconds - 1;
    return Array.from({ length: sensorsPerPad }, (_, sensor) => ({
      company_id: well.companyId,
      datetime: new Date(start + second * 1000).toISOString(),
      ...padReading(seed, well, first * sensorsPerPad + sensor),
    }));
  };
}
