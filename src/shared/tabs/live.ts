import * as z from 'zod';
import { errorBody } from '../errors/errors.ts';
import { recordTarget } from '../query/query.ts';
import { relaxedJson } from '../query/question.ts';

/** Polling interval for newer records, in milliseconds, with its minimum. */
export const livePace = { shortest: 2000, usual: 5000, longest: 600_000 } as const;

/**
 * The fields along which records grow, and which newer records are queried by (specification, section 2.1).
 */
export const liveField = z.enum(['timestamp', 'measured_depth', 'datetime']);
export type LiveField = z.infer<typeof liveField>;

/**
 * The position in a stream: the highest value (of a `datetime` in Unix milliseconds), and the ids near it,
 * which are repeated by the next request and dropped. Nothing below `floor` is requested: the stream started
 * there.
 * @property dataUrl the address of the service that the records are from
 */
const liveCursor = z.object({
  value: z.number(),
  floor: z.number(),
  ids: z.array(z.string()).max(100_000),
  dataUrl: z.string().optional(),
});
export type LiveCursor = z.infer<typeof liveCursor>;

export const liveRequest = recordTarget.extend({
  query: relaxedJson.default('{}'),
  fields: z.array(z.string().min(1)).default([]),
  field: liveField,
  everyMs: z.int().min(livePace.shortest).max(livePace.longest),
  /** The end of an earlier stream of the same query; null: start with the newest records. */
  after: liveCursor.nullable(),
  /** Number of newest records at the start of a new stream. */
  first: z.int().min(0).max(1000),
});
export type LiveRequest = z.infer<typeof liveRequest>;

/** The events of a followed dataset. Records come in the order of their field, each once. */
export const liveEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('records'), records: z.string(), count: z.int(), cursor: liveCursor }),
  /** A request without newer records. */
  z.object({ kind: z.literal('nothing') }),
  /** A failed request, which will be repeated. */
  z.object({ kind: z.literal('trouble'), error: errorBody, nextTryMs: z.number() }),
]);
export type LiveEvent = z.infer<typeof liveEvent>;
