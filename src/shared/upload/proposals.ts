import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { datasetAddress } from '../datasets/datasets.ts';
import { datasetField } from '../datasets/fields.ts';
import { fileToken } from '../files/files.ts';
import { readingOptions, type ColumnMapping } from './upload.ts';

/** A match with at least this confidence is selected without asking. */
export const sureConfidence = 0.9;

/** A match with less confidence isn't suggested. */
export const minConfidence = 0.5;

/** A field that a column may belong to. */
export const fieldMatch = z.object({
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

/** A field of a dataset to which a column can go. */
const uploadField = datasetField.pick({
  path: true,
  types: true,
  unit: true,
  description: true,
  range: true,
});
export type UploadField = z.infer<typeof uploadField>;

const request = z.object({
  connection: connectionId,
  source: fileToken,
  reading: readingOptions.prefault({}),
});

/** Which fields of a dataset the columns of a file belong to. */
export const proposalsRequest = request.extend(datasetAddress.shape);
export const proposals = z.object({
  columns: z.array(columnProposal),
  /** The fields of the dataset, from its definition and sampled records. */
  fields: z.array(uploadField),
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
