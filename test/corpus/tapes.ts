import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { readTables, type CorpusTable } from './read-tables.ts';

// Compares what is read of DLIS and LIS files with what dlisio reads, bit by bit for numbers.

const value = z.union([z.number(), z.string(), z.null()]);
const parts = z.union([value, z.array(value)]);
const cell = z.union([parts, z.array(parts)]);
const readTable = z.object({
  name: z.string(),
  error: z.string().optional(),
  columns: z.array(z.tuple([z.string(), z.string(), z.array(cell)])).default([]),
});
const readFile = z.object({ path: z.string(), error: z.string().optional(), tables: z.array(readTable) });
type ReadTable = z.infer<typeof readTable>;

/** Differences that are right, by the file and the difference. The last three are of files made of dlisio's parts. */
const explained: readonly (readonly [difference: RegExp, why: string])[] = [
  [/ends-on-FF-01/, 'a status is 0 or 1 (B.26); of 97, dlisio has the truth, and Wellbench the number'],
  [/broken-ascii/, 'a text is longer than its record: dlisio crashes, Wellbench ends the table there'],
  [/broken-fmt/, 'a frame isn’t complete: dlisio reads no frame of the file, Wellbench those before it'],
  [/broken-utf8|error-in-last/, 'the end is cut off: Wellbench reads what is before it'],
  [/invalid-dtime/, 'a day that its month doesn’t have is text, which isn’t a time'],
  [/encoded-obname/, 'the name of a channel isn’t UTF-8, which numpy needs'],
  [/many-logical-files/, 'the file begins with records without a header, which has no well'],
  [/dfsr-mnemonics-same.*"NAME\(0\)" in dlisio/, 'dlisio numbers curves of the same name'],
  [
    /dfsr-fast-.*, row 1, element 1: .*, 0 in dlisio/,
    'the index of samples before the first frame isn’t in the file: without a step, Wellbench has none',
  ],
  [
    /dfsr-(?:fast-|repcodes-string).*: \d+ rows, \d+ in dlisio/,
    'a frame isn’t complete: dlisio reads it up to the curves of one rate, or beyond its record',
  ],
];

const shown = (thing: unknown): string => JSON.stringify(thing).slice(0, 60);

/** Whether the text of a cell is a value of dlisio, whose numbers of 32 bits are such again when they are parsed. */
function isSame(text: string, wanted: z.infer<typeof value>, type: string): boolean {
  if (wanted === null) return text === '';
  if (typeof wanted === 'string') return text.trim() === wanted.trim() || text === `${wanted.trim()}Z`;
  // The number that stands for no value, unless a file declares another one.
  if (text === '') return wanted === -999.25;
  const number = Number(text);
  return (/^(?:<f4|float32|complex64)$/.test(type) ? Math.fround(number) : number) === wanted;
}

/** The first difference of a table; null: none. */
function differenceOf(table: CorpusTable, { columns }: ReadTable): string | null {
  const rows = columns[0]?.[2].length ?? 0;
  if (table.rows.length !== rows) return `${table.rows.length} rows, ${rows} in dlisio`;
  // The number of a frame is a column only if it is its index.
  const [, ...others] = columns;
  const wanted = columns[0]?.[0] === 'FRAMENO' && table.names[0] !== 'FRAMENO' ? others : columns;
  let at = 0;
  for (const [name, type, cells] of wanted) {
    const start = at;
    for (const [row, one] of cells.entries()) {
      const flat = [one].flat(2);
      for (const [element, expected] of flat.entries()) {
        const text = table.rows[row]?.[start + element] ?? '';
        if (!isSame(text, expected, type))
          return `${name}, row ${row + 1}, element ${element + 1}: ${shown(text)}, ${shown(expected)} in dlisio`;
      }
      at = Math.max(at, start + flat.length);
    }
    if (rows > 0 && !(table.names[start] ?? '').startsWith(name.trim()))
      return `column ${start + 1}: ${shown(table.names[start])}, ${shown(name)} in dlisio`;
  }
  return rows > 0 && at !== table.names.length ? `${table.names.length} columns, ${at} in dlisio` : null;
}

/** What was read of a file, or why it was not. */
async function tablesOf(path: string): Promise<readonly CorpusTable[] | string> {
  try {
    return await readTables(path, true);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

type Judgement = readonly [kind: string, detail: string | null];

/** Judges each table of dlisio by the next table of the same name. */
function judge(read: z.infer<typeof readFile>, tables: readonly CorpusTable[] | string): Judgement[] {
  if (typeof tables === 'string') {
    const refused = read.error ?? read.tables.find(({ error }) => error !== undefined)?.error;
    const hasRows = read.tables.some(({ columns }) => (columns[0]?.[2].length ?? 0) > 0);
    if (!hasRows) return [[refused === undefined ? 'without data in both' : 'refused by both', tables]];
    return [['different', `not read: ${tables}`]];
  }
  const rest = [...tables];
  const judgements = read.tables.map((wanted): Judgement => {
    // Formats of LIS have no name: their columns tell them apart.
    const names = wanted.columns.map(([name]) => name.trim()).join(' ');
    const same = rest.findIndex((one) => wanted.name === '' && one.names.join(' ') === names);
    const at = same >= 0 ? same : rest.findIndex(({ name }) => name.includes(wanted.name));
    const [table] = at < 0 ? [] : rest.splice(at, 1);
    if (wanted.error !== undefined)
      return table ? ['read only by Wellbench', wanted.error] : ['refused by both', wanted.error];
    const hasRows = (wanted.columns[0]?.[2].length ?? 0) > 0;
    if (!table) return hasRows ? ['different', `no table ${wanted.name}`] : ['without data in both', null];
    const difference = differenceOf(table, wanted);
    return difference === null ? ['equal', null] : ['different', `${wanted.name}: ${difference}`];
  });
  return [
    ...judgements,
    ...rest.map(({ name, rows }): Judgement => [
      'read only by Wellbench',
      `${name}, ${rows.length} rows; ${read.error ?? ''}`,
    ]),
  ];
}

/**
 * Compares all files of a format in folders with dlisio, table by table, and prints the differences.
 * @param python one that has dlisio
 * @returns 1 if a difference isn't explained
 */
export async function compareTapes(
  kind: 'dlis' | 'lis',
  folders: readonly string[],
  python: string,
): Promise<number> {
  const paths = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.toLowerCase().endsWith(`.${kind}`))
      .toSorted()
      .map((name) => join(folder, name)),
  );
  const reader = join(import.meta.dirname, 'dlisio_reader.py');
  const { stdout, stderr } = spawnSync(python, [reader], {
    input: paths.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (lines.length !== paths.length) throw new Error(`dlisio ended early: ${stderr}`);
  const counts = new Map<string, number>();
  for (const line of lines) {
    const read = readFile.parse(JSON.parse(line));
    const folder = folders.find((one) => read.path.startsWith(one)) ?? '';
    const name = relative(folder, read.path);
    for (const [found, detail] of judge(read, await tablesOf(read.path))) {
      const difference = `${name}: ${detail ?? ''}`;
      const why = explained.find(([pattern]) => pattern.test(difference))?.[1];
      const result = found === 'different' && why !== undefined ? 'explained' : found;
      counts.set(result, (counts.get(result) ?? 0) + 1);
      if (detail !== null && result !== 'equal')
        console.log(`${result}: ${name}: ${detail.slice(0, 200)}${why === undefined ? '' : ` (${why})`}`);
    }
  }
  console.log(`${paths.length} files`);
  for (const [result, tables] of counts) console.log(`${result}: ${tables} tables`);
  return counts.has('different') ? 1 : 0;
}
