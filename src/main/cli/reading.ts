import { Option } from 'commander';
import type { Command } from 'commander';
import * as z from 'zod';
import { isAppError } from '../../shared/errors.ts';
import { parseRelaxedObject } from '../../shared/language/relaxed.ts';
import { defaultSort } from '../../shared/language/scope.ts';
import type { Cli } from './context.ts';
import { decimal, parseOptions } from './options.ts';
import { recordFormats } from './records.ts';
import type { Definition } from './definition-once.ts';

/** Options that every read of records has. */
export const readOptions = {
  format: z.enum(recordFormats),
  timeout: decimal.transform((seconds) => Math.round(seconds * 1000)).optional(),
};

/** Adds the options of {@link readOptions}. */
export function addReadOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'how to write records').choices(recordFormats).default('ndjson'),
    )
    .option('--timeout <seconds>', 'how long to wait for the answer (60)');
}

/** What a read that needs a sort brings. */
interface Sorted {
  /** What was typed; undefined: nothing. */
  readonly sort: string | undefined;
  /** Throws what is wrong with the rest of the request, so that it is said before anything is sent. */
  readonly check: () => void;
}

/**
 * The sort to use: what was typed, else the dataset's index field, ascending, by its definition. Whoever may not read
 * the definition may still read records; they then come unsorted, and that is said.
 */
export async function sortOrDefault(
  { sort, check }: Sorted,
  definition: Definition,
  { messages }: Cli,
): Promise<string> {
  if (sort !== undefined) return sort;
  check();
  try {
    return defaultSort((await definition()).type);
  } catch (error) {
    if (!isAppError(error, 'forbidden')) throw error;
    messages.say(`${error.message} The records come unsorted; name a sort with --sort.`);
    return '{}';
  }
}

/**
 * Checks a request as its schema says, and the relaxed JSON in it.
 * @throws AppError invalid_input
 */
export function checkRequest(
  schema: z.ZodType,
  request: object,
  objects: Readonly<Record<string, string | undefined>>,
): void {
  parseOptions(schema, request);
  for (const [field, text] of Object.entries(objects))
    if (text !== undefined) parseRelaxedObject(text, field);
}
