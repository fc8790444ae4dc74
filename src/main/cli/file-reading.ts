import type { Command } from 'commander';
import * as z from 'zod';
import { whole } from './options.ts';

const delimiterNames: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  '\\t': '\t',
  pipe: '|',
  space: ' ',
};

/** Options that say how a file is to be read; what is absent is detected. */
export const readingOptions = {
  encoding: z.string().optional(),
  delimiter: z
    .string()
    .transform((text) => delimiterNames[text] ?? text)
    .refine((text) => text.length === 1, 'must be one character, or tab, comma, semicolon, pipe, space')
    .optional(),
  headerRow: whole.optional(),
  unitRow: whole.optional(),
  footerRows: whole.optional(),
};

/** Adds the options of {@link readingOptions}. */
export function addReadingOptions(command: Command): Command {
  return command
    .option('--encoding <name>', 'such as utf-8 or windows-1252')
    .option('--delimiter <character>', 'a character, or tab, comma, semicolon, pipe')
    .option('--header-row <n>', 'the line of the column names, counted from 1')
    .option('--unit-row <n>', 'the line of the units, counted from 1; 0: there is none')
    .option('--footer-rows <n>', 'records at the end that are not data');
}
