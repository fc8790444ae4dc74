import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { datasetAddress } from '../datasets/datasets.ts';
import { fileToken } from '../files/files.ts';
import { mapping, readingOptions } from '../upload/upload.ts';
import { indexKind } from './quality-report.ts';
import { fieldPath } from '../query/question.ts';

const tolerancePattern = /^\s*(\d+\.?\d*|\.\d+)\s*(%?)\s*$/;

/** How much two numbers may differ. `isShare`: by this share of the larger one, otherwise by this amount. */
export interface Tolerance {
  readonly amount: number;
  readonly isShare: boolean;
}

/** The tolerance that a text means, such as `0.5` or `1%`; null: none. */
export function toleranceOf(text: string): Tolerance | null {
  const [, number, percent] = tolerancePattern.exec(text) ?? [];
  if (number === undefined) return null;
  const isShare = percent === '%';
  return { amount: isShare ? Number(number) / 100 : Number(number), isShare };
}

const howCompared = {
  /** The fields to compare; empty: all. */
  fields: z.array(fieldPath).max(1000).default([]),
  tolerance: z
    .string()
    .refine((text) => toleranceOf(text) !== null, 'Write a number such as 0.5, or a share such as 1%.')
    .default('0'),
  concurrency: z.int().min(1).max(16).default(8),
};

const request = datasetAddress.extend({ connection: connectionId });

export const comparisonRequest = request.extend({
  /** Relaxed JSON. */
  query: z.string(),
  againstQuery: z.string(),
  ...howCompared,
});
export type ComparisonRequest = z.infer<typeof comparisonRequest>;

/** A comparison of the rows of a file, as an upload would send them, with the records of a dataset. */
export const fileComparisonRequest = request.extend({
  source: fileToken,
  reading: readingOptions.prefault({}),
  mapping: mapping.nullable().default(null),
  /** Relaxed JSON; absent: the wells, the logs, and the range of the file. */
  againstQuery: z.string().optional(),
  ...howCompared,
});

export const comparedSides = ['source', 'against'] as const;
export type ComparedSide = (typeof comparedSides)[number];

/** A field's value; null: it has none. Objects and lists are JSON. */
const value = z.union([z.number(), z.string(), z.boolean(), z.null()]);
export type ComparedValue = NonNullable<z.infer<typeof value>>;

/** The line of a row in the file; null: the record is not from a file. */
const line = z.int().nullable();

/** Consecutive records of a well that the other side lacks. */
const span = z.object({
  well: z.string(),
  /** Of the first record. */
  line,
  /** Times are Unix milliseconds. */
  from: z.number(),
  to: z.number(),
  records: z.int(),
});

const side = z.object({
  rows: z.int(),
  /** Number of records without an index; they aren't compared. */
  unplaced: z.int(),
  /** Number of rows of a file that can't be read; they aren't compared. */
  rejected: z.int(),
  /** Number of records at an index where the other side has fewer. */
  extra: z.int(),
  /** Number of records at an index where the other side has none. */
  only: z.int(),
  /** The first ranges of them. */
  ranges: z.array(span),
  rangeCount: z.int(),
  /** Fields with values on this side alone. */
  fields: z.array(z.string()),
});

/** A place where a field differs, by the index of the source. */
const difference = z.object({ well: z.string(), at: z.number(), line, source: value, against: value });

const comparedField = z.object({
  name: z.string(),
  unit: z.string().nullable(),
  /** Number of pairs of records with a value on both sides. */
  compared: z.int(),
  /** Number of those whose values differ. */
  differing: z.int(),
  /** Number of pairs in which a side has no value. */
  lacking: z.object({ source: z.int(), against: z.int() }),
  /** The largest difference of two numbers beyond the tolerance. */
  largest: difference.extend({ difference: z.number() }).nullable(),
  places: z.array(difference),
});
export type ComparedField = z.infer<typeof comparedField>;

export const comparison = z.object({
  index: z.object({ field: z.string(), kind: indexKind, unit: z.string().nullable() }),
  /** Added to the index of the source to get the index of the other side. */
  shift: z.number(),
  /** Number of pairs of records. */
  matched: z.int(),
  source: side,
  against: side,
  fields: z.array(comparedField),
  /** The requested fields without a value on either side. */
  absent: z.array(z.string()),
});
export type Comparison = z.infer<typeof comparison>;

/** How two sides differ, and what they are. */
export const comparisonReport = comparison.extend({
  /** The queries as strict JSON; the source is null if it is a file. */
  queries: z.object({ source: z.string().nullable(), against: z.string() }),
  /** As written in the request. */
  tolerance: z.string(),
});
export type ComparisonReport = z.infer<typeof comparisonReport>;

export const comparisonResult = z.object({
  /** Number of records of the source. */
  rows: z.int(),
  matched: z.int(),
  /** Number of records that the other side lacks, or that can't be compared. */
  only: z.int(),
  /** Number of fields that differ, or that one side alone has. */
  differing: z.int(),
  /** Number of requested fields without a value on either side. */
  absent: z.int(),
});
type ComparisonResult = z.infer<typeof comparisonResult>;

/** The headline of a comparison. */
export const summarizeComparison = ({
  source,
  against,
  matched,
  fields,
  absent,
}: Comparison): ComparisonResult => ({
  rows: source.rows,
  matched,
  only: [source, against].reduce(
    (sum, { only, extra, unplaced, rejected }) => sum + only + extra + unplaced + rejected,
    0,
  ),
  differing: fields.filter(fieldDiffers).length + source.fields.length + against.fields.length,
  absent: absent.length,
});

/** Whether a field has other values, or none, in records of one side. */
export const fieldDiffers = ({ differing, lacking }: Pick<ComparedField, 'differing' | 'lacking'>): boolean =>
  differing + lacking.source + lacking.against > 0;

/**
 * Whether two sides have the same records, fields, and values: at least one record, each with an index, and a value of each
 * requested field.
 */
export const isSame = ({ matched, source, against, fields, absent }: Comparison): boolean =>
  matched > 0 &&
  absent.length === 0 &&
  [source, against].every(
    ({ only, extra, unplaced, rejected, fields: onlyHere }) =>
      only + extra + unplaced + rejected + onlyHere.length === 0,
  ) &&
  !fields.some(fieldDiffers);
