import { maxOf } from '../lists.ts';
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

export const wellsInNameRequest = z.object({ connection: connectionId, source: fileToken });

/** A well that may be meant. */
export const wellCandidate = z.object({
  assetId: z.int(),
  name: z.string(),
  apiNumber: z.string().nullable(),
});
export type WellCandidate = z.infer<typeof wellCandidate>;

/** One of the different texts of a column of wells. */
export const wellName = z.object({
  /** The text in the file. */
  value: z.string(),
  line: z.int(),
  /** Number of rows with it. */
  count: z.int().optional(),
  /** The resolved well; null: the user must select one, or its rows are rejected. */
  assetId: z.int().nullable(),
  /** `damaged`: an API number that lost its digits in a spreadsheet. */
  found: z.enum(['one', 'none', 'several', 'damaged', 'settled']),
  /** Of `several` exactly these; of `none` those that a search offers. */
  candidates: z.array(wellCandidate),
});
export type WellName = z.infer<typeof wellName>;

/** How a column identifies wells. */
export const wellsBy = z.enum(['id', 'name', 'api_number']);
export type WellsBy = z.infer<typeof wellsBy>;

/** The wells that a column names; `column` null: that the lines before the header name. */
export const wellColumn = z.object({
  column: z.string().nullable(),
  by: wellsBy,
  names: z.array(wellName),
});
export type WellColumn = z.infer<typeof wellColumn>;

/** A well name in the file, with its place. */
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
      .filter((name) => name.assetId !== assetId && !confirmed.includes(name.value))
      .map((name) => ({ ...name, column, by })),
  );

/** How many wells these can be at least: a header names one well by its name and its number. */
export function minWells(names: readonly NamedWell[]): number {
  const counts = wellsBy.options.map(
    (by) => names.filter((name) => name.column === null && name.by === by).length,
  );
  return maxOf(counts) + names.filter(({ column }) => column !== null).length;
}
