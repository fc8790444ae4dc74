import type { Issue } from '../../../shared/errors/errors.ts';
import {
  aggregateRequest,
  findRequest,
  pipelineRequest,
  type FindTarget,
} from '../../../shared/query/query.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import type { Asked } from '../records/asked.ts';
import { defaultLimit, fieldPaths, orDefault, orEmpty, wholeNumber } from './inputs.ts';

const orNothing = (text: string) => (text.trim() === '' ? undefined : text);

/** How long the answer may take, in milliseconds; undefined: as long as usual. */
const timeoutOf = (text: string) => (text.trim() === '' ? undefined : wholeNumber(text) * 1000);

export interface FindWords {
  readonly wholeNumber: string;
}

type Made = { ok: true; asked: Asked } | { ok: false; issues: Issue[] };

/** The request that a question makes, or what is wrong with it. The relaxed JSON in it is judged by main. */
export function askedFrom(target: FindTarget, question: QuestionText, words: FindWords): Made {
  const { mode, find, aggregate, pipeline } = question;
  const common = { ...target, timeoutMs: timeoutOf(question.timeout) };
  const issuesIn = ({ error }: { error: { issues: readonly ZodIssue[] } }): Made => ({
    ok: false,
    issues: error.issues.map(({ code, message, path }) => ({
      message: code === 'invalid_type' ? words.wholeNumber : message,
      place: { field: path.join('.') },
    })),
  });
  if (mode === 'find') {
    const parsed = findRequest.safeParse({
      ...common,
      query: orEmpty(find.query),
      sort: orEmpty(find.sort),
      fields: fieldPaths(find.fields),
      limit: orDefault(find.limit, defaultLimit),
      skip: orDefault(find.skip, 0),
    });
    return parsed.success ? { ok: true, asked: { kind: 'find', request: parsed.data } } : issuesIn(parsed);
  }
  if (mode === 'aggregate') {
    const parsed = aggregateRequest.safeParse({
      ...common,
      match: orEmpty(aggregate.match),
      sort: orEmpty(aggregate.sort),
      limit: orDefault(aggregate.limit, defaultLimit),
      skip: orDefault(aggregate.skip, 0),
      group: orNothing(aggregate.group),
      project: orNothing(aggregate.project),
    });
    return parsed.success
      ? { ok: true, asked: { kind: 'aggregate', request: parsed.data } }
      : issuesIn(parsed);
  }
  const parsed = pipelineRequest.safeParse({ ...common, stages: pipeline.stages });
  return parsed.success ? { ok: true, asked: { kind: 'pipeline', request: parsed.data } } : issuesIn(parsed);
}

interface ZodIssue {
  readonly code?: string | undefined;
  readonly message: string;
  readonly path: readonly PropertyKey[];
}
