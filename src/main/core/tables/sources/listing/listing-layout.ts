import type { Explanation } from '../../../../../shared/upload/upload.ts';
import {
  explainHead,
  usualNumber,
  areMostlyUnits,
  typedRow,
  type TypedRow,
  findHead,
  type Head,
  blockValueOf,
  unitLabel,
} from '../../layout/head.ts';
import { isDecimalNumber } from '../../reading/cells.ts';
import type { SourceColumn } from '../source.ts';
import { withoutBrackets } from '../../../../../shared/channels/brackets.ts';
import { expandTabs } from '../../../../../shared/upload/formats.ts';
import { maxColumns } from '../../reading/layout.ts';
import { column } from '../several-tables.ts';
import { splitLine } from '../text.ts';

/** Maximum number of lines that are searched for the layout. */
export const sampleLines = 2000;

/** How the rows of a listing are split into cells. */
export interface ListingLayout {
  readonly columns: readonly SourceColumn[];
  /** The line of the names, from 1; 0: none. */
  readonly headerLine: number;
  /** All lines with names: in a listing of fixed width, a name can have several. */
  readonly nameLines: readonly SampleLine[];
  readonly unitLine: number | null;
  readonly firstRowLine: number;
  /** Of fixed-width columns; null: blanks separate the values. */
  readonly edges: readonly ColumnEdge[] | null;
  /** Whether the user set the edges: lines are cut there, wherever their values are. */
  readonly isExact?: boolean;
  /** Header lines that are repeated on each page. */
  readonly repeated: ReadonlySet<string>;
  readonly nulls: readonly string[];
  /** Why its first rows are its head; absent: a rule, the program, or the user says it. */
  readonly explanation?: Explanation | undefined;
}

/** A line of the start of a file. */
export interface SampleLine {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
}

/** Whether a word is a number, a date, or a time. */
export const isValue = (text: string): boolean =>
  isDecimalNumber(text) || /^\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?/.test(text);

/** A rule: `-----  ----`, `=====`. */
export const isRule = (text: string): boolean =>
  /^[\s=_*+|#.~-]*$/.test(text) && /([=_*~-])\1{2,}/.test(text);
/** A remark, which isn't a row. */
export const isRemark = (text: string): boolean =>
  /^\s*(?:#|!|--(?!-))/.test(text) || /^\s*page\s*(?::\s*)?\d+\s*(?:(?:of|\/)\s*\d+\s*)?$/i.test(text);

/** Start and end of a column in each line, in characters from 0; the last column reaches to the end. */
export interface ColumnEdge {
  readonly start: number;
  readonly end: number;
}

/** The columns between positions in a line; the first one starts with the line. */
export const edgesBetween = (positions: readonly number[]): ColumnEdge[] =>
  [0, ...positions].map((start, at) => ({ start, end: positions[at] ?? Number.MAX_SAFE_INTEGER }));

/** Cells of a line by column edges. */
export const cutAtEdges = (text: string, edges: readonly ColumnEdge[]): string[] =>
  edges.map(({ start, end }) => text.slice(start, end).trim());

const isBlank = (text: string, at: number): boolean =>
  at < 0 || at >= text.length || text.charCodeAt(at) <= 0x20;

/** Whether an edge is within a word. */
export const cutsWord = (text: string, at: number): boolean => !isBlank(text, at - 1) && !isBlank(text, at);

/**
 * Cells of a line by column edges. A value that is wider than its column shifts the rest of the line: the edges shift
 * too.
 * @returns null if the line doesn't fit the edges, shifted or not
 */
export function cutRow(
  text: string,
  edges: readonly ColumnEdge[],
): { readonly cells: string[]; readonly isMoved: boolean } | null {
  const wide = edges.findIndex(({ end }) => cutsWord(text, end));
  const edge = edges[wide];
  if (!edge) return { cells: cutAtEdges(text, edges), isMoved: false };
  const gap = /\S\s{2,}(?=\S)|\S\s*$/g;
  gap.lastIndex = edge.end;
  const match = gap.exec(text);
  const next = match ? gap.lastIndex : text.length;
  const shift = next - edge.end;
  const moved = edges.slice(wide + 1).map(({ start, end }) => ({ start: start + shift, end: end + shift }));
  if (moved.some(({ end }) => cutsWord(text, end))) return null;
  const cells = [...cutAtEdges(text, edges.slice(0, wide)), text.slice(edge.start, next).trim()];
  return { cells: [...cells, ...cutAtEdges(text, moved)], isMoved: true };
}

// A listing can be split in several ways: by blanks, by the gaps of a rule, or where all of its lines are blank. Each way
// gives rows, whose best layout has a score; the best of all is taken.

/** A table from the first line on, whose columns aren't known. */
export const plainLayout: ListingLayout = {
  columns: [],
  headerLine: 0,
  nameLines: [],
  unitLine: null,
  firstRowLine: 1,
  edges: null,
  repeated: new Set(),
  nulls: [],
};

/** `repeated`: a line of its head, as on each page. */
type ListingLine = 'header' | 'units' | 'blank' | 'rule' | 'repeated' | 'remark' | 'above' | 'row';

/** What a line of a listing is. */
export function kindOfLine(
  { text, number }: SampleLine,
  { nameLines, unitLine, firstRowLine, repeated }: ListingLayout,
): ListingLine {
  const trimmed = text.trim();
  if (trimmed === '') return 'blank';
  if (number < firstRowLine) {
    if (nameLines.some((line) => line.number === number)) return 'header';
    if (number === unitLine) return 'units';
  }
  if (isRule(text)) return 'rule';
  if (repeated.has(trimmed)) return 'repeated';
  if (isRemark(text)) return 'remark';
  return number < firstRowLine ? 'above' : 'row';
}

/** One way to split the lines of a listing. */
interface Split {
  /** Number of columns. */
  readonly count: number;
  /** Of fixed-width columns; null: blanks separate the values. */
  readonly edges: readonly ColumnEdge[] | null;
}

const tokensOf = (text: string): string[] => splitLine(text, 'blank');
const isBlankLine = ({ text }: SampleLine): boolean => text.trim() === '';
/** A line such as `Well : A-1`, which gives a value for the rows below it. */
const isEntry = ({ text }: SampleLine): boolean => {
  const entry = blockValueOf([text]);
  return entry !== null && !tokensOf(entry.name).some(isValue);
};

/** The names on a line: words, or where these are too many, what two blanks separate. */
function namesOn(line: string, count: number): string[] {
  const text = withoutHash(line);
  const units = text.replace(unitLabel, '');
  const tokens = tokensOf(units === text ? text : units.replaceAll(/[,;|]/g, ' '));
  const bracketed = tokens.filter((token) => /^[([].*[)\]]$/.test(token)).length;
  const isOfTokens = tokens.length === count && (bracketed === 0 || bracketed * 2 > count);
  return isOfTokens ? tokens : line.trim().split(/\s{2,}|\t/);
}

const withoutHash = (line: string): string => line.replace(/^\s*#\s*/, '');

/** Edges from a rule with gaps: each group of dashes is a column that reaches to the next group. */
function edgesOfRule(rule: string): ColumnEdge[] {
  const starts = [...rule.matchAll(/[=_*~-]+/g)].map(({ index }) => index);
  return edgesBetween(starts.slice(1));
}

/**
 * Edges after gaps: character positions that are blank in all lines.
 * @param minWidth of a gap, in characters
 */
export function edgesOfGaps(lines: readonly SampleLine[], minWidth: 1 | 2 = 2): ColumnEdge[] {
  const isFilled: boolean[] = [];
  for (const { text } of lines)
    for (let at = 0; at < text.length; at++)
      isFilled[at] = isFilled[at] === true || text.charCodeAt(at) > 0x20;
  const width = isFilled.lastIndexOf(true) + 1;
  const starts: number[] = [];
  for (let at = 0; at < width; at++) {
    const isAfterGap =
      starts.length === 0 || (isFilled[at - 1] !== true && (minWidth === 1 || isFilled[at - 2] !== true));
    if (isFilled[at] === true && isAfterGap) starts.push(at);
  }
  return edgesBetween(starts.slice(1));
}

/** By blanks: the most common number of values in lines with a number. */
function byBlanks(lines: readonly SampleLine[]): Split[] {
  const widths = lines.flatMap((line) => {
    const tokens = isEntry(line) || isRemark(line.text) ? [] : tokensOf(line.text);
    return tokens.length > 1 && tokens.some(isValue) ? [tokens.length] : [];
  });
  return widths.length > 0 ? [{ count: usualNumber(widths), edges: null }] : [];
}

/** Lines above a block that can have names and units. */
const maxLinesAbove = 4;

/** The longest block of lines with numbers, and the lines above it that can be its header. */
function blockOf(lines: readonly SampleLine[]): { block: SampleLine[]; above: SampleLine[] } {
  let block: SampleLine[] = [];
  let current: SampleLine[] = [];
  for (const line of lines) {
    if (isBlankLine(line)) current = [];
    else if (
      !isRule(line.text) &&
      !isRemark(line.text) &&
      !isEntry(line) &&
      tokensOf(line.text).some(isValue)
    )
      current.push(line);
    if (current.length > block.length) block = current;
  }
  const first = block[0]?.number ?? 0;
  const above = lines.filter((line) => line.number < first && !isBlankLine(line) && !isRule(line.text));
  return { block, above: above.slice(-maxLinesAbove).filter(({ text }) => !isRemark(text)) };
}

/** By positions that are blank in all rows, and in the lines above them, as far as these keep the columns apart. */
function byGaps({ block, above }: ReturnType<typeof blockOf>): Split[] {
  let edges = edgesOfGaps(block);
  const all = [...block];
  for (const line of above.toReversed()) {
    const more = edgesOfGaps([line, ...all]);
    if (more.length < edges.length) break;
    edges = more;
    all.unshift(line);
  }
  return all.length > 1 ? [{ count: edges.length, edges }] : [];
}

/** By single blank positions in all rows, where names begin in the parts between them. */
function byNames({ block, above }: ReturnType<typeof blockOf>): Split[] {
  return above.flatMap((names, at) =>
    [/\S+/g, /\S+(?: \S+)*/g].map((word): Split => {
      const starts = [...names.text.matchAll(word)].map(({ index }) => index);
      const edges = edgesOfGaps([...above.slice(at), ...block], 1);
      const named = edges.filter(({ start, end }) => starts.some((name) => name >= start && name < end));
      return { count: named.length, edges: edgesBetween(named.slice(1).map(({ start }) => start)) };
    }),
  );
}

/** The rows of a way to split lines, each with its line. */
interface SplitRows {
  readonly lines: readonly SampleLine[];
  readonly rows: readonly TypedRow[];
}

function rowsBy({ count, edges }: Split, lines: readonly SampleLine[]): SplitRows {
  const kept: SampleLine[] = [];
  const rows: TypedRow[] = [];
  for (const line of lines) {
    if (isBlankLine(line) || isRule(line.text)) continue;
    const isComment = isRemark(line.text);
    const isWords = isComment || !tokensOf(line.text).some(isValue);
    const cells = isWords || edges ? cellsOf(line.text, { count, edges }) : tokensOf(line.text);
    if (isComment && (cells.length !== count || edges !== null || cells.some(isValue))) continue;
    const isTitle = isWords && cells.length !== count;
    kept.push(line);
    rows.push({ ...typedRow(isTitle ? [line.text] : cells), isTitle });
  }
  return { lines: kept, rows };
}

interface Trial {
  readonly layout: ListingLayout;
  readonly score: number;
}

/** Minimum share of rows, from 0 to 1, with one value for each column; cells of fixed width can have blanks. */
const minFit = { blanks: 0.9, edges: 0.5 } as const;
/** A share of rows that fit, and a way that needs no positions, in units of {@link Head.score}. */
const weights = { fit: 3, blanks: 0.5 } as const;

/** The best layout of one way to split lines; null: too few rows fit. */
function trialOf(split: Split, lines: readonly SampleLine[]): Trial | null {
  const { count, edges } = split;
  if (count > maxColumns) return null;
  const { lines: kept, rows } = rowsBy(split, lines);
  const head = findHead(rows);
  const body = kept.flatMap((line, at) => {
    const row = rows[at];
    const isOther = isEntry(line) || isRemark(line.text) || row?.isTitle === true;
    return at < head.first || !row || isOther ? [] : [row];
  });
  const first = kept[head.first];
  const hasValues = ({ cells }: TypedRow): boolean => cells.some((cell) => cell && isValue(cell.text));
  if (!first || !body.some(hasValues)) return null;
  const fitting = body.filter(({ cells }) => cells.length === count);
  // What is left between blanks in a cell of fixed width is several values.
  const isMerged = ({ cells }: TypedRow): boolean =>
    cells.some(
      (cell) =>
        cell && (/\S\s{2,}\S/.test(cell.text) || tokensOf(cell.text).filter(isDecimalNumber).length > 1),
    );
  const fit = (edges === null ? fitting.length : body.filter((row) => !isMerged(row)).length) / body.length;
  if (fit < (edges === null ? minFit.blanks : minFit.edges)) return null;
  return {
    layout: {
      ...layoutOf(split, kept, head, first),
      explanation: explainHead(head, rows, (row) => kept[row]?.number ?? 0),
    },
    score: head.score + fit * weights.fit + (edges === null ? weights.blanks : 0),
  };
}

function layoutOf(
  { count, edges }: Split,
  lines: readonly SampleLine[],
  head: Head,
  first: SampleLine,
): ListingLayout {
  const header = lines[head.header];
  const above = lines[head.header - 1];
  // Units can be in a remark above the names, too.
  const isAbove =
    head.units < 0 &&
    header !== undefined &&
    above?.number === header.number - 1 &&
    isRemark(above.text) &&
    areMostlyUnits(namesOn(above.text, count));
  const units = isAbove ? above : lines[head.units];
  const unitTexts = units ? cellsOf(units.text, { count, edges }).map(withoutBrackets) : [];
  return {
    ...plainLayout,
    columns: Array.from({ length: count }, (_, at) => column(head.names[at] ?? '', unitTexts[at])),
    headerLine: header?.number ?? 0,
    nameLines: header ? [header] : [],
    unitLine: units?.number ?? null,
    firstRowLine: first.number,
    edges,
    repeated: new Set([header, units].flatMap((line) => (line ? [line.text.trim()] : []))),
  };
}

/** The words on a line of names or units. */
export const cellsOf = (text: string, { count, edges }: Split): string[] =>
  edges ? cutAtEdges(text, edges) : namesOn(text, count);

/** The names between `BEGIN HEADER` and `END HEADER`, one per line, as Petrel writes them; null: none. */
function petrelLayout(lines: readonly SampleLine[]): ListingLayout | null {
  const begin = lines.findIndex(({ text }) => text.trim() === 'BEGIN HEADER');
  const end = lines.findIndex(({ text }, at) => at > begin && text.trim() === 'END HEADER');
  const first = lines[begin];
  const last = lines[end];
  if (begin < 0 || !first || !last) return null;
  const names = lines.slice(begin + 1, end).map(({ text }) => text.trim());
  return {
    ...plainLayout,
    columns: names.map((name) => column(name)),
    headerLine: first.number,
    firstRowLine: last.number + 1,
    nulls: ['-999'],
  };
}

/** By a rule with gaps: the lines directly above it, at most four, are the names, and the line below it can be units. */
function ruledLayout(lines: readonly SampleLine[]): ListingLayout | null {
  const ruleAt = lines.findIndex(({ text }) => isRule(text) && edgesOfRule(text).length > 1);
  const rule = lines[ruleAt];
  if (!rule) return null;
  const edges = edgesOfRule(rule.text);
  let start = ruleAt;
  while (start > 0 && ruleAt - start < 4 && lines[start - 1]?.text.trim() !== '') start--;
  const above = lines.slice(start, ruleAt).filter(({ text }) => !isRule(text) && !isRemark(text));
  const rows = lines
    .slice(ruleAt)
    .filter((line) => !isBlankLine(line) && !isRule(line.text) && !isRemark(line.text));
  const [header] = above;
  const [next] = rows;
  if (edges.length > maxColumns || !header || !next || rows.length < 2) return null;
  const unitTexts = cutAtEdges(next.text, edges);
  const hasUnits = areMostlyUnits(unitTexts) && !unitTexts.some(isValue);
  const first = rows[hasUnits ? 1 : 0];
  if (!first || !rows.some(({ text }) => cutAtEdges(text, edges).some(isValue))) return null;
  // Names on several lines, such as `Measured` above `Depth`, are one name.
  const nameOf = (edge: ColumnEdge): string =>
    above
      .flatMap(({ text }) => cutAtEdges(text, [edge]))
      .filter((word) => word !== '')
      .join(' ');
  return {
    ...plainLayout,
    columns: edges.map((edge, at) =>
      column(nameOf(edge), hasUnits ? withoutBrackets(unitTexts[at] ?? '') : null),
    ),
    headerLine: header.number,
    nameLines: above,
    unitLine: hasUnits ? next.number : null,
    firstRowLine: first.number,
    edges,
    repeated: new Set([...above, ...(hasUnits ? [next] : [])].map(({ text }) => text.trim())),
  };
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
  const declared = petrelLayout(lines) ?? ruledLayout(lines);
  if (declared) return declared.columns.length > 1 ? declared : null;
  const block = blockOf(lines);
  const trials = [...byBlanks(lines), ...byGaps(block), ...byNames(block)].flatMap((split) =>
    split.count > 1 ? (trialOf(split, lines) ?? []) : [],
  );
  return trials.toSorted((a, b) => b.score - a.score)[0]?.layout ?? null;
}
