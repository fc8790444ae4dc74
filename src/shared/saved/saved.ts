import * as z from 'zod';
import { datasetAddress } from '../datasets/datasets.ts';
import { questionText } from '../query/question.ts';

export const mostSaved = 5000;
const deepest = 8;

/** Where a query lies: names with `/` between them; empty: in no folder. */
export const folderPath = z
  .string()
  .max(800)
  .refine(
    (path) =>
      path === '' ||
      path.split('/').every((name) => name.trim() === name && name !== '' && name.length <= 100),
    'A folder needs a name of at most 100 letters, without blanks at its ends.',
  )
  .refine((path) => path.split('/').length <= deepest, `Folders go ${deepest} deep at most.`);

export const savedId = z.string().regex(/^[A-Za-z0-9-]{1,64}$/);

/** A saved query as it is handed on: it belongs to a dataset by its address, to no connection. Never a secret. */
export const sharedQuery = datasetAddress.extend({
  name: z.string().trim().min(1, 'Give the query a name.').max(200),
  folder: folderPath,
  question: questionText,
});
export type SharedQuery = z.infer<typeof sharedQuery>;

export const savedQuery = sharedQuery.extend({
  id: savedId,
  /** Unix milliseconds. */
  changedAt: z.int(),
});
export type SavedQuery = z.infer<typeof savedQuery>;

export const savedContent = z.object({
  queries: z.array(savedQuery).max(mostSaved),
  /** Also those that hold nothing. */
  folders: z.array(folderPath).max(mostSaved),
});
export type SavedContent = z.infer<typeof savedContent>;

/** What is saved. `replaced`: ids of queries that these take the place of, in the same write. */
export const savedPut = savedContent.extend({ replaced: z.array(savedId).max(mostSaved).optional() });

/** `problem`: what could not be read, and where it was put, in a sentence. */
export const savedList = savedContent.extend({ problem: z.string().nullable() });
export type SavedList = z.infer<typeof savedList>;

export const savedRemoval = z.object({
  queries: z.array(savedId).max(mostSaved).default([]),
  /** With all that they hold. */
  folders: z.array(folderPath).max(mostSaved).default([]),
});
