import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { rowsOfCsv } from '../support/csv-rows.ts';
import { readTables } from './read-tables.ts';

// Scores a folder of the Pollock benchmark (Vitagliano and others, VLDB 2023) by its published measures: whether a file is
// read, and precision, recall, and F1 of its header, records, and cells, each from 0 to 1. The simple score is their sum,
// as a mean of all files; in the weighted one, files count as often as their kind of fault was seen in a survey.

interface Multiset {
  readonly counts: ReadonlyMap<string, number>;
  readonly size: number;
}

function multiset(values: readonly string[]): Multiset {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return { counts, size: values.length };
}

/** Precision, recall, and F1 as the benchmark defines them: precision by the source, recall by what was read. */
function measures(source: Multiset, read: Multiset): number[] {
  if (source.size === 0) return [1, 1, 1];
  let common = 0;
  for (const [value, count] of source.counts) common += Math.min(count, read.counts.get(value) ?? 0);
  if (common === 0) return [0, 0, 0];
  const [precision, recall] = [common / source.size, common / read.size];
  return [precision, recall, (2 * precision * recall) / (precision + recall)];
}

/** Numbers are compared as numbers, words in any letters. */
function plain(cell: string): string {
  const text = cell.trim();
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return String(Number(text));
  if (text === '') return '';
  return cell.toLowerCase();
}

/** The ten measures of one file. */
function scoreOf(source: readonly (readonly string[])[], read: readonly (readonly string[])[]): number[] {
  const record = (row: readonly string[]): string => row.map(plain).join('');
  const first = (rows: readonly (readonly string[])[]): Multiset => multiset((rows[0] ?? []).map(plain));
  if (source.length === 0) return Array.from({ length: 10 }, () => 1);
  return [
    1,
    ...measures(first(source), first(read)),
    ...measures(multiset(source.slice(1).map(record)), multiset(read.slice(1).map(record))),
    ...measures(multiset(source.flat()), multiset(read.flat())),
  ];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

interface Score {
  readonly file: string;
  readonly score: number;
  readonly error: string | null;
}

async function scoreFile(folder: string, file: string): Promise<Score> {
  const text = readFileSync(join(folder, 'clean', file), 'utf8').replace(/^\uFEFF/, '');
  const source = rowsOfCsv(`${text}\n`).filter((row) => row.length > 1 || row[0] !== '');
  try {
    // Of several tables, the first one is read unless a person selects another.
    const [{ names, rows } = { names: [], rows: [] }] = await readTables(join(folder, 'csv', file));
    const read = names.length > 0 ? [names, ...rows] : rows;
    return { file, score: sum(scoreOf(source, read)), error: null };
  } catch (error) {
    // A file without content is read rightly if it is refused.
    const isRight = source.length === 0;
    return { file, score: isRight ? 10 : 0, error: error instanceof Error ? error.message : String(error) };
  }
}

/** Scores all files of a folder with `csv`, `clean`, and beside it perhaps `pollock_weights.json`; prints the worst. */
export async function scorePollock(folder: string): Promise<void> {
  const files = readdirSync(join(folder, 'csv')).filter((name) => name.endsWith('.csv'));
  const scores: Score[] = [];
  for (const file of files) scores.push(await scoreFile(folder, file));
  const weightsFile = join(folder, '..', 'pollock_weights.json');
  const weights = existsSync(weightsFile)
    ? z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(weightsFile, 'utf8')))
    : {};
  const weightOf = ({ file }: Score): number => weights[file] ?? 1;
  const total = sum(scores.map(weightOf));
  const weighted = sum(scores.map((score) => (score.score * weightOf(score)) / total));
  const lost = (score: Score): number => ((10 - score.score) * weightOf(score)) / total;
  for (const score of scores
    .filter((one) => one.score < 9.995)
    .toSorted((a, b) => lost(b) - lost(a))
    .slice(0, 40))
    console.log(
      `${score.score.toFixed(3)}  −${lost(score).toFixed(4)}  ${score.file}${score.error === null ? '' : `: ${score.error}`}`,
    );
  const kinds = Object.groupBy(scores, ({ file }) =>
    file.replaceAll(/(?:_?row|quote|delimiter_|col)\d+|_0x.*|\.csv/g, '#'),
  );
  for (const [kind, some = []] of Object.entries(kinds)) {
    const missing = sum(some.map(({ score }) => 10 - score)) / scores.length;
    if (missing > 0.0001)
      console.log(`${kind}: ${some.length} files, −${missing.toFixed(4)} of the simple score`);
  }
  const simple = sum(scores.map(({ score }) => score)) / scores.length;
  console.log(`${files.length} files: simple ${simple.toFixed(3)}, weighted ${weighted.toFixed(3)}`);
}
