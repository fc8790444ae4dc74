import { sentenceFor } from '../../../../src/shared/errors/sentences.ts';
import type { ErrorCode, ErrorDetails } from '../../../../src/shared/errors/errors.ts';

/** The first sentence of an error message: what happened, without the service's message and the next step. */
export function firstSentence<C extends ErrorCode>(code: C, details: ErrorDetails<C>): string {
  const [first = ''] = sentenceFor(code, details).split(/(?<=[^.]\.) (?=[A-Z])/);
  return first;
}
