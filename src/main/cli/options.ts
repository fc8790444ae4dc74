import { stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import * as z from 'zod';
import { datasetAddress, type DatasetAddress } from '../../shared/datasets/datasets.ts';
import { exportFormat, type ExportFormat } from '../../shared/export/export.ts';
import { readingOptions as readingSchema, type ReadingOptions } from '../../shared/upload/upload.ts';
import { AppError, invalidInput, isAppError } from '../../shared/errors/errors.ts';
import { Option, type Command } from 'commander';
import { checkFolderOutput } from '../export/folder/plan-folder.ts';
import { targetAt, type FolderPlace } from '../files/files.ts';
import { checkOutput } from '../files/output-file.ts';
import { checkIsNoInput } from '../files/same-file.ts';

/** An integer. */
export const whole = z
  .string()
  .regex(/^[+-]?\d{1,15}$/, { error: ({ input }) => `“${String(input)}” isn’t a whole number.` })
  .transform(Number);

/** A number with a decimal point. */
export const decimal = z
  .string()
  .regex(/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, {
    error: ({ input }) => `“${String(input)}” isn’t a number.`,
  })
  .transform(Number);

/** A Boolean: the option without a value means yes. */
export const yesOrNo = z
  .union([z.boolean(), z.enum(['true', 'false', 'yes', 'no'], 'Enter true or false.')])
  .transform((value) => value === true || value === 'true' || value === 'yes');

/** Several values: a repeated option, or values separated by commas. */
export const several = z
  .array(z.string())
  .transform((value) => value.flatMap((text) => text.split(',')).map((part) => part.trim()))
  .transform((parts) => parts.filter((part) => part !== ''));

/** Collects the values of a repeatable option. */
export const gather = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

/** The name of an option on the command line: `maxGap` is `max-gap`. */
export const optionName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The options, validated by a schema. @throws AppError invalid_input that names each invalid option */
export function parseOptions<S extends z.ZodType>(schema: S, typed: unknown): z.infer<S> {
  const parsed = schema.safeParse(typed);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ message, path }) => {
    const name = path[0];
    return name === undefined ? { message } : { message, place: { field: optionName(String(name)) } };
  });
  throw new AppError('invalid_input', { issues });
}

/** `P/D`: a provider and a dataset. @throws AppError invalid_input */
export function parseAddress(text: string): DatasetAddress {
  const slash = text.indexOf('/');
  const parsed = datasetAddress.safeParse({ provider: text.slice(0, slash), dataset: text.slice(slash + 1) });
  if (slash > 0 && parsed.success) return parsed.data;
  throw invalidInput(`“${text}” is not a dataset. Write provider/dataset, for example demo/wits.`, {
    field: 'dataset',
  });
}

/** The format for a file's extension; CSV by default. */
export function formatOfFile(path: string): ExportFormat {
  const extension = extname(path).slice(1).toLowerCase();
  return extension === 'jsonl' ? 'ndjson' : (exportFormat.safeParse(extension).data ?? 'csv');
}

/** The absolute path of a file. @throws AppError invalid_input for an empty one */
export function parsePath(text: string, field: string): string {
  if (text === '') throw invalidInput('The file name is empty.', { field });
  return resolve(text);
}

/** The path of a file or folder to be written. @throws AppError invalid_input if its folder doesn't exist */
async function parseTarget(text: string, field: string): Promise<string> {
  const path = parsePath(text, field);
  const folder = dirname(path);
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory()) return path;
  throw invalidInput(`No folder ${folder}. Create it first, or choose another.`, { field });
}

/** A place that can't be written is a wrong option as long as nothing was read or sent. */
function unwritableAsInvalid(path: string, field: string): (error: unknown) => never {
  return (error) => {
    if (!isAppError(error, 'file_unwritable')) throw error;
    const { file, reason } = error.details;
    throw invalidInput(`Can’t write ${file} in ${dirname(path)}: ${reason}. Choose another folder.`, {
      field,
    });
  };
}

/**
 * The folder of an option, checked before anything is read or sent.
 * @throws AppError invalid_input, file_exists, file_unreadable, file_too_new, disk_full
 */
export async function parseFolder(
  text: string,
  field: string,
  { force, isMirror }: { readonly force: boolean; readonly isMirror: boolean },
): Promise<FolderPlace> {
  const path = await parseTarget(text, field);
  const folder = { path, name: basename(path), replaces: force };
  await checkFolderOutput(folder, isMirror).catch(unwritableAsInvalid(path, field));
  return folder;
}

/** The option that allows to replace files, for each command that writes some. */
export const forceOption = { force: z.boolean().default(false) };

/** Adds {@link forceOption}. @param what the existing item, such as `file` */
export const addForceOption = (command: Command, what: string): Command =>
  command.option('--force', `replace an existing ${what}; without --force, it is an error (exit code 2)`);

/**
 * The file of an option, checked before anything is read or sent: it is new or may be replaced, can be written, and is none
 * of the files that the command reads.
 * @throws AppError invalid_input, file_exists, disk_full
 */
export async function parseOutput(
  text: string,
  field: string,
  { force, inputs = [] }: { readonly force: boolean; readonly inputs?: readonly string[] },
) {
  const output = targetAt(await parseTarget(text, field), force);
  await checkIsNoInput(output.path, inputs);
  await checkOutput(output).catch(unwritableAsInvalid(output.path, field));
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

/** Options for the format of a file; absent ones are detected. */
const readingOptions = {
  encoding: z.string().optional(),
  delimiter: z
    .string()
    .transform((text) => delimiterNames[text] ?? text)
    .refine((text) => text.length === 1, 'Enter one character, or tab, comma, semicolon, pipe, or space.')
    .optional(),
  headerRow: whole.optional(),
  unitRow: whole.optional(),
  footerRows: whole.optional(),
  shortRows: readingSchema.shape.shortRows,
  hashLines: readingSchema.shape.hashLines,
  columnEdges: z
    .string()
    .transform((text) => text.split(',').map((edge) => (edge.trim() === '' ? NaN : Number(edge))))
    .pipe(readingSchema.shape.columnEdges.unwrap())
    .optional(),
  sheet: z.string().min(1, 'Enter a name or a number.').optional(),
  table: z.string().min(1, 'Enter a name or a number.').optional(),
};

/** How a file is read, from the options. @throws AppError invalid_input that names each invalid option */
export function parseReading(typed: unknown): ReadingOptions {
  const { sheet, table = sheet, ...reading } = parseOptions(z.object(readingOptions), typed);
  if (sheet !== undefined && table !== sheet)
    throw invalidInput('Select the table by --sheet or by --table, not both.', { field: 'table' });
  return table === undefined ? reading : { ...reading, table };
}

/** Adds the options of {@link readingOptions}. */
export function addReadingOptions(command: Command): Command {
  return command
    .option('--encoding <name>', 'such as utf-8 or windows-1252')
    .option('--delimiter <character>', 'a character, or tab, comma, semicolon, or pipe')
    .option('--header-row <n>', 'line number of the column names, from 1')
    .option('--unit-row <n>', 'line number of the units, from 1; 0: none')
    .option('--footer-rows <n>', 'number of footer rows')
    .addOption(
      new Option(
        '--short-rows <action>',
        'rows with fewer cells than the header: fill them with blank cells, or reject them; default: as in the file',
      ).choices(readingSchema.shape.shortRows.unwrap().options),
    )
    .addOption(
      new Option(
        '--hash-lines <kind>',
        'whether lines that begin with # are comments or rows; default: detected for each line',
      ).choices(readingSchema.shape.hashLines.unwrap().options),
    )
    .option('--column-edges <a,b>', 'for fixed-width text: where each column after the first starts: 8,16,24')
    .option('--sheet <name or number>', 'worksheet, by its name or its number from 1')
    .option('--table <name>', 'table of a LAS, WITSML, or other file, by its name or number');
}

const ids = several.pipe(z.array(whole.pipe(z.int().min(0))).max(10_000)).default([]);

/** The options of {@link addWellOptions}, in the form of the contract. */
export const wellOptions = { assetId: ids, companyId: ids };

/** Adds the options for wells, and for companies in datasets that belong to companies. */
export function addWellOptions(command: Command, what: string): Command {
  return command
    .option('--asset-id <id>', `${what} these wells, by asset ID; comma-separated`, gather)
    .option('--company-id <id>', 'company IDs, for datasets that belong to companies', gather);
}
