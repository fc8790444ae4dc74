import type { Part } from './entries.ts';

/** The places of a part's records in their batch, in order. */
export const placesOf = ({ first, records, at }: Part): number[] =>
  at ?? Array.from({ length: records }, (_, n) => first + n);

/** Calls back with each of these places, in order. */
export function eachPlace({ first, records, at }: Part, tell: (place: number) => void): void {
  if (at) for (const place of at) tell(place);
  else for (let place = first; place < first + records; place++) tell(place);
}

/** The part that has these records of a batch; the places are in order. */
export function partOf(batch: number, places: readonly number[]): Part {
  const first = places[0] ?? 0;
  const records = places.length;
  const inOneRow = (places.at(-1) ?? 0) - first === records - 1;
  return inOneRow ? { batch, first, records } : { batch, first, records, at: [...places] };
}

/** The part alone, as entries have it. */
export const plainPart = ({ batch, first, records, at }: Part): Part => ({
  batch,
  first,
  records,
  ...(at ? { at } : {}),
});

/** What is known of rows that are sent again. */
export interface Origin {
  /** How often they went the same way without being stored. */
  readonly resends: number;
  /** The rows of one well, of a batch that was refused for a lack of permission. */
  readonly regroup: Regroup | null;
}

/** Whether rows of any well of a refused batch were stored after all. */
export interface Regroup {
  stored: boolean;
}
