import type { AckedPart } from '../ledger/acked-parts.ts';
import type { BatchReading, Key, MustShow } from './batch-reading.ts';

/** Rows of the batch acked later that each read must show. */
const witnessRows = 5;

/** The batch acked last; a read that shows rows of it is at least as new as that. */
export interface Witness extends MustShow {
  readonly acked: AckedPart | null;
}

export async function witnessOf(
  acked: AckedPart | null,
  key: Key,
  reading: Pick<BatchReading, 'print'>,
): Promise<Witness> {
  if (!acked) return { acked, rows: [], isShown: () => false };
  const ids = new Set(acked.ids);
  const printed = await reading.print(acked.entry, key);
  const rows = acked.places.slice(0, witnessRows).flatMap((place) => printed.rows[place] ?? []);
  return {
    acked,
    rows,
    isShown(sightings) {
      const own = new Set(sightings.filter(({ id }) => ids.has(id)).map(({ print }) => print));
      return rows.every(({ print }) => own.has(print));
    },
  };
}
