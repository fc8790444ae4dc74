import { maxOf } from '../lists.ts';
import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { fileToken } from '../files/files.ts';
import { mapping, readingOptions, type ColumnMapping } from './upload.ts';
import { assetKey } from '../wells/wells.ts';
import { datasetAddress } from '../datasets/datasets.ts';
import { datasetField, storedUnits } from '../datasets/fields.ts';

const request = z.object({
  connection: connectionId,
  source: fileToken,
  reading: readingOptions.prefault({}),
});

/** Which wells a file names: in the columns that a mapping sends to a well, in others that can name wells, and before its header. */
export const wellNamesRequest = request.extend({ mapping });

export const wellsInNameRequest = z.object({ connection: connectionId, source: fileToken });

export const wellCandidate = z.object({
  assetId: z.int(),
  name: z.string(),
  apiNumber: z.string().nullable(),
});
export type WellCandidate = z.infer<typeof wellCandidate>;

/** One of the different texts of a column of wells. */
const wellName = z.object({
  /** The text in the file. */
  value: z.string(),
  line: z.int(),
  /** Number of rows with it. */
  count: z.int().optional(),
  /** The resolved well; null: the user must select one, or its rows are rejected. */
  assetId: z.int().nullable(),
  /** `damaged`: an API number that lost its digits in a spreadsheet. `unchecked`: not looked up, because there are too many. */
  found: z.enum(['one', 'none', 'several', 'damaged', 'settled', 'unchecked']),
  /** Of `several` exactly these; of `none` those that a search offers. */
  candidates: z.array(wellCandidate),
});
export type WellName = z.infer<typeof wellName>;

/** How a column identifies wells. */
export const wellsBy = z.enum(['id', 'name', 'api_number']);
export type WellsBy = z.infer<typeof wellsBy>;

/** How a column or a value names wells, by the words of its own name. @param words as {@link nameInWords} */
export function wellsByName(words: readonly string[]): WellsBy {
  if (words.some((word) => word === 'uwi' || word.startsWith('api'))) return 'api_number';
  return words.some((word) => word.startsWith('asset')) ? 'id' : 'name';
}

/** The wells that a column names; `column` null: that the lines before the header name. */
export const wellColumn = z.object({
  column: z.string().nullable(),
  by: wellsBy,
  names: z.array(wellName),
});
export type WellColumn = z.infer<typeof wellColumn>;

export interface NamedWell extends WellName {
  readonly column: string | null;
  readonly by: WellsBy;
}

/**
 * The names in the file that don't match the well of all rows.
 * @param confirmed names whose rows are stored under that well, as the user confirmed
 */
export const otherWells = (
  columns: readonly WellColumn[],
  assetId: number,
  confirmed: readonly string[],
): NamedWell[] =>
  columns.flatMap(({ column, by, names }) =>
    names
      .filter(
        ({ assetId: named, value }) =>
          named !== assetId && !confirmed.some((text) => assetKey(by, text) === assetKey(by, value)),
      )
      .map((name) => ({ ...name, column, by })),
  );

/** How many wells these can be at least: a header names one well by its name and its number. */
export function minWells(names: readonly NamedWell[]): number {
  const counts = wellsBy.options.map(
    (by) => names.filter((name) => name.column === null && name.by === by).length,
  );
  return maxOf(counts) + names.filter(({ column }) => column !== null).length;
}

/** A match with at least this confidence is selected without asking. */
export const sureConfidence = 0.9;

/** A match with less confidence isn't suggested. */
export const minConfidence = 0.5;

const fieldMatch = z.object({
  /** The path in the record. */
  field: z.string(),
  /** The reason, such as `mnemonic WOB`. */
  why: z.string(),
  /** From 0 to 1. */
  confidence: z.number(),
  /** The unit of the column and that of the field, by their symbols; null: unknown. */
  unit: z.string().nullable(),
  fieldUnit: z.string().nullable(),
  /** Number of units of the field in one of the column; null: they are the same, unknown, or can't be converted. */
  factor: z.number().nullable(),
});
export type FieldMatch = z.infer<typeof fieldMatch>;

/** Whether a match is selected without asking. */
export const isSure = ({ confidence }: Pick<FieldMatch, 'confidence'>): boolean =>
  confidence >= sureConfidence;

/** The mapping that sends a column to the field of a match, with the conversion between their units. */
export const mappingOfMatch = ({ field, unit, fieldUnit }: FieldMatch): ColumnMapping => ({
  to: field,
  ...(unit !== null && fieldUnit !== null && unit !== fieldUnit ? { unit, fieldUnit } : {}),
});

const columnProposal = z.object({
  /** The column's name in a mapping. */
  column: z.string(),
  /** The likeliest field; null: none is likely. */
  match: fieldMatch.nullable(),
  /** Other fields, the likeliest first. */
  others: z.array(fieldMatch),
  newField: z.string(),
  /** It has no values: it is skipped. */
  isEmpty: z.boolean(),
});
export type ColumnProposal = z.infer<typeof columnProposal>;

const uploadField = datasetField.pick({ path: true, unit: true, description: true });
export type UploadField = z.infer<typeof uploadField>;

export const proposalsRequest = request.extend(datasetAddress.shape);
export const proposals = z.object({
  columns: z.array(columnProposal),
  /** The fields of the dataset, from its definition and sampled records. */
  fields: z.array(uploadField),
  storedUnits,
  /** Whether all sampled records have a well, so that new ones need one. */
  requiresWell: z.boolean(),
  /** The rows of the file are ordered by time, the records of the dataset by depth, or the other way round. */
  otherIndex: z.enum(['time_file', 'depth_file']).nullable(),
});
export type Proposals = z.infer<typeof proposals>;

export const datasetsForFileRequest = request;
export const datasetForFile = datasetAddress.extend({
  /** Number of channels of the file with a field in the dataset, and of all of them. */
  fits: z.int(),
  of: z.int(),
});
export type DatasetForFile = z.infer<typeof datasetForFile>;
