import * as z from 'zod';
import { connectionId } from './connections.ts';
import { fileToken } from './files.ts';
import { mapping, readingOptions } from './upload.ts';

/** Which wells a file names, by the columns of a mapping that give wells by name or API number. */
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
  /** What it stands for; null: that is for a person to settle, or its rows are rejected. */
  assetId: z.int().nullable(),
  /** `damaged`: an API number that lost its digits in a spreadsheet. */
  found: z.enum(['one', 'none', 'several', 'damaged', 'settled']),
  /** Of `several` exactly these; of `none` those that a search offers. */
  candidates: z.array(wellCandidate),
});
export type WellName = z.infer<typeof wellName>;

export const wellColumn = z.object({ column: z.string(), names: z.array(wellName) });
export type WellColumn = z.infer<typeof wellColumn>;
