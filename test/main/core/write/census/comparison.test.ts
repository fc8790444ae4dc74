import { expect, it } from 'vitest';
import {
  type Difference,
  readServiceCensus,
  rereadsFor,
} from '../../../../../src/main/core/write/census/comparison.ts';
import { partitionScope } from '../../../../../src/main/core/write/census/partition.ts';

const day = 86_400_000;
const first = Date.UTC(2026, 0, 1);
const partition = { assetPath: 'asset_id', timePath: 'timestamp', period: 'day' } as const;

/** A difference of a day: of a well, or of all wells. */
function differing(well: number | null, dayNumber: number): Difference {
  const ms = first + dayNumber * day;
  const folder = `asset_id=${well ?? 5001}/day=${new Date(ms).toISOString().slice(0, 10)}`;
  const { period } = partitionScope(folder);
  const name = well === null ? folder.replace(/asset_id=\d+/, '*') : folder;
  return { partition: name, wells: well === null ? null : [well], period, rows: 10 };
}

it('reads no record twice in one batch: a query for all wells is alone in its batch', () => {
  const scope = { query: {}, partition, maxTimeMs: first + 10 * day, belowMs: null };
  const differences = [differing(null, 1), differing(null, 2), differing(5002, 2), differing(5003, 1)];
  const rereads = rereadsFor(differences, scope);
  const all = rereads.filter(({ queries }) => queries.some((query) => !('asset_id' in query)));
  expect(all.length).toBeGreaterThan(0);
  expect(all.map(({ queries }) => queries.length)).toEqual(all.map(() => 1));
  expect(rereads.flatMap(({ partitions }) => partitions).toSorted()).toEqual(
    differences.map((of) => of.partition).toSorted(),
  );
});

it('takes the groups of a service that sends the first ones again and again for no census', async () => {
  const groups = Array.from({ length: 500 }, (_, well) => ({ _id: { well, day: first }, records: 1 }));
  const pipeline = async (_: unknown, stages: readonly object[]) => {
    const isAgain = stages.some((stage) => '$skip' in stage);
    const text = JSON.stringify(isAgain && !ignoresSkip ? [] : groups);
    return { text, bytes: new Uint8Array(), count: 0, total: null };
  };
  let ignoresSkip = false;
  const scope = { query: {}, partition, maxTimeMs: first + 10 * day, belowMs: null };
  const read = async () =>
    readServiceCensus(
      { pipeline },
      { provider: 'demo', dataset: 'wits' },
      scope,
      new AbortController().signal,
    );
  expect((await read())?.tallies.size).toBe(500);
  ignoresSkip = true;
  expect(await read()).toBeNull();
});
