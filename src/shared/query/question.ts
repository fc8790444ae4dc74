import * as z from 'zod';

/** Maximum length of a query in characters: checking it takes main up to about 0.15 s, in which it answers nothing else. */
const maxQueryLength = 250_000;

/** Relaxed JSON from the user; main converts it to strict JSON or reports errors with their place. */
export const relaxedJson = z
  .string()
  .max(maxQueryLength, 'A query has at most 250,000 characters. Shorten it, such as its list of values.');

/** The path of a field, such as `data.rop`: a request separates several by commas. */
export const fieldPath = z
  .string()
  .refine((path) => path.trim() !== '' && !path.includes(','), 'Enter the path of a field, without a comma.');

/** The query modes: three of the data service (specification, section 4.1), and SQL over local tables. */
export const questionMode = z.enum(['find', 'aggregate', 'pipeline', 'sql']);
export type QuestionMode = z.infer<typeof questionMode>;

const text = z.string().max(4_000_000).default('');

const findText = z.object({
  query: text,
  sort: text,
  /** A list of paths; empty: all. */
  fields: text,
  limit: text,
  skip: text,
});
export type FindText = z.infer<typeof findText>;

const aggregateText = z.object({
  match: text,
  sort: text,
  limit: text,
  skip: text,
  group: text,
  project: text,
});

/** A pipeline as the user types it; disabled stages are comments. */
const pipelineText = z.object({
  stages: text,
  /** The view: the text of all stages, a card for each, or the summary that they compute. */
  view: z.enum(['text', 'cards', 'summary']).default('text'),
});

const sqlText = z.object({ statement: text });

/**
 * The texts of one tab, as stored with the tab, in the history, and in saved queries. Plain data without
 * secrets; missing fields are blank.
 */
export const questionText = z.object({
  /** The current mode; the other modes keep their texts. */
  mode: questionMode.default('find'),
  find: findText.prefault({}),
  aggregate: aggregateText.prefault({}),
  pipeline: pipelineText.prefault({}),
  sql: sqlText.prefault({}),
  /** The answers to `{{ask:…}}`, by name. */
  answers: z.record(z.string(), z.string()).default({}),
  /** Timeout in seconds; empty: 60. */
  timeout: text,
  countFirst: z.boolean().default(false),
});
export type QuestionText = z.infer<typeof questionText>;
