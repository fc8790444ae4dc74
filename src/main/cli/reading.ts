import { Option } from 'commander';
import type { Command } from 'commander';
import * as z from 'zod';
import type { DatasetAddress } from '../../shared/datasets.ts';
import { isAppError } from '../../shared/errors.ts';
import { defaultSort } from '../../shared/language/scope.ts';
import type { Cli } from './context.ts';
import { decimal } from './options.ts';
import { recordFormats } from './records.ts';
import type { Session } from './session.ts';

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

/**
 * The sort to use when none was typed: the dataset's index field, ascending. Whoever may not read the definition may
 * still read records; they then come unsorted, and that is said.
 */
export async function sortOrDefault(
  typed: string | undefined,
  address: DatasetAddress,
  { client, connection, options }: Session & { readonly connection: string },
  { messages }: Cli,
): Promise<string> {
  if (typed !== undefined) return typed;
  try {
    return defaultSort((await client.datasets.get({ connection, ...address }, options)).type);
  } catch (error) {
    if (!isAppError(error, 'forbidden')) throw error;
    messages.say(`${error.message} The records come unsorted; name a sort with --sort.`);
    return '{}';
  }
}
