import * as z from 'zod';
import { maxOf, minOf } from '../../../../shared/lists.ts';
import { uploadProblem } from '../../../../shared/upload/result.ts';
import { idRuns } from '../../../core/mapping/mapping.ts';

/**
 * A part of a batch: a number of its records from the first one, counted from 0; if they are not consecutive, `at` has
 * the index of each.
 */
const part = { batch: z.int(), first: z.int(), records: z.int(), at: z.array(z.int()).optional() };

/** The content of a 200 that doesn't identify the stored records. */
export const openAnswer = z.object({ ids: idRuns, failed: z.int(), said: z.string() });
export type OpenAnswer = z.infer<typeof openAnswer>;

/** A record that was rejected by the service or for its size: its index in the batch, and its line in the file. */
export const rejection = z.object({ at: z.int(), line: z.int(), code: z.string(), message: z.string() });
export type Rejection = z.infer<typeof rejection>;

/**
 * The journal of an upload. A row of the file is in the batch whose entry covers it, else it has not been read. The last
 * entry about a record decides its state.
 */
export const uploadEntry = z.discriminatedUnion('kind', [
  /** Rows that were read and validated; records are to be sent, the other rows are rejected. */
  z.object({
    kind: z.literal('batch'),
    batch: z.int(),
    /** First row, counted from 0, and the number of rows. */
    row: z.int(),
    rows: z.int(),
    /** The range of their bytes in the file. */
    from: z.int(),
    to: z.int(),
    line: z.int(),
    nextLine: z.int(),
    records: z.int(),
    /** The digest of the body with all its records. */
    sha256: z.string(),
    problems: z.array(uploadProblem),
    /** Number of local times that occur twice in their zone. */
    twice: z.int(),
    /** Indexes in the batch of rows that are already in the dataset: they are not sent. */
    skipped: z.array(z.int()),
    /** Number of rows whose well and index have other values in the dataset. */
    differs: z.int(),
    /** Of a dry run: rows with the same well and index as an earlier row of the file. */
    repeated: z.object({ count: z.int(), line: z.int().nullable() }).optional(),
  }),
  /** On disk before the first byte is sent: the part is unknown until another entry follows. */
  z.object({ kind: z.literal('sent'), ...part, sha256: z.string() }),
  /** Certainly not stored: it may be sent again. */
  z.object({ kind: z.literal('returned'), ...part, why: z.string() }),
  /** Acknowledged: stored except the rejected ones. The ids are those of the stored ones. */
  z.object({ kind: z.literal('acked'), ...part, rejected: z.array(rejection), ids: idRuns }),
  /** The response doesn't tell the result. The part is reconciled by reading before anything else. */
  z.object({
    kind: z.literal('unknown'),
    ...part,
    status: z.int().nullable(),
    cause: z.string(),
    answer: openAnswer.optional(),
  }),
  /**
   * An unknown part after reconciling. `stored`: indexes of the records that were found, under these ids, which are
   * accounted for from now on; `missing` ones are to be sent again.
   */
  z.object({
    kind: z.literal('settled'),
    ...part,
    stored: z.array(z.int()),
    ids: idRuns,
    missing: z.array(z.int()),
    rejected: z.array(rejection),
  }),
]);
export type UploadEntry = z.infer<typeof uploadEntry>;
export type BatchEntry = Extract<UploadEntry, { kind: 'batch' }>;
export type PartEntry = Exclude<UploadEntry, BatchEntry>;
export type Part = Pick<PartEntry, 'batch' | 'first' | 'records' | 'at'>;
export type UnknownEntry = Extract<UploadEntry, { kind: 'unknown' }>;
export type SettledEntry = Extract<UploadEntry, { kind: 'settled' }>;
export type AckedEntry = Extract<UploadEntry, { kind: 'acked' }>;

/** Indexes of a part's records in their batch, in ascending order. */
export const placesOf = ({ first, records, at }: Part): number[] =>
  at ?? Array.from({ length: records }, (_, n) => first + n);

/** The part with these records of a batch. @param places indexes in ascending order, at least one */
export function partOf(batch: number, places: readonly number[]): Part {
  const first = minOf(places);
  const records = places.length;
  const inOneRow = maxOf(places) - first === records - 1;
  return inOneRow ? { batch, first, records } : { batch, first, records, at: [...places] };
}

/** A text that identifies a part among those of an upload. @param part of a batch */
export const nameOf = ({ batch, first, records }: Part): string => `${batch} ${first} ${records}`;

/** Only the fields of a part. */
export const plainPart = ({ batch, first, records, at }: Part): Part => ({
  batch,
  first,
  records,
  ...(at ? { at } : {}),
});
