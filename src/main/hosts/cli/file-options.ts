import { stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import * as z from 'zod';
import { exportFormat, type ExportFormat } from '../../../shared/export/export.ts';
import { readingOptions as readingSchema, type ReadingOptions } from '../../../shared/upload/upload.ts';
import { AppError, invalidInput, isAppError } from '../../../shared/errors/errors.ts';
import { shorterAdvice } from '../../../shared/errors/sentences.ts';
import { targetAt, type FolderPlace } from '../../core/files/files.ts';
import { checkOutput, checkIsNoInput } from '../../core/files/output-file.ts';
import { flag, option, parseOptions } from './command.ts';
import { path, whole } from './options.ts';

export const fileArgument = {
  file: option(
    path,
    '<file>',
    'a CSV, Excel, LAS, DLIS, LIS, WITSML, Parquet, or JSON file, or a text table',
  ),
};

export const outOption = 'file to write; must not exist, unless you add --force';

/** The format for a file's extension; undefined: it has none of a format. */
export function formatOfFile(file: string): ExportFormat | undefined {
  const extension = extname(file).slice(1).toLowerCase();
  return extension === 'jsonl' ? 'ndjson' : exportFormat.safeParse(extension).data;
}

/** The path of a file or folder to be written. @throws AppError invalid_input if its folder doesn't exist */
async function parseTarget(text: string, field: string): Promise<string> {
  const target = resolve(text);
  const folder = dirname(target);
  const stats = await stat(folder).catch(() => null);
  if (stats?.isDirectory()) return target;
  throw invalidInput(`No folder ${folder}. Create it first, or choose another.`, { field });
}

/** A place that can't be written is a wrong option as long as nothing was read or sent. */
function unwritableAsInvalid(target: string, field: string): (error: unknown) => never {
  return (error) => {
    if (!isAppError(error, 'file_unwritable')) throw error;
    const { file, reason, tooLong } = error.details;
    const step = tooLong ? shorterAdvice[tooLong] : 'Choose another folder.';
    throw invalidInput(`Can’t write ${file} in ${dirname(target)}: ${reason}. ${step}`, { field });
  };
}

/**
 * The folder of an option, checked before anything is read or sent.
 * @param canAppear whether its drive may be connected later: then a place that can't be written is no wrong option
 * @throws AppError invalid_input, file_exists, file_unreadable, file_too_new, file_unwritable, disk_full
 */
export async function parseFolder(
  text: string,
  field: string,
  { force, isMirror, canAppear = false }: { force: boolean; isMirror: boolean; canAppear?: boolean },
): Promise<FolderPlace> {
  const target = await parseTarget(text, field).catch((error: unknown) => {
    if (!canAppear) throw error;
    const reason = `there is no folder ${dirname(resolve(text))}`;
    throw new AppError('file_unwritable', { file: basename(text), reason });
  });
  const folder = { path: target, name: basename(target), replaces: force };
  // Loaded on use: most commands write no folder.
  const { checkFolderOutput } = await import('../../core/write/write.ts');
  const check = checkFolderOutput(folder, isMirror);
  await (canAppear ? check : check.catch(unwritableAsInvalid(target, field)));
  return folder;
}

/** The option that allows to replace what exists. @param what the existing item, such as `file` */
export const forceOption = (what: string) => ({
  force: flag(`replace an existing ${what}; without --force, it is an error (exit code 2)`),
});

/**
 * The file of an option, checked before anything is read or sent: it is new or may be replaced, can be written, and is none
 * of the files that the command reads.
 * @throws AppError invalid_input, file_exists, disk_full
 */
export async function parseOutput(
  text: string,
  field: string,
  {
    force,
    inputs = [],
    besides = () => [],
  }: {
    readonly force: boolean;
    readonly inputs?: readonly string[];
    /** The paths of files that are written beside a path. */
    readonly besides?: (path: string) => readonly string[];
  },
) {
  const output = targetAt(await parseTarget(text, field), force);
  await checkIsNoInput(output.path, inputs);
  await checkOutput(output, besides(output.path)).catch(unwritableAsInvalid(output.path, field));
  return output;
}

const delimiterNames: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  '\\t': '\t',
  pipe: '|',
  space: ' ',
};

const { shortRows, hashLines, apostrophes, columnEdges, arrays } = readingSchema.shape;
const tableName = z.string().min(1, 'Enter a name or a number.').optional();

/** Options for the format of a file; absent ones are detected. */
export const readingOptions = {
  encoding: option(z.string().optional(), '<name>', 'such as utf-8 or windows-1252'),
  delimiter: option(
    z
      .string()
      .transform((text) => delimiterNames[text] ?? text)
      .refine((text) => text.length === 1, 'Enter one character, or tab, comma, semicolon, pipe, or space.')
      .optional(),
    '<character>',
    'a character, or tab, comma, semicolon, or pipe',
  ),
  headerRow: option(whole.optional(), '<n>', 'line number of the column names, from 1'),
  unitRow: option(whole.optional(), '<n>', 'line number of the units, from 1; 0: none'),
  footerRows: option(whole.optional(), '<n>', 'number of footer rows'),
  shortRows: option(
    shortRows,
    '<action>',
    'fill rows shorter than the header with blank cells, or reject them; default: detected',
  ),
  hashLines: option(
    hashLines,
    '<kind>',
    'read lines that begin with # as comments or as rows; default: detected for each line',
  ),
  apostrophes: option(
    apostrophes,
    '<action>',
    'remove or keep an apostrophe before =, +, -, or @ in delimited text, which exports add to escape formulas; default: remove',
  ),
  columnEdges: option(
    z
      .string()
      .transform((text) => text.split(',').map((edge) => (edge.trim() === '' ? NaN : Number(edge))))
      .pipe(columnEdges.unwrap())
      .optional(),
    '<a,b>',
    'for fixed-width text: where each column after the first starts, such as 8,16,24',
  ),
  arrays: option(
    arrays,
    '<kind>',
    'read an array in a DLIS or LIS file as columns, one for each element, or as a list; default: columns',
  ),
  sheet: option(tableName, '<name or number>', 'name or number of the worksheet, from 1'),
  table: option(tableName, '<name>', 'name or number of the table in a LAS, DLIS, or other file'),
};

/** How a file is read, from the values of {@link readingOptions}. @throws AppError invalid_input */
export function readingOf({
  sheet,
  table = sheet,
  ...values
}: z.infer<z.ZodObject<typeof readingOptions>>): ReadingOptions {
  if (sheet !== undefined && table !== sheet)
    throw invalidInput('Select the table with --sheet or with --table, not both.', { field: 'table' });
  return parseOptions(readingSchema, { ...values, table });
}
