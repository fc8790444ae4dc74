import { storedLayout } from '../tables/tables.ts';
import * as z from 'zod';
import { datasetType } from '../../../shared/datasets/datasets.ts';
import { compression, fileFormat, rowPlaces } from '../../../shared/upload/formats.ts';
import { uploadedRecords } from '../../../shared/upload/result.ts';
import { fileWarning, mapping } from '../../../shared/upload/upload.ts';
import { planHead } from '../jobs/jobs.ts';

const numberStyle = z.object({ decimal: z.enum(['.', ',']), thousands: z.boolean() });
export type NumberStyle = z.infer<typeof numberStyle>;

/**
 * Rows of a well whose local times occur twice at one change of the clocks, by their positions in the file. Those before
 * `turn` have the first of both times if times rise, else the second; the rows from `turn` to `to` have the other.
 */
const repeatedHour = z.object({ from: z.int(), turn: z.int(), to: z.int(), isRising: z.boolean() });
export type RepeatedHour = z.infer<typeof repeatedHour>;

const wellColumn = z.object({ index: z.int(), by: z.enum(['id', 'name', 'api_number']) });
export type WellColumn = z.infer<typeof wellColumn>;

/** Which of two times a local time has that occurs twice because clocks go back. */
const repeatedReading = z.object({
  /** For rows that are in none of the hours. */
  reading: z.enum(['first', 'second']),
  wells: z.array(wellColumn),
  /** The hours of each well, in the order of the file. */
  hours: z.array(z.object({ well: z.string(), hours: z.array(repeatedHour) })),
});
export type RepeatedReading = z.infer<typeof repeatedReading>;

const cellConversion = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['number', 'integer']),
    style: numberStyle,
    /** Symbols of units: numbers are converted from one to the other. */
    units: z.object({ from: z.string(), to: z.string() }).optional(),
  }),
  /**
   * `json`: an array or object in a cell is parsed. `trim`: removes blanks at both ends. `digits`: pads shorter numbers
   * with zeros.
   */
  z.object({
    kind: z.literal('string'),
    json: z.boolean(),
    trim: z.boolean(),
    digits: z.int().optional(),
    /** Times with a zone in other notations than RFC 3339 are written in UTC: services refuse some of them. */
    isTime: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('boolean') }),
  z.object({
    kind: z.literal('time'),
    /** `iso`, `unix_s`, `unix_ms`, `unix_us`, `unix_ns`, `excel_1900`, `excel_1904`, or a pattern. */
    format: z.string(),
    zone: z.string(),
    /** Milliseconds since 1970, or ISO 8601 in UTC. */
    as: z.enum(['ms', 'iso']),
    /** Absent: no local time occurs twice, or the first is meant. */
    repeated: repeatedReading.optional(),
  }),
  /** A well by its name or API number, resolved before the job starts. */
  z.object({
    kind: z.literal('asset'),
    by: z.enum(['name', 'api_number']),
    ids: z.record(z.string(), z.int()),
  }),
]);
export type Conversion = z.infer<typeof cellConversion>;

const columnRule = z.object({
  /** Index of the column in the file, from 0. */
  index: z.int(),
  /** Indexes of columns whose text is appended, each after a blank. */
  join: z.array(z.int()).optional(),
  /** The name of the column in messages. */
  column: z.string(),
  path: z.array(z.string()).min(1),
  conversion: cellConversion,
});
export type ColumnRule = z.infer<typeof columnRule>;

/** How rows are combined into records, whose list has an item for each row: columns with a path below `into` fill it. */
const fold = z.object({
  /** The column with one value in all rows of a record; null: all rows of the file make one record. */
  by: z.object({ index: z.int(), column: z.string() }).nullable(),
  into: z.array(z.string()).min(2),
  /** Number of data rows of the file. */
  rows: z.int(),
  /** Position in the file after the last data row. */
  end: z.int(),
});
export type FoldRule = z.infer<typeof fold>;

/** Whether a path is of an item of the list. */
export const isInList = (path: readonly string[], { into }: { readonly into: readonly string[] }): boolean =>
  path.length > into.length && into.every((segment, depth) => path[depth] === segment);

/** How rows become records: decided once, before anything is sent. */
const rules = z.object({
  columns: z.array(columnRule),
  constants: z.array(z.object({ path: z.array(z.string()).min(1), json: z.string() })),
  /** Texts that are null values. */
  nulls: z.array(z.string()),
  /** Required paths: a record without them isn't sent. */
  required: z.array(z.array(z.string()).min(1)),
  /** How rows are combined; absent: each row is a record. */
  fold: fold.optional(),
});
export type Rules = z.infer<typeof rules>;

/** The rules for a part of each row: the columns and constants at some paths, none of which is required. */
export function rulesAt(rules: Rules, paths: readonly (readonly string[])[]): Rules {
  const isAt = ({ path }: { readonly path: readonly string[] }): boolean =>
    paths.some((at) => at.length === path.length && at.every((name, depth) => name === path[depth]));
  const columns = rules.columns.filter(isAt);
  return { ...rules, columns, constants: rules.constants.filter(isAt), required: [], fold: undefined };
}

/** A part of a dataset that contains all rows of a file, perhaps with others; a survey of the file narrows it. */
const bounds = z.object({
  assets: z.array(z.int()),
  range: z.object({ min: z.number(), max: z.number() }).nullable(),
});
export type Bounds = z.infer<typeof bounds>;

const rejectsPlace = z.discriminatedUnion('place', [
  z.object({ place: z.literal('path'), path: z.string(), replaces: z.boolean() }),
  z.object({ place: z.literal('job'), name: z.string() }),
]);

/** How the file became the table that is read, and which file it was. */
const conversion = z.object({
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
  layout: storedLayout,
  /** The decimal sign that the columns of the file prove, for uploads of rejects files; null: none. */
  decimal: numberStyle.shape.decimal.nullable().optional(),
  newline: z.enum(['\n', '\r\n', '\r']),
  rules,
  /** The units of fields that the dataset doesn't have yet, by path. */
  newUnits: z.record(z.string(), z.string()),
  /** The sources of the rules, for uploads of rejects files. */
  mapping,
  /** Number of records: data rows of the file, or groups of them. */
  rows: z.int(),
  /** Number of footer rows, which are skipped. */
  footerRows: z.int(),
  /** The part of the dataset for the rows, as far as it is known without reading the file again. */
  bounds: bounds.nullable(),
  /** Absent in uploads of fixed rows. */
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
