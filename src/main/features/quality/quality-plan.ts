import * as z from 'zod';
import { datasetType } from '../../../shared/datasets/datasets.ts';
import type { QualityJobResult } from '../../../shared/jobs/jobs.ts';
import { planHead, type JobEvent } from '../../core/jobs/jobs.ts';
import { windowField } from '../../core/reading/reading.ts';
import { uploadPlan } from '../../core/mapping/mapping.ts';

/** Version of plan and journal. 1: without comparisons. */
export const qualityFormatVersion = 2;

const recordIndex = z.object({
  field: z.string(),
  kind: z.enum(['time', 'depth', 'number']),
  unit: z.string().nullable(),
});

/** Where the records of a dataset say what and where they are. */
export const recordShape = z.object({
  index: recordIndex.nullable(),
  /** The paths that name the well, and the log of a well. */
  wellFields: z.array(z.string()),
  logField: z.string().nullable(),
  units: z.record(z.string(), z.string()),
});
export type RecordShape = z.infer<typeof recordShape>;

export const checkSpec = recordShape.extend({
  /** The fields to check; empty: all. */
  fields: z.array(z.string()),
  range: z.object({
    from: z.number().nullable(),
    to: z.number().nullable(),
    excludesFrom: z.boolean(),
    includesTo: z.boolean(),
  }),
  /** The wells that the query names. */
  wells: z.array(z.string()),
  /** Null: the most frequent step. */
  step: z.number().nullable(),
  spikeThreshold: z.number(),
  minFlatRecords: z.int(),
  /** The names of channels that the user has added, with the standard names that they mean. */
  synonyms: z.array(z.tuple([z.string(), z.string()])),
});
export type CheckSpec = z.infer<typeof checkSpec>;

/** The request of a check, decided once. */
export const checkPlan = planHead.extend({
  /** Strict JSON. */
  query: z.string(),
  sort: z.string(),
  windows: windowField.nullable(),
  spec: checkSpec,
});
export type CheckPlan = z.infer<typeof checkPlan>;

export const comparisonSpec = recordShape.extend({
  index: recordIndex,
  /** The fields to compare; empty: all. */
  fields: z.array(z.string()),
  tolerance: z.object({ amount: z.number(), isShare: z.boolean() }),
  /** Each side has one well, or one log: its name isn't compared. */
  ignoresWell: z.boolean(),
  ignoresLog: z.boolean(),
  /** The index of the source plus this is that of the other side. */
  shift: z.number(),
});
export type ComparisonSpec = z.infer<typeof comparisonSpec>;

/** The request of a comparison, decided once. Queries are strict JSON. */
export const comparisonPlan = planHead.extend({
  type: datasetType.nullable(),
  /** The records of a query, or the rows of a file as an upload would send them. */
  source: z.union([z.object({ query: z.string() }), z.object({ upload: uploadPlan })]),
  /** Null: the wells, the logs, and the range of the file. */
  againstQuery: z.string().nullable(),
  /** As written in the request. */
  tolerance: z.string(),
  spec: comparisonSpec,
});
export type ComparisonPlan = z.infer<typeof comparisonPlan>;

export const qualityPlan = z.union([comparisonPlan, checkPlan]);
export type QualityPlan = z.infer<typeof qualityPlan>;

/** The journal of a quality job: a resumed one reads everything again. */
export const qualityEntry = z.object({ kind: z.literal('finished'), rows: z.int() });
export type QualityEntry = z.infer<typeof qualityEntry>;

export type QualityEvent = JobEvent<QualityEntry, QualityJobResult>;
