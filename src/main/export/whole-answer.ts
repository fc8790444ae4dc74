import type { WholeQuestion } from '../../shared/export.ts';
import { aggregateOf, stagesOf } from '../query/questions.ts';
import type { AggregateArguments, CallOptions, DataService, RecordsAnswer } from '../services/services.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { ExportPlan } from './plan.ts';

type Question =
  | { readonly kind: 'pipeline'; readonly stages: readonly JsonObject[] }
  | { readonly kind: 'aggregate'; readonly aggregate: AggregateArguments };

/** The question in strict JSON. @throws AppError `invalid_input` with the place that is wrong */
export function questionOf(asked: WholeQuestion): Question {
  return asked.kind === 'pipeline'
    ? { kind: 'pipeline', stages: stagesOf(asked) }
    : { kind: 'aggregate', aggregate: aggregateOf(asked) };
}

/**
 * The answer to a question that has no pages: a pipeline's order is its own, and what it gives has no key to cut by.
 * @throws AppError
 */
export async function askWhole(
  data: Pick<DataService, 'pipeline' | 'aggregate'>,
  { address }: Pick<ExportPlan, 'address'>,
  asked: WholeQuestion,
  options: CallOptions,
): Promise<RecordsAnswer['bytes']> {
  const question = questionOf(asked);
  const { bytes } =
    question.kind === 'pipeline'
      ? await data.pipeline(address, question.stages, options)
      : await data.aggregate(address, question.aggregate, options);
  return bytes;
}
