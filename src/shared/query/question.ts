import * as z from 'zod';

/** The three ways to ask a dataset (specification, section 4.1). */
export const questionModes = ['find', 'aggregate', 'pipeline'] as const;
export const questionMode = z.enum(questionModes);
export type QuestionMode = z.infer<typeof questionMode>;

const text = z.string().max(4_000_000).default('');

/** A find as a person types it. */
export const findText = z.object({
  query: text,
  sort: text,
  /** Paths with commas or blanks between them; empty: all. */
  fields: text,
  limit: text,
  skip: text,
});
export type FindText = z.infer<typeof findText>;

/** A simple aggregate as a person types it. */
export const aggregateText = z.object({
  match: text,
  sort: text,
  limit: text,
  skip: text,
  group: text,
  project: text,
});
export type AggregateText = z.infer<typeof aggregateText>;

/** A pipeline as a person types it; a stage that is switched off stands in it as a comment. */
export const pipelineText = z.object({
  stages: text,
  /** How it is looked at: the text of all stages, or a card for each. */
  view: z.enum(['text', 'cards']).default('text'),
});
export type PipelineText = z.infer<typeof pipelineText>;

/**
 * All that a person has typed into one tab, as it is kept: with the tab, in the history, in a saved query. Plain data
 * without a secret; what is missing is blank.
 */
export const questionText = z.object({
  /** Which of the three is asked; the others are kept as they were left. */
  mode: questionMode.default('find'),
  find: findText.prefault({}),
  aggregate: aggregateText.prefault({}),
  pipeline: pipelineText.prefault({}),
  /** What was answered to `{{ask:…}}`, by name. */
  answers: z.record(z.string(), z.string()).default({}),
  /** How many seconds to wait for the answer; empty: the usual 60. */
  timeout: text,
  /** Whether a run counts before it asks. */
  countFirst: z.boolean().default(false),
});
export type QuestionText = z.infer<typeof questionText>;
