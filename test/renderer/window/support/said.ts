import { sentenceFor } from '../../../../src/shared/errors/sentences.ts';
import type { ErrorCode, ErrorDetails } from '../../../../src/shared/errors/errors.ts';

/** What an error says of what happened: its first sentence, without what a service said or what to do. */
export function said<C extends ErrorCode>(code: C, details: ErrorDetails<C>): string {
  const [first = ''] = sentenceFor(code, details).split(/(?<=[^.]\.) (?=[A-Z])/);
  return first;
}
