import * as z from 'zod';
import type { CellExample, TimeChoice } from '../../../shared/upload/preview.ts';
import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import type { Mapping } from '../../../shared/upload/upload.ts';
import type { PreviewRow } from '../reading/preview.ts';
import { converter, joinCells, Unfit } from './convert.ts';
import type { Match } from './match.ts';
import { problem } from '../model/problems.ts';
import type { Conversion } from '../model/rules.ts';
import { timeChoices } from './time-choices.ts';
import { offsetAt } from './zones.ts';

const examplesShown = 5;
/** Of them so many of which something is to be said. */
const oddShown = 3;

export interface FilledCell {
  readonly line: number;
  readonly cell: string;
}

/** What a time became, read back from its JSON text. */
function timeOf(value: string | null, conversion: Conversion | null, twice: boolean): CellExample['time'] {
  if (value === null || conversion?.kind !== 'time') return null;
  const ms = new Date(conversion.as === 'ms' ? Number(value) : z.string().parse(JSON.parse(value))).getTime();
  return { ms, offset: offsetAt(conversion.zone, ms), twice };
}

/**
 * The filled cells of a column that can be trusted, among the first rows.
 * @param join indices of columns whose text is appended
 */
export const filledCells = (
  index: number,
  join: readonly number[],
  sample: readonly PreviewRow[],
  mapping: Mapping,
): FilledCell[] =>
  sample.flatMap(({ line, cells, problem: broken }) => {
    const own = [index, ...join].map((at) => cells[at] ?? '');
    const cell = join.length > 0 ? joinCells(own, nullsOf(mapping)) : (own[0] ?? '');
    return broken === null && cell.trim() !== '' ? [{ line, cell }] : [];
  });

/**
 * How the first filled cells of a column come out; those of which something is to be said take the place of some where
 * they stand further on. Wells by name are resolved when the upload begins.
 */
export function examplesOf(
  cells: readonly FilledCell[],
  key: string,
  conversion: Conversion | null,
  mapping: Mapping,
): CellExample[] {
  const convert = conversion && conversion.kind !== 'asset' ? converter(conversion, nullsOf(mapping)) : null;
  const found = cells.map(({ line, cell }): CellExample => {
    const notes = { twice: 0 };
    const value = convert ? convert(cell, notes) : null;
    if (value instanceof Unfit)
      return { line, cell, value: null, problem: problem(value.code, key, cell).message, time: null };
    return { line, cell, value, problem: null, time: timeOf(value, conversion, notes.twice > 0) };
  });
  const odd = found.filter((each) => each.problem !== null || each.time?.twice === true).slice(0, oddShown);
  const kept = new Set([...new Set([...odd, ...found])].slice(0, examplesShown));
  return found.filter((each) => kept.has(each));
}

/**
 * The formats that fit a column of times.
 * @param patterns those that all its texts fit; empty: there are none, or it is not known
 */
export function choicesOf(
  cells: readonly FilledCell[],
  patterns: readonly string[],
  match: Match | null,
  mapping: Mapping,
): TimeChoice[] {
  if (!match) return [];
  const isTime = match.kind === 'timestamp' || match.kind === 'datetime' || match.wanted.format !== undefined;
  if (!isTime) return [];
  const texts = cells.map(({ cell }) => cell.trim());
  const choices = timeChoices(texts.filter((text) => !nullsOf(mapping).includes(text)));
  const fitting = choices.filter(({ format }) => patterns.includes(withSingleLetters(format)));
  return fitting.length > 0 ? fitting : choices;
}

/** A pattern in which one letter stands for one digit or two, as the file was read by. */
const withSingleLetters = (format: string): string =>
  format.replaceAll(/dd|MM(?!M)|HH|hh/g, ([one = '']) => one);
