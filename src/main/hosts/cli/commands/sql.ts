import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import * as z from 'zod';
import { pathId } from '../../../../shared/column-paths.ts';
import { invalidInput } from '../../../../shared/errors/errors.ts';
import { exportFormat, nullValueStyles, type NullValues } from '../../../../shared/export/export.ts';
import {
  maxSqlItems,
  maxSqlRows,
  maxSqlValueLength,
  maxTableName,
  sqlTableName,
} from '../../../../shared/sql/sql.ts';
import { freeName } from '../../../../shared/sql/names.ts';
import type { FileWarning } from '../../../../shared/upload/upload.ts';
import { append } from '../../../../shared/lists.ts';
import { sourceAt } from '../../../core/files/files.ts';
import { command, option, type Cli, withApp, type Session } from '../command.ts';
import { forceOption, formatOfFile, outOption, parseOutput } from '../file-options.ts';
import { warningTexts } from '../jobs/outcome.ts';
import { recordFormats, writeRecords } from '../output.ts';

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
  if (name.length > maxTableName)
    throw invalidInput(
      `The name “${name}” has ${name.length} characters; a table name can have up to ${maxTableName}. Choose a shorter name.`,
      { field: 'table' },
    );
  if (!sqlTableName.safeParse(name).success)
    throw invalidInput(
      `“${text}” isn’t a table. Write NAME=FILE; a name consists of letters, digits, and underscores.`,
      { field: 'table' },
    );
  const path = resolve(whole);
  const [, file, sheet] = /^(.+)#([^#/\\]+)$/.exec(whole) ?? [];
  if (file === undefined || sheet === undefined || (await stat(path).catch(() => null)) !== null)
    return { name, path };
  return { name, path: resolve(file), sheet };
}

type TableWarning = FileWarning & { readonly table: string };

/** @returns the warnings about a file */
async function addTable(
  { app, client, options }: Session,
  cli: Cli,
  { name, path, sheet, nullValues }: NamedTable & { readonly nullValues: NullValues },
): Promise<TableWarning[]> {
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
  const { label, notes, warnings = [], places } = added;
  for (const text of warningTexts(warnings, places)) cli.messages.say(`Warning: ${label}: ${text}`);
  for (const note of notes) cli.messages.say(`${label}: ${note}`);
  return warnings.map((warning) => ({ table: name, ...warning }));
}

/** `sql STATEMENT`: SQL over files and folders of Parquet files. */
export const sql = command({
  arguments: { statement: option(z.string(), '<statement>', 'a SELECT statement') },
  options: {
    ...forceOption('file'),
    table: option(
      z.array(z.string()).default([]),
      '<name=file>',
      'a file, FILE#SHEET, or a folder of Parquet files as a table; repeatable',
    ),
    nullValues: option(
      z.enum(nullValueStyles).optional(),
      '<style>',
      'numbers such as -999.25 in tables: read as null, or keep as numbers; default: blank',
    ),
    format: option(exportFormat.optional(), '<format>', 'default: ndjson; with --out, from the file name'),
    out: option(z.string().optional(), '<file>', outOption),
  },
  async run({ statement, table, format, nullValues = 'blank', out, force }, cli) {
    const tables = await Promise.all(table.map(parseTable));
    const [repeated] = tables.filter(({ name }, at) => freeName(name, tables.slice(0, at)) !== name);
    if (repeated)
      throw invalidInput(
        `Two tables are named ${repeated.name}; SQL ignores case in names. Choose another name.`,
        { field: 'table' },
      );
    const inputs = tables.map(({ path }) => path);
    const output = out === undefined ? null : await parseOutput(out, 'out', { force, inputs });
    const printed = format === undefined ? 'ndjson' : recordFormats.find((name) => name === format);
    if (output === null && printed === undefined)
      throw invalidInput(`${format} needs a file. Add --out.`, { field: 'format' });
    return withApp(cli, async (session) => {
      const warnings: TableWarning[] = [];
      for (const table of tables) append(warnings, await addTable(session, cli, { ...table, nullValues }));
      const { app, client, options } = session;
      if (output !== null) {
        const { path } = output;
        const { token: target } = app.files.grantTarget(output);
        const fileFormat = format ?? formatOfFile(path) ?? 'csv';
        const request = { sql: statement, target, nullValues: 'keep', format: fileFormat } as const;
        const { rows: count, bytes, warnings: notes } = await client.sql.save(request, options);
        for (const note of notes) cli.messages.say(`Warning: ${note}`);
        return { summary: { count, bytes, file: path, warnings } };
      }
      const { records, count, hasMore, cut, columns } = await client.sql.run(
        { sql: statement, limit: maxSqlRows },
        options,
      );
      if (hasMore)
        throw invalidInput(
          `The statement returns more than ${count} rows. Write them to a file with --out, or add a LIMIT.`,
        );
      if (cut > 0)
        throw invalidInput(
          `Values with more than ${maxSqlValueLength} characters, or more than ${maxSqlItems} list items, aren’t printed; this result contains ${cut}. Write the rows to a file with --out, or shorten the values, for example with left().`,
        );
      const fields = columns.map(({ name }) => pathId([name]));
      await writeRecords(cli.out, records, printed ?? 'ndjson', fields);
      return { summary: { count, warnings } };
    });
  },
});
