import { addressOf, type Dataset } from '../../../shared/datasets/datasets.ts';
import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import { isObject, parseJson } from '../../../shared/json.ts';
import type { PipelineRequest } from '../../../shared/query/query.ts';
import { hasAssetId } from '../../../shared/wells/scope.ts';
import type { Well } from '../../../shared/wells/wells.ts';
import { withRecordTime, type WellsState } from './wells-state.ts';

/** The time between two readings, in milliseconds. */
export const recordTimesPaceMs = 120_000;
/** Maximum number of wells in a request: those with the latest times. */
const maxWells = 50;

/**
 * One request for the times of the newest records of wells, after those that are known.
 * @param connection the id of the connection
 * @param dataset a dataset over time
 * @param wells all that are listed
 * @param recordTimes the known times
 * @returns null: no well has had records
 */
export function recordTimesRequest(
  connection: string,
  dataset: Dataset,
  wells: readonly Well[],
  recordTimes: WellsState['recordTimes'],
): PipelineRequest | null {
  const { scopeField } = datasetShapes.time;
  const latest = wells
    .filter(hasAssetId)
    .map((well) => ({
      assetId: well.assetId,
      at: Date.parse(withRecordTime(well, recordTimes).lastActiveAt ?? ''),
    }))
    .filter(({ at }) => !Number.isNaN(at))
    .toSorted((a, b) => b.at - a.at)
    .slice(0, maxWells);
  if (latest.length === 0) return null;
  const stages = [
    {
      $match: {
        // Some services refuse queries whose wells aren't at the top.
        [scopeField]: { $in: latest.map(({ assetId }) => assetId) },
        $or: latest.map(({ assetId, at }) => ({ [scopeField]: assetId, timestamp: { $gt: at } })),
      },
    },
    { $group: { _id: `$${scopeField}`, at: { $max: '$timestamp' } } },
  ];
  return { connection, ...addressOf(dataset), stages: JSON.stringify(stages), timeoutMs: 20_000 };
}

/** The times in a result of {@link recordTimesRequest}, in Unix milliseconds by asset id; other contents are skipped. */
export function recordTimesIn(page: Uint8Array): (readonly [assetId: number, at: number])[] {
  const records = parseJson(new TextDecoder().decode(page));
  return (Array.isArray(records) ? records : []).flatMap((record) => {
    const [asset, at] = isObject(record) ? [record['_id'], record['at']] : [];
    return typeof asset === 'number' && typeof at === 'number' ? [[asset, at] as const] : [];
  });
}
