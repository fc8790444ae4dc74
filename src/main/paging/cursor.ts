import * as z from 'zod';

/** A value as the JSON text it came in, so that a number goes back exactly as it came. */
const jsonText = z.string();

/** The open side of a window. Every server of the specification knows these operators. */
export const bound = z.object({ op: z.enum(['$gt', '$gte', '$lt']), value: jsonText });
export type Bound = z.infer<typeof bound>;

/**
 * Pages by the key field: what lies beyond the last value that is complete. A page's last value is held back, because
 * more of it may follow; the next page begins with it again.
 */
const windowCursor = z.object({
  at: z.literal('window'),
  bound: bound.nullable(),
  /** A value that must come again: the proof that the service's filter matches. Null: proven. */
  expect: jsonText.nullable(),
  /** Ids of the value written last, dropped should they come again (a service that rounds what it shows). */
  known: z.array(z.string()),
});
export type WindowCursor = z.infer<typeof windowCursor>;

/**
 * Pages by `skip`: through everything, through one value that fills pages, or through records without a value. Each
 * page begins with a record that is known already; where it does not, something was deleted and the run goes back.
 */
const runCursor = z.object({
  at: z.literal('run'),
  of: z.enum(['all', 'value', 'nulls']),
  /** How one value is asked for: as such, or, where that does not match, as the begin of what lies beyond `bound`. */
  by: z.enum(['equal', 'range']),
  value: jsonText.nullable(),
  bound: bound.nullable(),
  skip: z.int().min(0),
  /**
   * What is known of the page's first record. `plain`: nothing. `overlap`: it must be one seen before. `confirm`: it is
   * behind the last one seen, after a page that held that one only. `check`: it must be `anchor`, the last one before
   * the confirm, because something could have been deleted between the two.
   */
  step: z.enum(['plain', 'overlap', 'confirm', 'check']),
  anchor: z.string().nullable(),
  /** What a confirm brought: the id of a record, or the value of one that does not belong to the run any more. */
  gained: z.string().nullable(),
  behind: jsonText.nullable(),
  /** Ids of records that were written, but of which it is not known yet whether all before them were seen. */
  doubted: z.array(z.string()),
  /** How far the run went back last. */
  back: z.int(),
  /** Pages without a new record, one after the other. */
  stale: z.int(),
  /** Whether `_id` is the last field of the sort; not where the service refuses that. */
  tie: z.boolean(),
  /** The ids seen in this run: which entries of the file of ids they are. */
  idsFrom: z.int(),
  seen: z.int(),
});
export type RunCursor = z.infer<typeof runCursor>;

export const pageCursor = z.discriminatedUnion('at', [windowCursor, runCursor]);
export type PageCursor = z.infer<typeof pageCursor>;

/** In the place of a cursor: an answer that comes whole, of which every record is written, also where ids come twice. */
export const wholeAnswer = z.object({ at: z.literal('whole') });

/** Where a page that is read stands. */
export const readable = z.discriminatedUnion('at', [windowCursor, runCursor, wholeAnswer]);
export type Readable = z.infer<typeof readable>;

/** Where an export stands between two requests; kept in the journal, so that a resume goes on from there. */
export const cursor = z.discriminatedUnion('at', [
  windowCursor,
  runCursor,
  z.object({ at: z.literal('end') }),
]);
export type Cursor = z.infer<typeof cursor>;

export const atEnd: Cursor = { at: 'end' };

export const firstWindow: WindowCursor = { at: 'window', bound: null, expect: null, known: [] };

/** The begin of a run; `idsFrom`: how many ids the file of ids holds already. */
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
    stale: 0,
    tie: true,
    idsFrom,
    seen: 0,
  };
  return { at: 'run', of, by, value, bound, ...start };
}
