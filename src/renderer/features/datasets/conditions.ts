import type { RecordsRequest } from '../../../shared/query/query.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import { objectOutlineOf, textOf, replaceSpan } from '../../../shared/language/text/edits.ts';
import {
  joinPipeline,
  rewriteStages,
  splitFirstStage,
  withStage,
} from '../../../shared/language/text/pipeline.ts';

/** Caches the last result: several components need it after each key press. */
function memoizeLast<T>(of: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly found: T } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, found: of(text) };
    return last.found;
  };
}

/** The first enabled stage if it is a $match: its index, its text, and its conditions. */
const firstMatch = memoizeLast((stages: string) => {
  const pieces = splitFirstStage(stages);
  if (!pieces) return null;
  const at = pieces.stages.findIndex(({ on }) => on);
  const text = pieces.stages[at]?.text ?? '';
  const [entry, ...otherEntries] = objectOutlineOf(text)?.items ?? [];
  const isMatch = entry?.key === '$match' && otherEntries.length === 0;
  return { pieces, at, text, match: isMatch ? entry.value : null };
});

/**
 * The conditions of a find, or of the first enabled stage of a pipeline; blank: that stage isn't a $match. Null: the pipeline
 * can't be read, or the query is SQL.
 */
export function conditionsOf({ mode, find, pipeline }: QuestionText): string | null {
  if (mode === 'sql') return null;
  if (mode === 'find') return find.query;
  return conditionsOfStages(pipeline.stages);
}

/** The conditions of a pipeline, as {@link conditionsOf} has them. */
export function conditionsOfStages(stages: string): string | null {
  const first = firstMatch(stages);
  if (!first) return null;
  return first.match ? textOf(first.text, first.match) : '';
}

/** The conditions of a sent query, as {@link conditionsOf} has them. */
export function conditionsOfRequest({ kind, request }: RecordsRequest): string | null {
  if (kind === 'find') return request.query;
  if (kind === 'aggregate') return request.match;
  return kind === 'pipeline' ? conditionsOfStages(request.stages) : null;
}

/** The query with other conditions. A pipeline without a leading $match gets one. */
export function replaceConditions(question: QuestionText, conditions: string): QuestionText {
  const { mode, find, pipeline } = question;
  if (mode === 'sql') return question;
  if (mode === 'find') return { ...question, find: { ...find, query: conditions } };
  const first = firstMatch(pipeline.stages);
  if (!first) return question;
  const { pieces, at, text, match } = first;
  const changed = match
    ? rewriteStages(pieces, at, replaceSpan(text, match, conditions))
    : withStage(pieces, `{ $match: ${conditions} }`, Math.max(at, 0));
  return { ...question, pipeline: { ...pipeline, stages: joinPipeline(changed) } };
}
