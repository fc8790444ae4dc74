import { withoutBrackets } from '../../../../../shared/channels/brackets.ts';
import { expandTabs } from '../../../../../shared/upload/formats.ts';
import { unitLabel } from '../../reading/hash-lines.ts';
import { areMostlyUnits } from '../../reading/header-rows.ts';
import { column } from '../row-spans.ts';
import { splitLine } from '../text/split-line.ts';
import { edgesOfRule, fixedLayout } from './fixed-width.ts';
import { isRemark, isRule, isValue, type ListingLayout, type SampleLine } from './listing-lines.ts';

const tokensOf = (text: string): string[] => splitLine(text, 'blank');

/** The most common number of values in lines with a number, if most consecutive lines have it. */
function usualCount(lines: readonly SampleLine[]): { count: number; first: number } | null {
  const counts = new Map<number, number>();
  for (const { text } of lines) {
    const tokens = tokensOf(text);
    if (tokens.length > 1 && tokens.some(isValue))
      counts.set(tokens.length, (counts.get(tokens.length) ?? 0) + 1);
  }
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (!best) return null;
  const [count] = best;
  const first = lines.findIndex(({ text }) => {
    const tokens = tokensOf(text);
    return tokens.length === count && tokens.filter(isValue).length * 2 >= tokens.length;
  });
  const start =
    first >= 0
      ? first
      : lines.findIndex(({ text }) => tokensOf(text).length === count && tokensOf(text).some(isValue));
  const body = lines.slice(start);
  const fitting = body.filter(({ text }) => tokensOf(text).length === count).length;
  return start >= 0 && fitting >= body.length * 0.9 ? { count, first: start } : null;
}

/** The names between `BEGIN HEADER` and `END HEADER`, one per line, as Petrel writes them; null: none. */
function petrelLayout(lines: readonly SampleLine[]): ListingLayout | null {
  const begin = lines.findIndex(({ text }) => text.trim() === 'BEGIN HEADER');
  const end = lines.findIndex(({ text }, at) => at > begin && text.trim() === 'END HEADER');
  const first = lines[begin];
  const last = lines[end];
  if (begin < 0 || !first || !last) return null;
  const names = lines.slice(begin + 1, end).map(({ text }) => text.trim());
  return {
    columns: names.map((name) => column(name)),
    headerLine: first.number,
    nameLines: [],
    unitLine: null,
    firstRowLine: last.number + 1,
    edges: null,
    repeated: new Set(),
    nulls: ['-999'],
  };
}

/** The names on a line: words, or where these are too many, what two blanks separate. */
export function namesOn(line: string, count: number): string[] {
  const text = line.replace(/^\s*#\s*/, '');
  const units = text.replace(unitLabel, '');
  const tokens = tokensOf(units === text ? text : units.replaceAll(/[,;|]/g, ' '));
  const bracketed = tokens.filter((token) => /^[([].*[)\]]$/.test(token)).length;
  const isOfTokens = tokens.length === count && (bracketed === 0 || bracketed * 2 > count);
  return isOfTokens ? tokens : line.trim().split(/\s{2,}|\t/);
}

/** Names and units from the lines above the first row that have as many words as the rows have values. */
function namesAbove(
  above: readonly SampleLine[],
  count: number,
): {
  names: string[];
  units: string[];
  header: SampleLine | null;
  unitLine: number | null;
  repeated: string[];
} {
  const words = ({ text }: SampleLine): string[] => namesOn(text, count);
  const fitting = above.filter(
    (line) => !isRule(line.text) && words(line).length === count && !words(line).some(isValue),
  );
  const last = fitting.at(-1);
  const before = fitting.at(-2);
  const isUnits = last !== undefined && before !== undefined && areMostlyUnits(words(last));
  const header = (isUnits ? before : last) ?? null;
  // A line of more words that is nearer to the rows has the names, although they can't be told apart: this is a title.
  const isTitle = above.some(
    ({ number, text }) =>
      header !== null &&
      number > header.number &&
      tokensOf(text).length > count &&
      !tokensOf(text).some(isValue) &&
      !isRemark(text),
  );
  if (isTitle)
    return {
      names: Array.from({ length: count }, () => ''),
      units: [],
      header: null,
      unitLine: null,
      repeated: [],
    };
  // Units can be in a remark above the names, too.
  const isAbove =
    !isUnits &&
    before?.number === (last?.number ?? 0) - 1 &&
    isRemark(before.text) &&
    areMostlyUnits(words(before));
  const units = isUnits ? last : isAbove ? before : null;
  return {
    names: header ? words(header) : Array.from({ length: count }, () => ''),
    units: units ? words(units).map(withoutBrackets) : [],
    header,
    unitLine: units?.number ?? null,
    repeated: [header, units].flatMap((line) => (line ? [line.text.trim()] : [])),
  };
}

function blankLayout(lines: readonly SampleLine[]): ListingLayout | null {
  const shown = lines.filter(({ text }) => text.trim() !== '' && !isRule(text));
  const rows = shown.filter(({ text }) => !isRemark(text));
  const usual = usualCount(rows);
  const first = usual && rows[usual.first];
  if (!usual || !first) return null;
  const above = shown.filter(({ number }) => number < first.number);
  const { names, units, header, unitLine, repeated } = namesAbove(above, usual.count);
  return {
    columns: names.map((name, at) => column(name, units[at])),
    headerLine: header?.number ?? 0,
    nameLines: header ? [header] : [],
    unitLine,
    firstRowLine: first.number,
    edges: null,
    repeated: new Set(repeated),
    nulls: [],
  };
}

/** By blanks, unless only the fixed-width columns have a line of names: then `NORDLAND GP` is one value. */
function eitherLayout(lines: readonly SampleLine[]): ListingLayout | null {
  const byBlanks = blankLayout(lines);
  if (byBlanks && byBlanks.headerLine > 0) return byBlanks;
  const fixed = fixedLayout(lines);
  const isNamed = fixed !== null && fixed.headerLine > 0 && fixed.columns.every(({ name }) => name !== '');
  return byBlanks && !isNamed ? byBlanks : fixed;
}

/** The first lines of a file, as they are read. */
export const sampleLinesOf = (texts: readonly string[]): SampleLine[] =>
  texts.map((text, at) => ({ text: expandTabs(text), number: at + 1 }));

/**
 * Detects the layout of a listing without delimiters.
 * @param lines the first lines of the file
 * @returns null if it isn't a table of at least two columns
 */
export function listingLayout(lines: readonly SampleLine[]): ListingLayout | null {
  const ruled = lines.some(({ text }) => isRule(text) && edgesOfRule(text).length > 1);
  const layout = petrelLayout(lines) ?? (ruled ? fixedLayout(lines) : null) ?? eitherLayout(lines);
  return layout && layout.columns.length > 1 ? layout : null;
}
