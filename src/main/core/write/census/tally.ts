import * as z from 'zod';

/** What is compared of the records of a partition: two copies with the same tallies are taken for the same. */
export const tally = z.object({
  rows: z.int(),
  /** The highest `_id`; null: unknown, or they have none. */
  id: z.string().nullable(),
  /** The sum of their times, each in milliseconds since the start of its day; null: unknown, or none has a plausible time. */
  times: z.number().nullable().default(null),
});
export type Tally = z.infer<typeof tally>;

/** The records of a dataset, or of a copy of it, by partition. */
export type Census = ReadonlyMap<string, Tally>;

/** The highest id, or the latest time; null: there is none. */
const highest = <T extends string | number>(a: T | null, b: T | null): T | null =>
  a === null || (b !== null && b > a) ? b : a;

/** The tally of two sets of records together. */
export const tallySum = (a: Tally, b: Tally): Tally => ({
  rows: a.rows + b.rows,
  id: highest(a.id, b.id),
  times: sumOf(a, b),
});

/** Times that are unknown make the sum unknown, unless there are no records. */
function sumOf(a: Tally, b: Tally): number | null {
  if (a.rows === 0) return b.times;
  if (b.rows === 0) return a.times;
  return a.times === null || b.times === null ? null : a.times + b.times;
}

const empty: Tally = { rows: 0, id: null, times: null };

// The sum of fractions depends on their order.
const areTimesSame = (a: number | null, b: number | null): boolean =>
  a === b || !Number.isSafeInteger(a) || !Number.isSafeInteger(b);

const isSame = (a: Tally, b: Tally): boolean =>
  a.rows === b.rows && (a.id === null || b.id === null || a.id === b.id) && areTimesSame(a.times, b.times);

/** The partitions whose records differ between two censuses, in order. */
export const censusDifferences = (a: Census, b: Census): string[] =>
  [...new Set([...a.keys(), ...b.keys()])]
    .filter((partition) => !isSame(a.get(partition) ?? empty, b.get(partition) ?? empty))
    .toSorted();

/** What is known of the records of a partition. */
export interface PartStats extends Tally {
  /** The time of the last record in milliseconds; null: none has a plausible time. */
  readonly last: number | null;
  /** Those that a run compares with the service: the later ones can still come while it reads. */
  readonly early: Tally;
}

export const noStats: PartStats = { ...empty, last: null, early: empty };

/** The stats of several sets of records together. */
export const statsSum = (sets: readonly PartStats[]): PartStats =>
  sets.reduce(
    (a, b) => ({
      ...tallySum(a, b),
      last: highest(a.last, b.last),
      early: tallySum(a.early, b.early),
    }),
    noStats,
  );
