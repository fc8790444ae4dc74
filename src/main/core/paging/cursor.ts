import * as z from 'zod';

/** A value as the JSON text of the response, so that a number is sent back unchanged. */
const jsonText = z.string();

/** The open side of a window. Every service of the specification supports these operators. */
export const bound = z.object({ op: z.enum(['$gt', '$gte', '$lt']), value: jsonText });
export type Bound = z.infer<typeof bound>;

/**
 * Pages by the key field: the records beyond the last complete value. The last value of a page is held back,
 * because more of its records may follow; the next page starts with it.
 */
const windowCursor = z.object({
  at: z.literal('window'),
  bound: bound.nullable(),
  /** A value that must come again, which proves that the service's filter matches it. Null: proven. */
  expect: jsonText.nullable(),
  /**
   * Ids of the last written value, dropped if they come again (from a service that rounds the values it
   * shows).
   */
  known: z.array(z.string()),
});
export type WindowCursor = z.infer<typeof windowCursor>;

/**
 * Pages by `skip`: through all records, through one value that fills pages, or through records without a
 * value. Each page starts with a known record; otherwise a record was deleted and the run steps back.
 */
const runCursor = z.object({
  at: z.literal('run'),
  of: z.enum(['all', 'value', 'nulls']),
  /**
   * How one value is queried: by equality, or, where that doesn't match, as the start of the range beyond
   * `bound`.
   */
  by: z.enum(['equal', 'range']),
  value: jsonText.nullable(),
  bound: bound.nullable(),
  skip: z.int().min(0),
  /**
   * The expectation for the first record. `plain`: none. `overlap`: it was seen before. `confirm`: it follows
   * the last one seen, after a page with only that one. `check`: it is `anchor`, the last one before the
   * confirm, because a record may have been deleted in between.
   */
  step: z.enum(['plain', 'overlap', 'confirm', 'check']),
  anchor: z.string().nullable(),
  /** The result of a confirm: the id of a record, or the value of one beyond the run. */
  gained: z.string().nullable(),
  behind: jsonText.nullable(),
  /** Ids of written records for which it isn't proven yet that all records before them were seen. */
  doubted: z.array(z.string()),
  /** The size of the last step back. */
  back: z.int(),
  /** Whether `_id` is the last field of the sort; false if the service refuses it. */
  tie: z.boolean(),
  /** The range of this run in the file of ids. */
  idsFrom: z.int(),
  seen: z.int(),
});
export type RunCursor = z.infer<typeof runCursor>;

/** Whether a run starts, or starts again, so that none of its records are known. */
export const isStartOfRun = ({ step, skip, seen }: RunCursor): boolean =>
  step === 'plain' && skip === 0 && seen === 0;

export const pageCursor = z.discriminatedUnion('at', [windowCursor, runCursor]);
export type PageCursor = z.infer<typeof pageCursor>;

/** Instead of a cursor: a response with all records, all of which are written, duplicate ids included. */
export const wholeResponse = z.object({ at: z.literal('whole') });

/** The position of a page. */
export const readPosition = z.discriminatedUnion('at', [windowCursor, runCursor, wholeResponse]);
export type ReadPosition = z.infer<typeof readPosition>;

/** The position of an export between two requests; stored in the journal for a resume. */
export const cursor = z.discriminatedUnion('at', [
  windowCursor,
  runCursor,
  z.object({ at: z.literal('end') }),
]);
export type Cursor = z.infer<typeof cursor>;

export const endCursor: Cursor = { at: 'end' };

export const firstWindow: WindowCursor = { at: 'window', bound: null, expect: null, known: [] };

/**
 * The start of a run.
 * @param idsFrom number of ids in the file of ids
 */
export function firstRun(
  of: RunCursor['of'],
  idsFrom: number,
  { value = null, bound = null }: { value?: string | null; bound?: Bound | null } = {},
): RunCursor {
  const by = of === 'value' ? 'equal' : 'range';
  const start = {
    skip: 0,
    step: 'plain' as const,
    anchor: null,
    gained: null,
    behind: null,
    doubted: [],
    back: 0,
    tie: true,
    idsFrom,
    seen: 0,
  };
  return { at: 'run', of, by, value, bound, ...start };
}
