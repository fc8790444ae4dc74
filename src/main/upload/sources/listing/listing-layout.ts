import { looksLikeUnit, unitInName } from '../../reading/layout.ts';
import type { SourceColumn } from '../source.ts';
import { splitLine } from '../text/split-line.ts';
import { cutAtEdges } from './column-edges.ts';
import type { ColumnEdge } from './column-edges.ts';

/** How the rows of a listing are cut into cells. */
export interface ListingLayout {
  readonly columns: readonly SourceColumn[];
  /** The line of the names, counted from 1; 0: there is none. */
  readonly headerLine: number;
  readonly unitLine: number | null;
  readonly firstRowLine: number;
  /** Of columns of fixed width; null: blanks separate the values. */
  readonly edges: readonly ColumnEdge[] | null;
  /** Header lines that come again on each page. */
  readonly repeated: ReadonlySet<string>;
  readonly nulls: readonly string[];
}

interface SampleLine {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
}

const isNumber = (text: string): boolean => /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
const isValue = (text: string): boolean =>
  isNumber(text) || /^\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?/.test(text);

/** A line that is only drawn: `-----  ----`, `=====`. */
export const isRule = (text: string): boolean =>
  /^[\s=_*+|#.~-]*$/.test(text) && /([=_*~-])\1{2,}/.test(text);
/** A remark, which is no row. */
export const isRemark = (text: string): boolean => /^\s*(?:#|!|--(?!-))/.test(text);

const tokensOf = (text: string): string[] => splitLine(text, 'blank');

/** The number of values that most lines with a number have, if most of those that follow each other have it. */
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

/** Edges from a rule with gaps: each group of dashes is a column that reaches to the next one. */
function edgesOfRule(rule: string): ColumnEdge[] {
  const starts = [...rule.matchAll(/[=_*~-]+/g)].map(({ index }) => index);
  return starts.map((start, at) => ({
    start: at === 0 ? 0 : start,
    end: starts[at + 1] ?? Number.MAX_SAFE_INTEGER,
  }));
}

/** Edges from what is blank in all lines, two characters wide at least. */
function edgesOfGaps(lines: readonly SampleLine[]): ColumnEdge[] {
  const width = Math.max(0, ...lines.map(({ text }) => text.trimEnd().length));
  const isFilled = Array.from({ length: width }, (_, at) =>
    lines.some(({ text }) => (text[at] ?? ' ') > ' '),
  );
  const starts: number[] = [];
  for (let at = 0; at < width; at++) {
    const isAfterGap = starts.length === 0 || (isFilled[at - 1] !== true && isFilled[at - 2] !== true);
    if (isFilled[at] === true && isAfterGap) starts.push(at);
  }
  return starts.map((start, at) => ({
    start: at === 0 ? 0 : start,
    end: starts[at + 1] ?? Number.MAX_SAFE_INTEGER,
  }));
}

const cleanUnit = (text: string): string => text.trim().replace(/^[[(]\s*(.*?)\s*[\])]$/, '$1');

const column = (name: string, unit: string | null): SourceColumn => ({
  name,
  unit: unit === null || unit === '' ? unitInName(name) : unit,
  description: null,
  type: null,
});

/** The names between `BEGIN HEADER` and `END HEADER`, one a line, as Petrel writes them; null: there are none. */
function petrelLayout(lines: readonly SampleLine[]): ListingLayout | null {
  const begin = lines.findIndex(({ text }) => text.trim() === 'BEGIN HEADER');
  const end = lines.findIndex(({ text }, at) => at > begin && text.trim() === 'END HEADER');
  const first = lines[begin];
  const last = lines[end];
  if (begin < 0 || !first || !last) return null;
  const names = lines.slice(begin + 1, end).map(({ text }) => text.trim());
  return {
    columns: names.map((name) => column(name, null)),
    headerLine: first.number,
    unitLine: null,
    firstRowLine: last.number + 1,
    edges: null,
    repeated: new Set(),
    nulls: ['-999'],
  };
}

/** Names and units of the lines above the first row, which have as many words as the rows have values. */
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
  // Names with single blanks are told by two blanks between them.
  const words = ({ text }: SampleLine): string[] => {
    const tokens = tokensOf(text.replace(/^\s*#\s*/, ''));
    return tokens.length === count ? tokens : text.trim().split(/\s{2,}|\t/);
  };
  const fitting = above.filter(
    (line) => !isRule(line.text) && words(line).length === count && !words(line).some(isValue),
  );
  const last = fitting.at(-1);
  const before = fitting.at(-2);
  const isUnits = last !== undefined && before !== undefined && isUnitLine(words(last));
  const header = (isUnits ? before : last) ?? null;
  return {
    names: header ? words(header) : Array.from({ length: count }, () => ''),
    units: isUnits ? words(last).map(cleanUnit) : [],
    header,
    unitLine: isUnits ? last.number : null,
    repeated: [header, isUnits ? last : null].flatMap((line) => (line ? [line.text.trim()] : [])),
  };
}

const isUnitLine = (words: readonly string[]): boolean => {
  const filled = words.filter((word) => word !== '');
  return filled.filter((word) => looksLikeUnit(word)).length * 5 >= filled.length * 3 && filled.length > 0;
};

/** The layout of a listing whose values blanks separate. */
function blankLayout(lines: readonly SampleLine[]): ListingLayout | null {
  const shown = lines.filter(({ text }) => text.trim() !== '' && !isRule(text));
  const rows = shown.filter(({ text }) => !isRemark(text));
  const usual = usualCount(rows);
  const first = usual && rows[usual.first];
  if (!usual || !first) return null;
  const above = shown.filter(({ number }) => number < first.number);
  const { names, units, header, unitLine, repeated } = namesAbove(above, usual.count);
  return {
    columns: names.map((name, at) => column(name, units[at] ?? null)),
    headerLine: header?.number ?? 0,
    unitLine,
    firstRowLine: first.number,
    edges: null,
    repeated: new Set(repeated),
    nulls: [],
  };
}

/** The layout of a listing of fixed width: the edges are those of a rule, else what is blank in all rows. */
function fixedLayout(lines: readonly SampleLine[]): ListingLayout | null {
  const ruleAt = lines.findIndex(({ text }) => isRule(text) && edgesOfRule(text).length > 1);
  const rule = lines[ruleAt];
  const shown = lines.filter(({ text }) => text.trim() !== '' && !isRule(text) && !isRemark(text));
  const block = rule ? shown.filter(({ number }) => number > rule.number) : longestBlock(lines);
  const edges = rule ? edgesOfRule(rule.text) : edgesOfGaps(block);
  if (edges.length < 2 || block.length < 2) return null;
  const above = rule ? lines.slice(0, ruleAt).filter(({ text }) => text.trim() !== '') : [];
  const headerLine = rule ? above.at(-1) : block[0];
  if (!headerLine) return null;
  const names = cutAtEdges(headerLine.text, edges);
  const isHeader = rule !== undefined || !names.some(isValue);
  const rows = rule || !isHeader ? block : block.slice(1);
  const units = rows[0] && isHeader ? cutAtEdges(rows[0].text, edges) : [];
  const hasUnits = units.length > 0 && isUnitLine(units) && !units.some(isValue);
  const first = rows[hasUnits ? 1 : 0];
  if (!first || !rows.some(({ text }) => cutAtEdges(text, edges).some(isValue))) return null;
  return {
    columns: edges.map((_, at) =>
      column(isHeader ? (names[at] ?? '') : '', hasUnits ? cleanUnit(units[at] ?? '') : null),
    ),
    headerLine: isHeader ? headerLine.number : 0,
    unitLine: hasUnits ? (rows[0]?.number ?? null) : null,
    firstRowLine: first.number,
    edges,
    repeated: new Set(isHeader ? [headerLine.text.trim()] : []),
    nulls: [],
  };
}

/** The longest run of lines without a blank one. */
function longestBlock(lines: readonly SampleLine[]): SampleLine[] {
  let longest: SampleLine[] = [];
  let current: SampleLine[] = [];
  for (const line of lines) {
    if (line.text.trim() === '') current = [];
    else if (!isRule(line.text) && !isRemark(line.text)) current.push(line);
    if (current.length > longest.length) longest = current;
  }
  return longest;
}

/**
 * Finds out how a listing without delimiters is laid out.
 * @param texts the first lines of the file
 * @returns null when it is no table of two columns or more
 */
export function listingLayout(texts: readonly string[]): ListingLayout | null {
  const lines = texts.map((text, at) => ({ text: text.replaceAll('\t', '        '), number: at + 1 }));
  const ruled = lines.some(({ text }) => isRule(text) && edgesOfRule(text).length > 1);
  const layout =
    petrelLayout(lines) ?? (ruled ? fixedLayout(lines) : null) ?? blankLayout(lines) ?? fixedLayout(lines);
  return layout && layout.columns.length > 1 ? layout : null;
}
