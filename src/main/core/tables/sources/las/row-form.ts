import type { SourceColumn } from '../source.ts';
import { splitLine, type Separator } from '../text/split-line.ts';

/** How the values of a line are paired with curves. */
export interface RowForm {
  readonly separator: Separator;
  /** Whether each line begins with a delimiter, before its first value. */
  readonly hasLeadingDelimiter: boolean;
  /** The curves whose value is two texts: a date and a time of day. */
  readonly datesWithTimes: readonly number[];
  /** The only curve of texts, which can contain blanks; null: none, or several. */
  readonly textCurve: number | null;
  /** Whether lines have more values than there are curves, and nothing shows which belong together. */
  readonly isUnpaired: boolean;
}

const isDate = (text: string | undefined): boolean =>
  /^(?:\d{1,4}([-/.])\d{1,2}\1\d{1,4}|\d{1,2}[-/ ]?[A-Za-z]{3}[-/ ]?\d{2,4})$/.test(text ?? '');
const isTimeOfDay = (text: string | undefined): boolean =>
  /^\d{1,2}:[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?$/.test(text ?? '');
/** Whether two texts are a date and a time of day. */
export const isDateAndTime = (date: string | undefined, time: string | undefined): boolean =>
  isDate(date) && isTimeOfDay(time);
const isNumber = (text: string): boolean => text !== '' && Number.isFinite(Number(text));

/** The lines' values, without the empty ones before the first delimiter and behind the last. */
function trimmed(cells: string[], width: number, hasLeadingDelimiter: boolean): string[] {
  if (hasLeadingDelimiter && cells[0] === '') cells.shift();
  while (cells.length > width && cells.at(-1) === '') cells.pop();
  return cells;
}

/**
 * How lines are paired with curves, from their first lines.
 * @param curves empty: none are defined
 */
export function rowFormOf(
  sample: readonly string[],
  separator: Separator,
  curves: readonly Pick<SourceColumn, 'type'>[],
): RowForm {
  const lines = sample.map((line) => splitLine(line, separator));
  const hasLeadingDelimiter =
    separator !== 'blank' &&
    lines.length > 0 &&
    lines.every(([first]) => first === '') &&
    lines.some(({ length }) => length > curves.length);
  const rows = lines.map((cells) => trimmed(cells, curves.length, hasLeadingDelimiter));
  const width = rows[0]?.length ?? 0;
  const surplus =
    curves.length > 0 && rows.every(({ length }) => length === width) ? width - curves.length : 0;
  const pairs = (rows[0] ?? []).flatMap((_, at) =>
    rows.every((cells) => isDateAndTime(cells[at], cells[at + 1])) ? [at] : [],
  );
  const texts = curves.flatMap(({ type }, at) => (type === 'text' ? [at] : []));
  const textCurve = separator === 'blank' && texts.length === 1 ? (texts[0] ?? null) : null;
  const isPaired = surplus <= 0 || pairs.length === surplus || textCurve !== null;
  return {
    separator,
    hasLeadingDelimiter,
    datesWithTimes: surplus > 0 && pairs.length === surplus ? pairs.map((at, earlier) => at - earlier) : [],
    textCurve,
    isUnpaired: !isPaired,
  };
}

/**
 * The values of a line, one for each curve if it can be paired with them.
 * @param width number of curves
 */
export function valuesOf(line: string, form: RowForm, width: number): string[] {
  const cells = trimmed(splitLine(line, form.separator), width, form.hasLeadingDelimiter);
  for (const at of form.datesWithTimes)
    if (isDateAndTime(cells[at], cells[at + 1])) cells.splice(at, 2, `${cells[at]} ${cells[at + 1]}`);
  const surplus = cells.length - width;
  const { textCurve } = form;
  if (textCurve === null || surplus <= 0) return cells;
  const text = cells.slice(textCurve, textCurve + surplus + 1).join(' ');
  const joined = [...cells.slice(0, textCurve), text, ...cells.slice(textCurve + surplus + 1)];
  return joined.every((cell, at) => at === textCurve || isNumber(cell)) ? joined : cells;
}
