import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { fileToken } from '../files/files.ts';
import { mapping, readingOptions } from './upload.ts';

/** Which wells a file names: in the columns that a mapping sends to a well, in others that can name wells, and before its header. */
export const wellNamesRequest = z.object({
  connection: connectionId,
  source: fileToken,
  reading: readingOptions.prefault({}),
  mapping,
});

/** A well that may be meant. */
export const wellCandidate = z.object({
  assetId: z.int(),
  name: z.string(),
  apiNumber: z.string().nullable(),
});
export type WellCandidate = z.infer<typeof wellCandidate>;

/** One of the different texts of a column of wells. */
export const wellName = z.object({
  /** As it stands in the file. */
  value: z.string(),
  /** The first line it stands on. */
  line: z.int(),
  /** How many rows it stands in. */
  count: z.int().optional(),
  /** What it stands for; null: that is for a person to settle, or its rows are rejected. */
  assetId: z.int().nullable(),
  /** `damaged`: an API number that lost its digits in a spreadsheet. */
  found: z.enum(['one', 'none', 'several', 'damaged', 'settled']),
  /** Of `several` exactly these; of `none` those that a search offers. */
  candidates: z.array(wellCandidate),
});
export type WellName = z.infer<typeof wellName>;

/** How a column gives wells. */
export const wellsBy = z.enum(['id', 'name', 'api_number']);
export type WellsBy = z.infer<typeof wellsBy>;

/** The wells that a column names; `column` null: that the lines before the header name. */
export const wellColumn = z.object({
  column: z.string().nullable(),
  by: wellsBy,
  names: z.array(wellName),
});
export type WellColumn = z.infer<typeof wellColumn>;

/** A name of a well in the file, with where it stands. */
export interface NamedWell extends WellName {
  readonly column: string | null;
}

/**
 * The names in the file that don't stand for the one well that all rows are given.
 * @param confirmed names whose rows a person wants under that well all the same
 */
export const otherWells = (
  columns: readonly WellColumn[],
  assetId: number,
  confirmed: readonly string[],
): NamedWell[] =>
  columns.flatMap(({ column, names }) =>
    names
      .filter((name) => name.assetId !== assetId && !confirmed.includes(name.value))
      .map((name) => ({ ...name, column })),
  );
