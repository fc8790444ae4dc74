import { Option, type Command } from 'commander';
import * as z from 'zod';
import { isAppError } from '../../shared/errors/errors.ts';
import { parseRelaxedObject } from '../../shared/language/relaxed.ts';
import { defaultSort } from '../../shared/language/scope.ts';
import type { Cli } from './context.ts';
import { decimal, parseOptions } from './options.ts';
import { recordFormats } from './records.ts';
import type { Dataset, DatasetAddress } from '../../shared/datasets/datasets.ts';
import { once } from '../once.ts';
import type { ConnectedSession } from './session.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { knowingNothing } from '../../shared/language/knowledge.ts';
import { lintRequest, refuseErrors, type LintedRequest } from '../../shared/language/lint/request.ts';
import { describePlace } from '../../shared/errors/sentences.ts';

/** Options that every read of records has. */
export const readOptions = {
  format: z.enum(recordFormats),
  timeout: decimal.transform((seconds) => Math.round(seconds * 1000)).optional(),
};

/** Adds the options of {@link readOptions}. */
export function addReadOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'output format of records').choices(recordFormats).default('ndjson'),
    )
    .option('--timeout <seconds>', 'timeout in seconds (60)');
}

/** What a read that needs a sort brings. */
interface Sorted {
  /** What was typed; undefined: nothing. */
  readonly sort: string | undefined;
  /** Throws what is wrong with the rest of the request, so that it is said before anything is sent. */
  readonly check: () => void;
}

/** What can be otherwise for the records than for the definition. */
const failures = ['service_failed', 'timed_out', 'bad_answer'] as const;

/**
 * The sort to use: what was typed, else the dataset's index field, ascending. Only its definition says which field that
 * is, so a read without a sort waits for it; other reads are sent beside it. Whoever may not read the definition may still
 * read records; they then come unsorted, and that is said.
 * @throws AppError what reading the definition throws: records in another order than usual would not show
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
    if (isAppError(error, 'forbidden')) {
      messages.say(`${error.message} The records are unsorted; set a sort with --sort.`);
      return '{}';
    }
    if (failures.some((code) => isAppError(error, code)))
      messages.say(
        'The default sort depends on the definition of the dataset. Set --sort to read without it.',
      );
    throw error;
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

/** Gives the definition of a command's dataset. It is asked for at the first call, and once. @throws AppError */
type Definition = () => Promise<Dataset>;

/**
 * How often a definition is asked for. Advice is worth no more. A default sort depends on it, but whoever has a bad link
 * learns sooner that way, and can name a sort instead.
 */
const tries = 2;

export const definitionOnce = (
  address: DatasetAddress,
  { client, connection, options }: ConnectedSession,
): Definition => once(() => client.datasets.get({ connection, ...address, tries }, options));

/** How long the definition is waited for once the answer is there, in milliseconds: advice is not worth more. */
const patience = 250;

/**
 * Runs a read, and says on stderr what is most likely not meant in it: what the editor of the window would underline,
 * by the dataset's type and indexes. The definition is asked for beside the read and may fail; then what can be said
 * without it is said. Platform ids are not recognized here, for no wells are listed.
 * @throws AppError invalid_input with the place of each error, before anything is sent
 */
export async function withAdvice<T>(
  request: LintedRequest,
  definition: Definition,
  { messages }: Pick<Cli, 'messages'>,
  read: () => Promise<T>,
): Promise<T> {
  refuseErrors(request);
  const found = definition().catch(() => null);
  try {
    return await read();
  } finally {
    const known = await Promise.race([found, wait(patience, null, { ref: false })]);
    const knowledge = known
      ? { ...knowingNothing, type: known.type, indexes: known.indexes }
      : knowingNothing;
    for (const { severity, message, field, line, column } of lintRequest(request, knowledge)) {
      const place = line === undefined || column === undefined ? { field } : { field, line, column };
      if (severity === 'warning') messages.say(`Warning: ${describePlace(place)}: ${message}`);
    }
  }
}
