import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Option, type Command } from 'commander';
import * as z from 'zod';
import { invalidInput } from '../../../shared/errors/errors.ts';
import {
  exportFormat,
  exportFormats,
  nullValueStyles,
  type NullValues,
} from '../../../shared/export/export.ts';
import { maxSqlRows, maxSqlValueLength, sqlTableName } from '../../../shared/sql/sql.ts';
import { sourceAt } from '../../files/files.ts';
import type { Cli } from '../context.ts';
import {
  addForceOption,
  forceOption,
  formatOfFile,
  gather,
  parseOptions,
  parseOutput,
  parsePath,
} from '../options.ts';
import { withApp, type Session } from '../session.ts';
import { recordFormats, writeRecords } from '../records.ts';

const typedOptions = z.object({
  table: z.array(z.string()).default([]),
  format: exportFormat.optional(),
  nullValues: z.enum(nullValueStyles).default('blank'),
  out: z.string().optional(),
  ...forceOption,
});

/** A table of the option `--table`. */
interface NamedTable {
  readonly name: string;
  readonly path: string;
  /** A table of the file, such as a worksheet; absent: the default. */
  readonly sheet?: string;
}

/**
 * `NAME=FILE`, `NAME=FILE#SHEET`, or `NAME=FOLDER`. The name of a file that exists can contain a number sign.
 * @throws AppError invalid_input
 */
async function parseTable(text: string): Promise<NamedTable> {
  const [, name = '', whole = ''] = /^([^=]*)=(.+)$/.exec(text) ?? [];
  if (!sqlTableName.safeParse(name).success)
    throw invalidInput(
      `“${text}” isn’t a table. Write NAME=FILE; a name has letters, digits, and underscores.`,
      { field: 'table' },
    );
  const path = parsePath(whole, 'table');
  const [, file, sheet] = /^(.+)#([^#/\\]+)$/.exec(whole) ?? [];
  if (file === undefined || sheet === undefined || (await stat(path).catch(() => null)) !== null)
    return { name, path };
  return { name, path: parsePath(file, 'table'), sheet };
}

async function addTable(
  { app, client, options }: Session,
  cli: Cli,
  { name, path, sheet, nullValues }: NamedTable & { readonly nullValues: NullValues },
): Promise<void> {
  const keepsNulls = nullValues === 'keep';
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() ?? false;
  const added = isFolder
    ? await client.sql.addFolder(
        { name, keepsNulls, folder: app.files.grantFolder({ path, name: basename(path) }).token },
        options,
      )
    : await client.sql.addFile(
        {
          name,
          keepsNulls,
          source: (await app.files.grantSource(sourceAt(path))).token,
          reading: sheet === undefined ? {} : { table: sheet },
        },
        options,
      );
  for (const note of added.notes) cli.messages.say(`${added.label}: ${note}`);
}

/** `sql STATEMENT`: SQL over files and folders of Parquet files. */
export function define(command: Command, cli: Cli): void {
  addForceOption(command, 'file')
    .argument('<statement>', 'a SELECT statement')
    .option(
      '--table <name=file>',
      'a file, FILE#SHEET, or a folder of Parquet files as a table; repeatable',
      gather,
    )
    .addOption(
      new Option(
        '--null-values <style>',
        'numbers such as -999.25 in tables: read as null, or kept as numbers; default: blank',
      ).choices(nullValueStyles),
    )
    .addOption(
      new Option('--format <format>', 'default: ndjson; of a file: from its name').choices(exportFormats),
    )
    .option('--out <file>', 'file to write; must not exist, unless you add --force')
    .action(
      cli.run(async (statement: string, typed: unknown) => {
        const { table: given, format, nullValues, out, force } = parseOptions(typedOptions, typed);
        const tables = await Promise.all(given.map(parseTable));
        const inputs = tables.map(({ path }) => path);
        const output = out === undefined ? null : await parseOutput(out, 'out', { force, inputs });
        const printed = format === undefined ? 'ndjson' : recordFormats.find((each) => each === format);
        if (output === null && printed === undefined)
          throw invalidInput(`${format} needs a file. Add --out.`, { field: 'format' });
        return withApp(cli, async (session) => {
          for (const table of tables) await addTable(session, cli, { ...table, nullValues });
          const { app, client, options } = session;
          if (output !== null) {
            const { path } = output;
            const { token: target } = app.files.grantTarget(output);
            const request = { sql: statement, target, nullValues, format: format ?? formatOfFile(path) };
            const { rows: count, bytes } = await client.sql.save(request, options);
            return { summary: { count, bytes, file: path } };
          }
          const { records, count, hasMore, cut } = await client.sql.run(
            { sql: statement, limit: maxSqlRows },
            options,
          );
          if (hasMore)
            throw invalidInput(
              `The statement has more than ${count} rows. Write them to a file with --out, or add a LIMIT.`,
            );
          if (cut > 0)
            throw invalidInput(
              `${cut} values have more than ${maxSqlValueLength} characters. Write the rows to a file with --out, or shorten the values, for example with left().`,
            );
          await writeRecords(cli.out, records, printed ?? 'ndjson');
          return { summary: { count } };
        });
      }),
    );
}
