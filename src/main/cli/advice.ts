import { setTimeout as wait } from 'node:timers/promises';
import { knowingNothing } from '../../shared/language/knowledge.ts';
import { lintRequest, refuseErrors, type LintedRequest } from '../../shared/language/lint/request.ts';
import { placeInWords } from '../../shared/errors/sentences.ts';
import type { Cli } from './context.ts';
import type { Definition } from './definition-once.ts';

/** How long the definition is waited for once the answer is there, in milliseconds: advice is not worth more. */
const patience = 250;

/**
 * Runs a read, and says on stderr what is most likely not meant in it: what the editor of the window would underline,
 * by the dataset's type and indexes. The definition is asked for beside the read and may fail; then what can be said
 * without it is said. Platform ids are not recognized here, for no wells are listed.
 * @throws AppError invalid_input with the place of each error, before anything is sent
 */
export async function withAdvice<T>(
  asked: LintedRequest,
  definition: Definition,
  { messages }: Pick<Cli, 'messages'>,
  read: () => Promise<T>,
): Promise<T> {
  refuseErrors(asked);
  const found = definition().catch(() => null);
  try {
    return await read();
  } finally {
    const known = await Promise.race([found, wait(patience, null, { ref: false })]);
    const knowledge = known
      ? { ...knowingNothing, type: known.type, indexes: known.indexes }
      : knowingNothing;
    for (const { severity, message, field, line, column } of lintRequest(asked, knowledge)) {
      const place = line === undefined || column === undefined ? { field } : { field, line, column };
      if (severity === 'warning') messages.say(`Warning: ${placeInWords(place)}: ${message}`);
    }
  }
}
