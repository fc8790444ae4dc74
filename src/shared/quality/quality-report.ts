import * as z from 'zod';

/** What the index of records is: Unix milliseconds, a depth, another number, or the number of the record. */
export const indexKind = z.enum(['time', 'depth', 'number', 'rows']);
export type IndexKind = z.infer<typeof indexKind>;

/** An index; null: there is none. */
const place = z.number().nullable();

/** A range without records, between two records or at the edge of the requested range. */
const gap = z.object({
  /** The series, such as an asset ID; empty: there is only one. */
  well: z.string(),
  from: z.number(),
  to: z.number(),
  /** Number of records by the step; null: the step is unknown. */
  missing: z.int().nullable(),
});
export type Gap = z.infer<typeof gap>;

const flatStretch = z.object({
  well: z.string(),
  from: z.number(),
  to: z.number(),
  records: z.int(),
  value: z.number(),
});
export type FlatStretch = z.infer<typeof flatStretch>;

/** A value that stands out: a spike, or one outside physical limits. */
const oddValue = z.object({ well: z.string(), at: z.number(), value: z.number() });
export type OddValue = z.infer<typeof oddValue>;

const fieldQuality = z.object({
  name: z.string(),
  unit: z.string().nullable(),
  /** Number of records with a value that is neither null nor a null token. */
  values: z.int(),
  /** Number of records in which the field is null or absent. */
  nulls: z.int(),
  /** Number of null tokens such as -999.25. */
  tokens: z.int(),
  /** The longest, in order of the index. */
  flat: z.array(flatStretch),
  flatCount: z.int(),
  /** Number of wells in whose values flat stretches and spikes weren't looked for, because there are too many. */
  uncheckedWells: z.int(),
  spikes: z.int(),
  /** The largest deviations, in order of the index. */
  spikePlaces: z.array(oddValue),
  /** Number of values outside the limits. */
  outside: z.int(),
  outsidePlaces: z.array(oddValue),
  /** Physical limits; null: unknown. */
  limits: z.object({ min: z.number(), max: z.number() }).nullable(),
  /** Number of values by type. */
  types: z.record(z.string(), z.int()),
  /** The lowest and the highest index with a value. */
  first: place,
  last: place,
  min: z.number().nullable(),
  max: z.number().nullable(),
});
export type FieldQuality = z.infer<typeof fieldQuality>;

const wellQuality = z.object({
  well: z.string(),
  rows: z.int(),
  first: place,
  last: place,
  step: z.number().nullable(),
  gaps: z.int(),
  missing: z.int(),
  duplicates: z.int(),
  disorder: z.int(),
});
export type WellQuality = z.infer<typeof wellQuality>;

/** The quality of records. Places are values of the index; times are Unix milliseconds. */
export const qualityReport = z.object({
  rows: z.int(),
  index: z.object({
    field: z.string().nullable(),
    kind: indexKind,
    unit: z.string().nullable(),
    first: place,
    last: place,
    /** The most frequent step; null: the index is irregular. */
    step: z.number().nullable(),
  }),
  gaps: z.array(gap),
  gapCount: z.int(),
  /** The longest distance between two records of a well, or from one to the edge; null: there is none. */
  longest: gap.omit({ missing: true }).nullable(),
  missing: z.int(),
  /** Number of records with the index of the record before them, in the same well. */
  duplicates: z.int(),
  /** Number of records whose index goes back. */
  disorder: z.int(),
  /** Number of records without an index. */
  unplaced: z.int(),
  fields: z.array(fieldQuality),
  wells: z.array(wellQuality),
  /** The requested wells without records. */
  absent: z.array(z.string()),
  /** Number of wells whose records are counted, but not checked for gaps, flat stretches, and spikes. */
  uncheckedWells: z.int(),
  /** Number of fields beyond the maximum, which the report doesn't have. */
  uncheckedFields: z.int(),
  /** Percent of the expected records, by range of the index: of all records, and by field. */
  completeness: z.object({
    from: z.number(),
    width: z.number(),
    rows: z.array(z.int()),
    fields: z.array(z.array(z.int())),
  }),
});
export type QualityReport = z.infer<typeof qualityReport>;

/** The wells whose records have no index, or no regular step, so that no distance between them is a gap. */
export function irregularWells({
  index,
  longest,
  wells,
}: Pick<QualityReport, 'index' | 'longest' | 'wells'>): WellQuality[] {
  if (index.kind === 'rows') return [];
  // A single record is checked by the step of the other wells. Without any distance, there is nothing to check.
  const isIrregular = ({ step, first, last }: WellQuality) =>
    longest !== null && step === null && (first !== last || index.step === null);
  return wells.filter((well) => well.first === null || isIrregular(well));
}

/** Fields that name a record or where it is stored, and have no quality of their own. */
export const bookkeepingFields: ReadonlySet<string> = new Set([
  '_id',
  'provider',
  'collection',
  'company_id',
  'metadata.company_id',
  'version',
]);

/** The name of a series: its well, and its log if wells have several. */
export const seriesName = (well: string, log: string): string => (log === '' ? well : `${well} ${log}`);
