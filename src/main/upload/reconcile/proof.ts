import type { AckedPart } from '../ledger/acked-parts.ts';
import type { RowPrint, Sighting } from '../preparing/prints.ts';

/** What reading an acked batch back shows. */
export type Proof = 'proven' | 'other' | 'absent';

/**
 * Whether every row of an acked batch is recognised, by value and by its inserted id. `absent`: not all of the ids were
 * seen, which may only be a read that lags behind; `other`: all were, but with other values.
 */
export function proofOf(
  { ids, places }: Pick<AckedPart, 'ids' | 'places'>,
  rows: readonly RowPrint[],
  sightings: readonly Sighting[],
): Proof {
  const own = new Set(ids);
  const seen = new Map(sightings.filter(({ id }) => own.has(id)).map(({ id, print }) => [id, print]));
  if (own.size !== places.length || seen.size < own.size) return 'absent';
  const found = [...seen.values()].sort();
  const sent = places.map((place) => rows[place]?.print ?? '').sort();
  return sent.every((print, at) => print === found[at]) ? 'proven' : 'other';
}
