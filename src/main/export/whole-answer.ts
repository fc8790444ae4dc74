import type { WholeQuestion } from '../../shared/export/export.ts';
import { wholeQuestionOf } from '../query/questions.ts';
import type { CallOptions, DataService, RecordsAnswer } from '../services/services.ts';
import type { ExportPlan } from './plan.ts';

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
  const question = wholeQuestionOf(asked);
  const { bytes } =
    question.kind === 'pipeline'
      ? await data.pipeline(address, question.stages, options)
      : await data.aggregate(address, question.aggregate, options);
  return bytes;
}
