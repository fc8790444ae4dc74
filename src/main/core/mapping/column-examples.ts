import * as z from 'zod';
import type { CellExample, TimeChoice } from '../../../shared/upload/preview.ts';
import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import type { Mapping } from '../../../shared/upload/upload.ts';
import { type PreviewRow, numberEnds, type ColumnFacts } from '../tables/tables.ts';
import { converter, joinCells, notesFor, Unfit, type Notes } from './convert.ts';
import { rowOfPreview, type RecordRow } from './record-row.ts';
import type { Match } from './match.ts';
import { problem } from '../records/targets.ts';
import type { Conversion } from './plan.ts';
import { offsetAt } from './zones.ts';
import { compactPattern, timePatterns } from '../records/time-patterns.ts';
import { timeReader } from './times.ts';

const examplesShown = 5;
/** Maximum number of examples with an issue. */
const oddShown = 3;

interface FilledCell {
  readonly line: number;
  readonly cell: string;
  /** Null: only the cell is known. */
  readonly row: RecordRow | null;
}

function timeOf(
  value: string | null,
  conversion: Conversion | null,
  { repeated }: Notes,
): CellExample['time'] {
  if (value === null || conversion?.kind !== 'time') return null;
  const ms = new Date(conversion.as === 'ms' ? Number(value) : z.string().parse(JSON.parse(value))).getTime();
  return { ms, offset: offsetAt(conversion.zone, ms), repeated };
}

/** The nonblank, valid cells of a column among the first rows. @param join indexes of columns whose text is appended */
export const filledCells = (
  index: number,
  join: readonly number[],
  sample: readonly PreviewRow[],
  mapping: Mapping,
): FilledCell[] => {
  const nulls = new Set(nullsOf(mapping));
  return sample.flatMap((shown) => {
    const { line, cells, problem: broken } = shown;
    const joinedCells = [index, ...join].map((at) => cells[at] ?? '');
    const cell = join.length > 0 ? joinCells(joinedCells, nulls) : (joinedCells[0] ?? '');
    return broken === null && cell.trim() !== '' ? [{ line, cell, row: rowOfPreview(shown) }] : [];
  });
};

/** Nonblank cells of a column that is blank in the first rows: the first of each kind. */
export const firstCells = ({ firsts }: ColumnFacts): FilledCell[] =>
  Object.entries(firsts)
    .filter(([kind]) => kind !== 'empty' && kind !== 'null_word')
    .map(([, { line, text }]) => ({ line, cell: text, row: null }))
    .toSorted((a, b) => a.line - b.line);

const isRepeated = ({ time }: CellExample): boolean => time !== null && time.repeated !== null;

/** The first example of each text, and of each of its two times if it has two, in the order of the file. */
function distinctExamples(examples: readonly CellExample[]): CellExample[] {
  const groups = Map.groupBy(examples, ({ cell, time }) => JSON.stringify([cell, time?.repeated ?? null]));
  return [...groups.values()].flatMap(([first]) => first ?? []);
}

/**
 * Conversions of the first different nonblank cells of a column. Cells with an issue replace others even if they are
 * further down. Wells by name are resolved when the upload starts.
 */
export function examplesOf(
  cells: readonly FilledCell[],
  key: string,
  conversion: Conversion | null,
  mapping: Mapping,
): CellExample[] {
  const convert = conversion && conversion.kind !== 'asset' ? converter(conversion, nullsOf(mapping)) : null;
  const all = cells.map(({ line, cell, row }): CellExample => {
    const notes = notesFor(row);
    const value = convert ? convert(cell, notes) : null;
    if (value instanceof Unfit)
      return { line, cell, value: null, problem: problem(value.code, key, cell).message, time: null };
    return { line, cell, value, problem: null, time: timeOf(value, conversion, notes) };
  });
  const examples = distinctExamples(all);
  const odd = examples
    .filter((example) => example.problem !== null || isRepeated(example))
    .slice(0, oddShown);
  const kept = new Set([...new Set([...odd, ...examples])].slice(0, examplesShown));
  return examples.filter((example) => kept.has(example));
}

/** The formats that fit a column of times. @param patterns that fit all its texts; empty: none, or unknown */
export function choicesOf(
  cells: readonly FilledCell[],
  patterns: readonly string[],
  match: Match | null,
  mapping: Mapping,
): TimeChoice[] {
  if (!match) return [];
  const isTime = match.kind === 'timestamp' || match.kind === 'datetime' || match.wanted.format !== undefined;
  if (!isTime) return [];
  const nulls = new Set(nullsOf(mapping));
  const choices = timeChoices(cells.map(({ cell }) => cell.trim()).filter((text) => !nulls.has(text)));
  const fitting = choices.filter(({ format }) => patterns.includes(withSingleLetters(format)));
  return fitting.length > 0 ? fitting : choices;
}

/** A pattern in which one letter matches one or two digits, as detected in the file. */
const withSingleLetters = (format: string): string =>
  format.replaceAll(/dd|MM(?!M)|HH|hh/g, ([one = '']) => one);

/** The minimum and maximum cells of numbers or times; null: unknown. */
function extremes(facts: ColumnFacts, conversion: Conversion): Pick<ColumnFacts, 'min' | 'max'> | null {
  if (conversion.kind === 'number' || conversion.kind === 'integer')
    return numberEnds(facts, conversion.style.decimal);
  if (conversion.kind !== 'time' || conversion.as !== 'ms') return null;
  return conversion.format.startsWith('unix_') ? facts : facts.timeRange;
}

/** A conversion that reads all times that occur twice as the first or the second. */
const withReading = (conversion: Conversion, reading: 'first' | 'second'): Conversion =>
  conversion.kind === 'time' ? { ...conversion, repeated: { reading, wells: [], hours: [] } } : conversion;

/** The minimum and maximum value of a column, as JSON texts; null if unknown. */
export function spanOf(facts: ColumnFacts, conversion: Conversion): { from: string; to: string } | null {
  const { min, max } = extremes(facts, conversion) ?? {};
  if (!min || !max) return null;
  const from = converter(withReading(conversion, 'first'), [])(min.text, notesFor());
  const to = converter(withReading(conversion, 'second'), [])(max.text, notesFor());
  return typeof from === 'string' && typeof to === 'string' ? { from, to } : null;
}

const numeric = /^\d+(?:\.\d+)?$/;
const counted = ['unix_ms', 'unix_s', 'unix_us', 'unix_ns', 'excel_1900', 'excel_1904'] as const;
/** Plausible years for a count of days or seconds. */
const likelyYears = { from: Date.UTC(1971, 0, 1), to: Date.UTC(2100, 0, 1) };

/** The patterns that fit all cells, with two letters where all of them have two digits. */
function patternsFor(cells: readonly string[]): string[] {
  const [first = [], ...others] = cells.map(timePatterns);
  const numbers = cells.map((cell) => cell.match(/\d+/g) ?? []);
  return first
    .filter((pattern) => others.every((patterns) => patterns.includes(pattern)))
    .map((pattern) => {
      let at = 0;
      return pattern.replaceAll(/'[^']*'|yy(?:yy)?|mm|ss|[dMHhu]/g, (token) => {
        if (token.startsWith("'")) return token;
        const place = at++;
        const isTwoDigits = numbers.every((tokens) => tokens[place]?.length === 2);
        return token.length === 1 && token !== 'u' && isTwoDigits ? token.repeat(2) : token;
      });
    });
}

/** The local time in a cell, in milliseconds as if it were UTC; null: it doesn't fit the format. */
function localTime(cell: string, format: string): number | null {
  const read = timeReader(format, 'UTC')(cell);
  return typeof read === 'string' ? null : read.ms;
}

/**
 * The formats that fit all of these cells, each with its result for the first cell on which they differ. Empty if the
 * format is unambiguous, or nothing fits.
 * @param cells nonblank cells of one column, trimmed
 */
export function timeChoices(cells: readonly string[]): TimeChoice[] {
  if (cells.every((cell) => localTime(cell, 'iso') !== null)) return [];
  const isCount = cells.every((cell) => numeric.test(cell));
  const compact = cells[0] === undefined ? null : compactPattern(cells[0]);
  if (compact !== null && cells.every((cell) => compactPattern(cell) === compact)) return [];
  const fitting = (isCount ? counted : patternsFor(cells)).flatMap((format) => {
    const times = cells.map((cell) => localTime(cell, format));
    const fits = times.every(
      (ms) => ms !== null && (!isCount || (ms >= likelyYears.from && ms < likelyYears.to)),
    );
    return fits ? [{ format, times }] : [];
  });
  const firstDifference = cells.findIndex((_, at) => new Set(fitting.map(({ times }) => times[at])).size > 1);
  const at = Math.max(firstDifference, 0);
  return fitting.map(({ format, times }) => ({
    format,
    cell: cells[at] ?? '',
    local: times[at] ?? 0,
  }));
}
