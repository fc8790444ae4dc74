import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { readTables, type CorpusTable } from './read-tables.ts';

// Compares what is read of LAS files with what lasio reads, value by value.

const readFile = z.object({
  path: z.string(),
  error: z.string().optional(),
  curves: z.array(z.tuple([z.string(), z.array(z.union([z.number(), z.string(), z.null()]))])).default([]),
});

/** Differences that are right, by the file's name. */
const explained: readonly (readonly [file: RegExp, why: string])[] = [
  [/Curve-Param Error|las3_phase_data/i, 'lasio knows ~Log sections of LAS 3 alone, and reads no other data'],
  [
    /Curve-Param Unknown|drilling_tab_elapsed/i,
    'lasio knows ~Log sections of LAS 3 alone, and names no column of others',
  ],
  [/LASv3\.las$/i, 'lasio joins the data of all sections of LAS 3'],
  [/encodings_utf(?:8|16)/, 'lasio looks for no encoding unless chardet is installed'],
  [/barebones2/, 'without a section of curves, lasio has no names; the line ~A names them'],
  [/excess_curves/, 'curves without values have no column'],
  [
    /null_policy_(?:\(null\)|ERR|dashes)/,
    'lasio writes the numbers of a column with a word as it writes floats',
  ],
  [/null_policy_ind/, 'lasio takes -1.#IND for -1'],
  [/null_policy_runon/, 'values that run together are separate values'],
  [/sect_widths_12/, 'eight values for four curves can’t be paired; lasio drops four of them'],
];

/** Names and values of a table as columns. */
const columnsOf = ({ names, rows }: CorpusTable): [string, string[]][] =>
  names.map((name, at) => [name, rows.map((row) => row[at] ?? '')]);

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 40);

function isSame(text: string, value: number | string | null): boolean {
  if (value === null) return text === '' || text.toLowerCase() === 'nan';
  if (typeof value === 'string') return text.trim() === value.trim();
  // A decimal comma is read by the type of its column.
  return text !== '' && Math.abs(Number(text.replace(',', '.')) - value) <= Math.abs(value) * 1e-12;
}

/** The first difference of a file; null: none. */
function differenceOf(table: CorpusTable, { curves }: z.infer<typeof readFile>): string | null {
  const columns = columnsOf(table);
  if (columns.length !== curves.length) return `${columns.length} columns, ${curves.length} in lasio`;
  for (const [at, [name, values]] of curves.entries()) {
    const [ownName, texts] = columns[at] ?? ['', []];
    if (ownName !== name) return `column ${at + 1}: ${shown(ownName)}, ${shown(name)} in lasio`;
    if (texts.length !== values.length) return `${texts.length} rows, ${values.length} in lasio`;
    const row = values.findIndex((value, index) => !isSame(texts[index] ?? '', value));
    if (row >= 0) return `${name}, row ${row + 1}: ${shown(texts[row])}, ${shown(values[row])} in lasio`;
  }
  return null;
}

/** The table that lasio reads, which has the same columns, else the first one; or why the file isn't read. */
async function tableOf(path: string, { curves }: z.infer<typeof readFile>): Promise<CorpusTable | string> {
  try {
    const tables = await readTables(path);
    const names = curves.map(([name]) => name).join('\n');
    return tables.find((table) => table.names.join('\n') === names) ?? tables[0] ?? 'no table';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Compares all LAS files of a folder and prints the differences.
 * @param python one that has lasio
 * @returns 1 if a difference isn't explained
 */
export async function compareLas(folder: string, python: string): Promise<number> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.las$/i.test(name))
    .toSorted()
    .map((name) => join(folder, name));
  const reader = join(import.meta.dirname, 'lasio_reader.py');
  const { stdout, stderr } = spawnSync(python, [reader], {
    input: paths.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (lines.length !== paths.length) throw new Error(`lasio ended early: ${stderr}`);
  const counts = {
    equal: 0,
    explained: 0,
    different: 0,
    'read only by Wellbench': 0,
    'without data in both': 0,
  };
  for (const line of lines) {
    const read = readFile.parse(JSON.parse(line));
    const table = await tableOf(read.path, read);
    const hasData = read.curves.some(([, values]) => values.length > 0);
    const why = explained.find(([pattern]) => pattern.test(read.path))?.[1];
    const judged = (difference: string | null): [keyof typeof counts, string | null] =>
      difference === null ? ['equal', null] : [why === undefined ? 'different' : 'explained', difference];
    const [kind, difference] =
      typeof table === 'string'
        ? hasData
          ? judged(`not read: ${table}`)
          : (['without data in both', null] as const)
        : read.error === undefined
          ? judged(differenceOf(table, read))
          : (['read only by Wellbench', read.error] as const);
    counts[kind]++;
    if (difference !== null)
      console.log(
        `${kind}: ${relative(folder, read.path)}: ${difference.slice(0, 200)}${why === undefined ? '' : ` (${why})`}`,
      );
  }
  console.log(`${paths.length} files`);
  for (const [kind, count] of Object.entries(counts)) console.log(`${kind}: ${count}`);
  return counts.different > 0 ? 1 : 0;
}
