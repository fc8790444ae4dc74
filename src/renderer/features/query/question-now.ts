import { AppError, toAppError } from '../../../shared/errors/errors.ts';
import type { ParameterValues } from '../../../shared/language/parameters.ts';
import type { FindTarget } from '../../../shared/query/query.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import type { Asked } from '../records/asked.ts';
import { askedFrom, type FindWords } from './asked-from.ts';
import { hasParameters } from './inputs.ts';

/** The request that a question makes. @throws AppError invalid_input */
export function requestOf(target: FindTarget, text: QuestionText, words: FindWords): Asked {
  const made = askedFrom(target, text, words);
  if (!made.ok) throw new AppError('invalid_input', { issues: made.issues });
  return made.asked;
}

/**
 * The question with its parameters replaced, where it has any: then it takes a moment. What is wrong with them is thrown
 * by what is given.
 */
export function boundQuestion(
  text: QuestionText,
  values: () => Omit<ParameterValues, 'asked'>,
): (() => QuestionText) | Promise<() => QuestionText> {
  return hasParameters(text) ? bound(text, values) : () => text;
}

async function bound(
  text: QuestionText,
  values: () => Omit<ParameterValues, 'asked'>,
): Promise<() => QuestionText> {
  try {
    // The language is large, and most questions hold no parameter.
    const { bindQuestion } = await import('./binding.ts');
    const found = bindQuestion(text, values());
    return () => found;
  } catch (error) {
    return () => {
      throw toAppError(error);
    };
  }
}
