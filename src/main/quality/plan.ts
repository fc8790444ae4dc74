import * as z from 'zod';
import { datasetAddress } from '../../shared/datasets/datasets.ts';
import { direction } from '../paging/rule.ts';

/** Version of plan and journal. */
export const qualityFormatVersion = 1;

/** Where the records of a dataset say what and where they are. */
export const recordShape = z.object({
  index: z
    .object({
      field: z.string(),
      kind: z.enum(['time', 'depth', 'number']),
      unit: z.string().nullable(),
    })
    .nullable(),
  /** The paths that name the well, and the log of a well. */
  wellFields: z.array(z.string()),
  logField: z.string().nullable(),
  /** Units by field. */
  units: z.record(z.string(), z.string()),
});
export type RecordShape = z.infer<typeof recordShape>;

/** What is checked, and how. */
export const checkSpec = recordShape.extend({
  /** The fields to check; empty: all. */
  fields: z.array(z.string()),
  range: z.object({
    from: z.number().nullable(),
    to: z.number().nullable(),
    includesTo: z.boolean(),
  }),
  /** The wells that the query names. */
  wells: z.array(z.string()),
  /** Null: the most frequent step. */
  step: z.number().nullable(),
  spikeThreshold: z.number(),
  /** The names of channels that the user has added, with the standard names that they mean. */
  synonyms: z.array(z.tuple([z.string(), z.string()])).default([]),
});
export type CheckSpec = z.infer<typeof checkSpec>;

/** The request of a quality job, decided once. */
export const qualityPlan = z.object({
  connection: z.object({ id: z.string(), name: z.string(), dataUrl: z.string() }),
  address: datasetAddress,
  fileName: z.string(),
  /** Strict JSON. */
  query: z.string(),
  sort: z.string(),
  concurrency: z.int(),
  windows: z.object({ field: z.string(), direction, tie: direction }).nullable(),
  spec: checkSpec,
});
export type QualityPlan = z.infer<typeof qualityPlan>;

/** The journal of a quality job: a resumed one reads everything again. */
export const qualityEntry = z.object({ kind: z.literal('finished'), rows: z.int() });
export type QualityEntry = z.infer<typeof qualityEntry>;
