import * as z from 'zod';
import { errorBody } from '../errors/errors.ts';
import { recordTarget, relaxedJson } from '../query/query.ts';

/** How often a dataset is asked for newer records, in milliseconds: never more often than `shortest`. */
export const livePace = { shortest: 2000, usual: 5000, longest: 600_000 } as const;

/** The fields along which records grow, and by which newer ones can be asked for (specification, section 2.1). */
export const liveField = z.enum(['timestamp', 'measured_depth', 'datetime']);
export type LiveField = z.infer<typeof liveField>;

/**
 * Up to where records are known: the highest value (of a `datetime` in Unix milliseconds), and the ids of those near it, which come again with the next
 * question and are dropped. Below `floor` nothing is asked for: there the stream began.
 */
export const liveCursor = z.object({
  value: z.number(),
  floor: z.number(),
  ids: z.array(z.string()).max(100_000),
});
export type LiveCursor = z.infer<typeof liveCursor>;

export const liveRequest = recordTarget.extend({
  query: relaxedJson.default('{}'),
  fields: z.array(z.string().min(1)).default([]),
  field: liveField,
  everyMs: z.int().min(livePace.shortest).max(livePace.longest),
  /** Where an earlier stream of the same question ended; null: from the newest records on. */
  after: liveCursor.nullable(),
  /** How many of the newest records come first, when nothing is known yet. */
  first: z.int().min(0).max(1000),
});
export type LiveRequest = z.infer<typeof liveRequest>;

/** What is heard of a dataset that is followed. Records come in the order of their field, each once. */
export const liveEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('records'), records: z.string(), count: z.int(), cursor: liveCursor }),
  /** Asked; there was nothing newer. */
  z.object({ kind: z.literal('nothing') }),
  /** It could not be asked, and will be again. */
  z.object({ kind: z.literal('trouble'), error: errorBody, nextTryMs: z.number() }),
]);
export type LiveEvent = z.infer<typeof liveEvent>;
