import * as z from 'zod';
import { datasetType } from '../../../../shared/datasets/datasets.ts';
import { fileWarning, mapping } from '../../../../shared/upload/upload.ts';
import { uploadedRecords } from '../../../../shared/upload/result.ts';
import { planHead } from '../../jobs/engine.ts';
import { compression, fileFormat, rowPlaces } from '../../../../shared/upload/formats.ts';
import { rules } from './rules.ts';

/** A part of a dataset that contains all rows of a file, perhaps with others; a survey of the file narrows it. */
export const bounds = z.object({
  assets: z.array(z.int()),
  range: z.object({ min: z.number(), max: z.number() }).nullable(),
});
export type Bounds = z.infer<typeof bounds>;

const span = z.object({ start: z.int(), end: z.int() });

/** A {@link Layout} in the plan: how the file is read, decided once. */
export const layout = z.object({
  jsonLines: z.boolean(),
  delimiter: z.string(),
  quote: z.literal("'").optional(),
  crEnds: z.boolean(),
  comments: z.boolean(),
  hasDelimiterLine: z.boolean().optional(),
  hasEscapes: z.boolean().optional(),
  encoding: z.object({ name: z.string(), bom: z.int() }),
  headerLine: z.int(),
  groupLine: z.int().optional(),
  unitLine: z.int().nullable(),
  header: span.nullable(),
  columns: z.array(
    z.object({
      name: z.string(),
      key: z.string(),
      unit: z.string().nullable(),
      path: z.array(z.string()).readonly().optional(),
    }),
  ),
  dataStart: z.int(),
  dataLine: z.int(),
  hashColumns: z.array(z.int()).readonly().optional(),
  fillFrom: z.int().optional(),
  isExact: z.boolean().optional(),
  placeKind: rowPlaces.shape.kind.optional(),
});

/** The path of the rejects file. */
const rejectsPlace = z.discriminatedUnion('place', [
  /** `replaces` is absent in plans of earlier versions. */
  z.object({ place: z.literal('path'), path: z.string(), replaces: z.boolean().default(false) }),
  z.object({ place: z.literal('job'), name: z.string() }),
]);

/** How the file became the table that is read, and which file it was. */
const conversion = z.object({
  /** Version of the converter. */
  version: z.int(),
  format: fileFormat,
  compression: compression.nullable(),
  places: rowPlaces,
  /** The map to places in the original, before the job takes ownership of it; null: the lines are those of the file. */
  placesFile: z.string().nullable(),
  original: z.object({
    place: z.enum(['path', 'spooled']),
    path: z.string(),
    bytes: z.int(),
    mtimeMs: z.number(),
    sha256: z.string(),
  }),
});

/** The plan of an upload: what is needed to read, convert, and send the file again in the same way. */
export const uploadPlan = planHead.extend({
  type: datasetType.nullable(),
  source: z.object({
    /**
     * `spooled`: Wellbench's own copy, which the job moves into its folder; `converted`: a table of the file, which it
     * links there.
     */
    place: z.enum(['path', 'spooled', 'converted']),
    path: z.string(),
    bytes: z.int(),
    mtimeMs: z.number(),
    sha256: z.string(),
  }),
  conversion: conversion.optional(),
  layout,
  newline: z.enum(['\n', '\r\n', '\r']),
  rules,
  /** The units of fields that the dataset doesn't have yet, by path. */
  newUnits: z.record(z.string(), z.string()).default({}),
  /** The sources of the rules, for uploads of rejects files. */
  mapping,
  /** Number of records: data rows of the file, or groups of them. */
  rows: z.int(),
  /** Number of footer rows, which are skipped. */
  footerRows: z.int(),
  /** The part of the dataset for the rows, as far as it is known without reading the file again. */
  bounds: bounds.nullable(),
  /** Absent in plans of earlier versions. */
  records: uploadedRecords.optional(),
  dryRun: z.boolean(),
  existing: z.enum(['skip', 'insert']),
  settleSeconds: z.number(),
  rejects: rejectsPlace,
  maxRejected: z.int().nullable(),
  /** Of an upload of fixed rows: their lines in the file of the parent, which no other upload sends. */
  fixedLines: z.array(z.int()).optional(),
  warnings: z.array(fileWarning),
});
export type UploadPlan = z.infer<typeof uploadPlan>;

/** Version of plan and journal. */
export const uploadFormat = 1;
