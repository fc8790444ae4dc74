import type { CheckOptions } from './field-track.ts';
import type { IndexKind } from './report.ts';

/** A spike deviates by more than this many robust standard deviations. */
export const defaultSpikeThreshold = 8;

/** The shortest flat stretch that is reported: a value repeats while the rig is idle or a sensor is slow. */
const minFlatLengths: Record<IndexKind, number> = { time: 30 * 60_000, depth: 15, number: 0, rows: 0 };
const minFlatRecords = { byLength: 30, byCount: 200 };

/** How flat stretches and spikes are found by default. */
export function defaultChecks(kind: IndexKind, spikeThreshold = defaultSpikeThreshold): CheckOptions {
  const minFlatLength = minFlatLengths[kind];
  return {
    spikeThreshold,
    minFlatLength,
    minFlatRecords: minFlatLength > 0 ? minFlatRecords.byLength : minFlatRecords.byCount,
  };
}
