import * as z from 'zod';
import { calculation } from '../calculated/calculated.ts';
import { connectionId } from '../connections/connections.ts';
import { csvLayout, csvStyle, type CsvStyle } from '../csv.ts';
import { datasetAddress } from '../datasets/datasets.ts';
import { fileToken } from '../files/files.ts';
import { fieldPath, relaxedJson } from '../query/question.ts';

/** Names in the folder of a table: its log, and of a process that updates it again and again, its lock and what monitoring reads. */
export const folderNames = { log: '_delta_log', serviceLock: '_service', health: '_health.json' } as const;

/** The path of the manifest of an exported file. */
export const manifestOf = (file: string): string => `${file}.manifest.json`;

export const exportFormats = ['csv', 'xlsx', 'ndjson', 'json', 'parquet', 'las'] as const;
export const exportFormat = z.enum(exportFormats);
export type ExportFormat = z.infer<typeof exportFormat>;

/** As stored, or in a system of units: US oil field, metric, SI. */
export const exportUnits = ['stored', 'us', 'metric', 'si'] as const;
export type ExportUnits = (typeof exportUnits)[number];

/** How null values such as -999.25 are written: blank, or as stored. */
export const nullValueStyles = ['blank', 'keep'] as const;
export type NullValues = (typeof nullValueStyles)[number];

/** The formats that can leave null values blank; others have all values as stored. */
export const canBlankNulls = (format: ExportFormat): boolean =>
  format === 'csv' || format === 'xlsx' || format === 'las';

/** How columns of nested fields are named: `data.rop`, or `data_rop`. */
export const columnNamesStyles = ['dotted', 'underscore'] as const;
export type ColumnNames = (typeof columnNamesStyles)[number];

/**
 * An aggregation that responds with all records at once: a pipeline, or a simple aggregate (specification,
 * section 4.1).
 */
export const aggregation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pipeline'), stages: relaxedJson }),
  z.object({
    kind: z.literal('aggregate'),
    match: relaxedJson.default('{}'),
    sort: relaxedJson.default('{}'),
    limit: z.int().min(1).max(10_000).optional(),
    skip: z.int().min(0).default(0),
    group: relaxedJson.optional(),
    project: relaxedJson.optional(),
  }),
]);
export type Aggregation = z.infer<typeof aggregation>;

export const exportOptions = z.object({
  format: exportFormat.default('csv'),
  csv: csvStyle.prefault({}),
  /** For CSV; of it, only the order of the columns for Excel workbooks. */
  layout: csvLayout.prefault({}),
  /** The units of numbers: as stored, or of a system, converted where the unit of a field is known. */
  units: z.enum(exportUnits).default('stored'),
  /** For CSV, Excel workbooks, and LAS; others have all numbers as stored. */
  nullValues: z.enum(nullValueStyles).default('blank'),
  /** For Parquet alone. */
  columnNames: z.enum(columnNamesStyles).default('dotted'),
  /**
   * An IANA zone: timestamps are written as ISO 8601 in it. Absent: unchanged. Parquet has instants, and names the zone
   * in its metadata.
   */
  timeZone: z.string().optional(),
  /** Whether the names of wells follow their asset ids. */
  wellNames: z.boolean().default(false),
});
export type ExportOptions = z.input<typeof exportOptions>;

/** Records to show as an export would write them. */
export const exportSample = exportOptions.extend({
  /** A JSON array. */
  records: relaxedJson,
  fields: z.array(fieldPath).default([]),
  /** The units of fields, for those that `units` converts. */
  fieldUnits: z.record(z.string(), z.string()).default({}),
  /** The names of the records' wells by asset id. */
  names: z.record(z.string(), z.string()).default({}),
});
export type ExportSample = z.infer<typeof exportSample>;

/** By what a folder can be divided; days and months are in UTC. */
export const partitionKeys = ['asset_id', 'day', 'month'] as const;
export type PartitionKey = (typeof partitionKeys)[number];

export const mirrorOptions = z.object({
  /** Records this much older than the last one are read again, in milliseconds. */
  overlapMs: z.int().min(0).default(7_200_000),
});

/** The units of depths that a LAS file can be given. */
export const depthUnits = ['ft', 'm'] as const;
export type DepthUnit = (typeof depthUnits)[number];

export const exportRequest = datasetAddress.extend({
  ...exportOptions.shape,
  connection: connectionId,
  query: z.string().default('{}'),
  /** Empty: the dataset's index field, ascending. */
  sort: z.string().default(''),
  /** Instead of `query` and `sort`: exports the result of this aggregation. */
  aggregation: aggregation.optional(),
  fields: z.array(fieldPath).default([]),
  /** For LAS: the unit in which the depths are stored, where the catalogue of fields has none. */
  depthUnit: z.enum(depthUnits).optional(),
  concurrency: z.int().min(1).max(16).default(8),
  /** Columns to calculate of the records; absent: none. */
  calculation: calculation.optional(),
  /** Divides the records into a folder of Parquet files; `target` is a folder then. */
  partition: z.array(z.enum(partitionKeys)).optional(),
  /** Keeps such a folder up to date. */
  mirror: mirrorOptions.optional(),
  target: fileToken,
});
export type ExportRequest = z.infer<typeof exportRequest>;

export const exportResult = z.object({
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  /** Rows that a count at the end expected, when one could be had. */
  expected: z.int().nullable(),
  warnings: z.array(z.string()),
  folder: z
    .object({
      /** The number of its files. */
      partitions: z.int(),
      /** How many records its partitions gained, and lost. */
      added: z.int(),
      removed: z.int().default(0),
      /** How many files the run wrote or removed. */
      rewritten: z.int(),
      /** For a mirror: how many partitions were read again because the service had other records. */
      reread: z.int().optional(),
      /** For a mirror: whether it has the records of the service. */
      verified: z.boolean().optional(),
    })
    .optional(),
});
export type ExportResult = z.infer<typeof exportResult>;

export const exportPresets = ['excel', 'pandas', 'reimport'] as const;
type ExportPreset = (typeof exportPresets)[number];

interface PresetContext {
  /** The time zone of the times that a person reads. */
  readonly timeZone: string;
  readonly units: Readonly<Record<string, string>>;
  readonly decimal: CsvStyle['decimal'];
}

/** The options of a preset. */
export function presetOptions(preset: ExportPreset, context: PresetContext): ExportOptions {
  switch (preset) {
    case 'excel':
      return {
        format: 'xlsx',
        // For a file that is to be CSV.
        csv: {
          bom: true,
          escapeFormulas: true,
          ...(context.decimal === ',' ? { delimiter: ';', decimal: ',' } : {}),
        },
        layout: { timeAndWellFirst: true, units: { ...context.units }, times: 'spreadsheet' },
        timeZone: context.timeZone,
      };
    case 'pandas':
      // One offset for the whole file: pandas reads a column with several offsets as objects, not as times.
      return { format: 'csv', csv: { newline: 'LF' }, layout: { timeAndWellFirst: true }, timeZone: 'UTC' };
    case 'reimport':
      // NDJSON keeps the type of each value; a CSV can't distinguish null from absent, or 12 from "12".
      return { format: 'ndjson', nullValues: 'keep' };
  }
}

/** The paths of a record's well, and the path of its name beside each in an export with well names. */
export const wellNamePaths: ReadonlyMap<string, string> = new Map([
  ['asset_id', 'well_name'],
  ['metadata.asset_id', 'metadata.well_name'],
]);
