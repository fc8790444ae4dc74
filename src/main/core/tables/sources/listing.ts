import type { Explanation, JudgedLine } from '../../../../shared/upload/upload.ts';
import {
  explainHead,
  usualNumber,
  areMostlyUnits,
  typedRow,
  type TypedRow,
  findHead,
  type Head,
  isUsualEntry,
  pairsOf,
  withoutMark,
  unitLabel,
  LineNotes,
} from '../layout/head.ts';
import { isDecimalNumber, startsLikeNumber } from '../reading/columns.ts';
import {
  batched,
  batchRows,
  column,
  entriesOf,
  type SourceColumn,
  indexOfFirst,
  Tally,
  type SourceAdapter,
  type SourceFile,
  type SourceRow,
  type SourceWarning,
  type OpenOptions,
} from './source.ts';
import { withoutBrackets } from '../../../../shared/channels/units.ts';
import { expandTabs } from '../../../../shared/upload/formats.ts';
import { maxColumns, chosenRow } from '../reading/layout.ts';
import { splitLine, damagedHeader, openText, type TextFile, type TextLine } from './text.ts';
import { basename } from 'node:path';
import { startText } from '../reading/source.ts';
import { unsuitable } from '../../../../shared/errors/errors.ts';
import type { RawLine } from '../../../../shared/upload/preview.ts';
import { append, countInWords } from '../../../../shared/lists.ts';

/** Maximum number of lines that are searched for the layout. */
export const sampleLines = 2000;

interface ListingLayout {
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
interface SampleLine {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
}

/** Whether a word is a number, a date, or a time. */
export const isValue = (text: string): boolean =>
  isDecimalNumber(text) || /^\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?/.test(text);

/** A rule: `-----  ----`, `=====`. */
const isRule = (text: string): boolean => /^[\s=_*+|#.~-]*$/.test(text) && /([=_*~-])\1{2,}/.test(text);
/** A remark, which isn't a row. */
const isRemark = (text: string): boolean =>
  withoutMark(text) !== text || /^\s*page\s*(?::\s*)?\d+\s*(?:(?:of|\/)\s*\d+\s*)?$/i.test(text);

/** Start and end of a column in each line, in characters from 0; the last column reaches to the end. */
interface ColumnEdge {
  readonly start: number;
  readonly end: number;
}

/** The columns between positions in a line; the first one starts with the line. */
const edgesBetween = (positions: readonly number[]): ColumnEdge[] =>
  [0, ...positions].map((start, at) => ({ start, end: positions[at] ?? Number.MAX_SAFE_INTEGER }));

const cutAtEdges = (text: string, edges: readonly ColumnEdge[]): string[] =>
  edges.map(({ start, end }) => text.slice(start, end).trim());

const isBlank = (text: string, at: number): boolean =>
  at < 0 || at >= text.length || text.charCodeAt(at) <= 0x20;

/** Whether an edge is within a word. */
const cutsWord = (text: string, at: number): boolean => !isBlank(text, at - 1) && !isBlank(text, at);

/**
 * Cells of a line by column edges. A value that is wider than its column shifts the rest of the line: the edges shift
 * too.
 * @returns null if the line doesn't fit the edges, shifted or not
 */
function cutRow(
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
const plainLayout: ListingLayout = {
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

function kindOfLine(
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
  readonly count: number;
  /** Of fixed-width columns; null: blanks separate the values. */
  readonly edges: readonly ColumnEdge[] | null;
}

const tokensOf = (text: string): string[] => splitLine(text, 'blank');
const isBlankLine = ({ text }: SampleLine): boolean => text.trim() === '';
/** A line such as `Well : A-1`, which gives a value for the rows below it. */
const isEntry = ({ text }: SampleLine): boolean => {
  const { values } = pairsOf([withoutMark(text)]);
  return values.length > 0 && !values.some(({ name }) => tokensOf(name).some(isValue));
};

/** Whether a line between the rows gives values, and isn't a row whose columns have as many words. */
function isEntryLine(
  line: SampleLine,
  { columns: { length: width }, edges, isExact = false }: ListingLayout,
): boolean {
  if (isExact || startsLikeNumber(line.text) || !isEntry(line)) return false;
  const tokens = tokensOf(line.text);
  if (edges === null && tokens.length !== width) return true;
  const isNamed = /[:=]/.test(line.text) && isUsualEntry([withoutMark(line.text)]);
  return isNamed && tokens.filter(isDecimalNumber).length * 2 < Math.min(width, tokens.length);
}

/** The names on a line: words, or where these are too many, what two blanks separate. */
function namesOn(line: string, count: number): string[] {
  const text = withoutMark(line);
  const units = text.replace(unitLabel, '');
  const tokens = tokensOf(units === text ? text : units.replaceAll(/[,;|]/g, ' '));
  const bracketed = tokens.filter((token) => /^[([].*[)\]]$/.test(token)).length;
  const isOfTokens = tokens.length === count && (bracketed === 0 || bracketed * 2 > count);
  return isOfTokens ? tokens : line.trim().split(/\s{2,}|\t/);
}

/** Edges from a rule with gaps: each group of dashes is a column that reaches to the next group. */
function edgesOfRule(rule: string): ColumnEdge[] {
  const starts = [...rule.matchAll(/[=_*~-]+/g)].map(({ index }) => index);
  return edgesBetween(starts.slice(1));
}

/**
 * Edges after gaps: character positions that are blank in all lines.
 * @param minWidth of a gap, in characters
 */
function edgesOfGaps(lines: readonly SampleLine[], minWidth: 1 | 2 = 2): ColumnEdge[] {
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
function rowsBy({ count, edges }: Split, lines: readonly SampleLine[]) {
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

/** Minimum share of rows, from 0 to 1, with one value for each column; cells of fixed width can have blanks. */
const minFit = { blanks: 0.9, edges: 0.5 } as const;
/** A share of rows that fit, and a way that needs no positions, in units of {@link Head.score}. */
const weights = { fit: 3, blanks: 0.5 } as const;

/** The best layout of one way to split lines; null: too few rows fit. */
function trialOf(split: Split, lines: readonly SampleLine[]) {
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
  const layout = layoutWith({ count, edges }, header ? [header] : [], units, first.number);
  // A group above the names is part of them.
  const columns = layout.columns.map(({ unit }, at) => column(head.names[at] ?? '', unit));
  return { ...layout, columns };
}

/** A layout with names on some lines, which are one name for each column, and units on another. */
function layoutWith(
  split: Split,
  nameLines: readonly SampleLine[],
  units: SampleLine | undefined,
  firstRowLine: number,
): ListingLayout {
  const names = nameLines.map(({ text }) => cellsOf(text, split));
  const unitTexts = units ? cellsOf(units.text, split).map(withoutBrackets) : [];
  return {
    ...plainLayout,
    columns: Array.from({ length: split.count }, (_, at) => {
      const words = names.map((line) => line[at] ?? '').filter((word) => word !== '');
      return column(words.join(' '), unitTexts[at]);
    }),
    headerLine: nameLines[0]?.number ?? 0,
    nameLines,
    unitLine: units?.number ?? null,
    firstRowLine,
    edges: split.edges,
    repeated: new Set([...nameLines, ...(units ? [units] : [])].map(({ text }) => text.trim())),
  };
}

/** The words on a line of names or units. */
export const cellsOf = (text: string, { count, edges }: Split): string[] =>
  edges ? cutAtEdges(text, edges) : namesOn(text, count);

const petrelType = /^(?:BOOL|DATE|FLOAT|INT|INTEGER|REAL|STRING)\s+/;

/** The names between `BEGIN HEADER` and `END HEADER`, one per line, as Petrel writes them; null: none. */
function petrelLayout(lines: readonly SampleLine[]): ListingLayout | null {
  const begin = lines.findIndex(({ text }) => text.trim() === 'BEGIN HEADER');
  const end = lines.findIndex(({ text }, at) => at > begin && text.trim() === 'END HEADER');
  const first = lines[begin];
  const last = lines[end];
  if (begin < 0 || !first || !last) return null;
  const texts = lines.slice(begin + 1, end).map(({ text }) => text.trim());
  const areTyped = texts.every((text) => petrelType.test(text));
  const names = areTyped ? texts.map((text) => text.replace(petrelType, '')) : texts;
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
  return layoutWith({ count: edges.length, edges }, above, hasUnits ? next : undefined, first.number);
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

/** Listings whose columns are separated by blanks or have fixed widths: surveys, tops, well traces. */
export const listing: SourceAdapter = {
  format: 'text',
  recognize(start) {
    const text = startText(start);
    if (text.includes('\0') || /^\s*[<{[]/.test(text)) return false;
    const lines = text.split(/\r\n|\r|\n/);
    // The last line can be incomplete.
    const sample = lines.slice(0, lines.length > 2 ? -1 : undefined).slice(0, sampleLines);
    return listingLayout(sampleLinesOf(sample)) !== null;
  },
  open(source, options) {
    const text = openText(source, options);
    const first = text.lines().take(sampleLines).toArray();
    const lines = sampleLinesOf(first.map((line) => line.text));
    const layout = withChosenLayout(listingLayout(lines), lines, options);
    if (!layout) throw unsuitable(source.fileName, 'its lines have no columns in common');
    const damaged = first.find(({ number, isDamaged }) => isDamaged && number < layout.firstRowLine);
    const warnings = [...text.warnings, ...(damaged ? [damagedHeader(damaged.number)] : [])];
    return listingFile(text, layout, lines, warnings);
  },
};

const maxHeaderEntries = 100;
/** Maximum number of characters of a line with such entries. */
const maxHeaderLine = 400;
const aboveKinds: ReadonlySet<ListingLine> = new Set(['above', 'remark']);

function listingFile(
  text: TextFile,
  layout: ListingLayout,
  sample: readonly SampleLine[],
  warnings: SourceWarning[],
): SourceFile {
  const { columns, nulls, headerLine, unitLine, firstRowLine, edges } = layout;
  let notes = new LineNotes();
  const above = sample
    .slice(0, firstRowLine - 1)
    .filter((line) => line.text.length <= maxHeaderLine && aboveKinds.has(kindOfLine(line, layout)))
    .map((line) => ({ cells: [withoutMark(line.text)], line: line.number }));
  return {
    placeKind: 'line',
    tables: [
      {
        name: basename(text.fileName),
        columns,
        rows: null,
        isHidden: false,
        index: indexOfFirst(columns, false),
        nulls: ['', ...nulls],
        headerRow: headerLine,
        isFixedWidth: edges !== null,
        ...(layout.explanation ? { explanation: layout.explanation } : {}),
        above: above.filter(({ line }) => line < headerLine),
        ...(unitLine === null ? {} : { unitRow: unitLine }),
      },
    ],
    header: entriesOf(above).slice(0, maxHeaderEntries),
    warnings,
    columnEdges: edgePositions(layout, sample),
    lines: rawLines(layout, sample),
    get notes() {
      return notes;
    },
    async *readRows() {
      notes = new LineNotes();
      yield* batched(rowsOf(text.lines(), layout, sample, { notes, warnings }), batchRows);
    },
  };
}

/** @param noted takes what lines are that are no rows, and the warnings about them */
function* rowsOf(
  lines: Iterable<TextLine>,
  layout: ListingLayout,
  sample: readonly SampleLine[],
  noted: { readonly notes: LineNotes; readonly warnings: SourceWarning[] },
): Generator<SourceRow> {
  const { columns, firstRowLine, nameLines, edges, isExact = false } = layout;
  const lastNames = nameLines.at(-1)?.text.trim();
  const names = columns.map(({ name }) => name);
  const remarks = new Tally();
  const moved = new Tally();
  const kindAt = (line: SampleLine): ListingLine => {
    const kind = kindOfLine(line, layout);
    const reason = reasons[kind];
    if (reason) noted.notes.add(...reason, { cells: [line.text.trim()], line: line.number });
    return kind;
  };
  for (const line of sample.slice(0, firstRowLine - 1)) kindAt(line);
  for (const line of lines) {
    const { text, number: place, isDamaged } = line;
    if (place < firstRowLine) continue;
    const kind = kindAt(line);
    if (kind === 'remark') {
      const cells = [withoutMark(text)];
      if (isUsualEntry(cells)) yield { cells, place, isHeader: true };
      else remarks.add(place);
    } else if (kind === 'repeated' && text.trim() === lastNames) {
      // Of names on several lines, the last one stands for all.
      yield { cells: names, place, isHeader: true };
    }
    if (kind !== 'row') continue;
    const cells = isEntryLine(line, layout)
      ? [text.trim()]
      : edges
        ? fixedCells(text, place, { edges, isExact }, moved)
        : tokensOf(text);
    yield { cells, place, problem: isDamaged ? 'bad_bytes' : null };
  }
  const counted = (what: string) => (count: number, first: number) =>
    `${what}: ${count}, the first on line ${first}.`;
  const isMoved = isExact
    ? 'Check lines with a value across a column edge'
    : 'Check lines with a value wider than its column, which moves the values after it';
  append(noted.warnings, [
    ...remarks.warnings('comment_lines', 0, counted('Remark lines between the rows are skipped')),
    ...moved.warnings('ragged_rows', 0, counted(isMoved)),
  ]);
}

/** Why a line is no row, for those whose head isn't explained. */
const reasons: Readonly<Record<ListingLine, [JudgedLine['kind'], string] | null>> = {
  header: ['header', 'the names of the columns'],
  units: ['units', 'units below the names'],
  blank: ['blank', 'no text'],
  rule: ['rule', 'a line of dashes'],
  repeated: ['repeated_header', 'the header again'],
  remark: ['comment', 'begins with #, !, or --, or is a page number'],
  above: ['title', 'above the table'],
  row: null,
};

/**
 * The values of a line; a line that doesn't fit the columns is one value, so that its row is rejected.
 * @param moved counts lines with a value that isn't within its column
 */
function fixedCells(
  line: string,
  place: number,
  { edges, isExact }: Required<Pick<ListingLayout, 'isExact'>> & { readonly edges: readonly ColumnEdge[] },
  moved: Tally,
): string[] {
  const text = expandTabs(line);
  if (isExact) {
    if (edges.some(({ end }) => cutsWord(text, end))) moved.add(place);
    return cutAtEdges(text, edges);
  }
  const row = cutRow(text, edges);
  if (!row || row.isMoved) moved.add(place);
  return row?.cells ?? [text.trim()];
}

/** Number of lines that are shown, and the characters of each. */
const maxLines = 60;
const maxLength = 500;

function rawKindOf(line: SampleLine, layout: ListingLayout): RawLine['kind'] {
  const kind = kindOfLine(line, layout);
  if (kind === 'header' || kind === 'units' || kind === 'blank' || kind === 'row') return kind;
  return kind === 'remark' && line.number >= layout.firstRowLine ? 'comment' : 'left_out';
}

/** The first lines of a listing, with tabs expanded, so that column edges are positions in them. */
const rawLines = (layout: ListingLayout, lines: readonly SampleLine[]): RawLine[] =>
  lines.slice(0, maxLines).map((line) => ({
    line: line.number,
    text: line.text.slice(0, maxLength),
    cut: line.text.length > maxLength,
    ending: 'none',
    kind: rawKindOf(line, layout),
  }));

/**
 * The positions between the columns, in characters from the start of a line. Of columns that blanks separate, the
 * positions that are blank in all lines.
 * @returns null if these don't give the same columns
 */
function edgePositions(layout: ListingLayout, lines: readonly SampleLine[]): number[] | null {
  const rows = lines.filter((line) => kindOfLine(line, layout) === 'row');
  const headers = [...layout.nameLines, ...lines.filter(({ number }) => number === layout.unitLine)];
  const count = layout.columns.length;
  const edges =
    layout.edges ??
    [edgesOfGaps([...headers, ...rows], 1), edgesOfGaps(rows, 1), edgesOfGaps(rows)].find(
      ({ length }) => length === count,
    );
  return edges ? edges.slice(1).map(({ start }) => start) : null;
}

type Choice = Pick<OpenOptions, 'columnEdges' | 'headerRow' | 'unitRow'>;

type HeaderLines = Pick<ListingLayout, 'headerLine' | 'nameLines' | 'unitLine' | 'firstRowLine'>;

/**
 * The layout with what the user chose in place of what was detected: column edges, the line of the names, and the line
 * of the units.
 * @returns null if neither the file nor the user says what its columns are
 * @throws AppError invalid_input for a line that the file, or its searched part, doesn't have
 */
function withChosenLayout(
  detected: ListingLayout | null,
  lines: readonly SampleLine[],
  choice: Choice,
): ListingLayout | null {
  const { columnEdges, headerRow, unitRow } = choice;
  if (columnEdges === undefined && headerRow === undefined && unitRow === undefined) return detected;
  const base = detected ?? (columnEdges ? plainLayout : null);
  if (!base) return null;
  const edges = columnEdges ? edgesBetween(columnEdges) : base.edges;
  const count = edges?.length ?? base.columns.length;
  const isNameless = edges !== null && headerRow === undefined && base.headerLine === 0;
  const layout = (isNameless && layoutBy({ count, edges }, lines)) || base;
  const header = chosenHeader(layout, lines, choice);
  const units = header.unitLine === null ? undefined : lines[header.unitLine - 1];
  const chosen = layoutWith({ count, edges }, header.nameLines, units, header.firstRowLine);
  // Petrel lists the names on lines of their own.
  const isListed = headerRow === undefined && header.headerLine > 0 && header.nameLines.length === 0;
  return {
    ...chosen,
    ...(isListed && { headerLine: base.headerLine }),
    ...(isListed && base.columns.length === count && { columns: base.columns }),
    isExact: columnEdges !== undefined,
    nulls: base.nulls,
  };
}

/** The layout of lines that the user cut; null: they are blank. */
function layoutBy(split: Split, lines: readonly SampleLine[]): ListingLayout | null {
  const { lines: kept, rows } = rowsBy(split, lines);
  const head = findHead(rows);
  const first = kept[head.first];
  return first ? layoutOf(split, kept, head, first) : null;
}

/**
 * The lines that the user set, in place of the others. Without a header, its line is a row too.
 * @throws AppError invalid_input for a line that isn't there
 */
function chosenHeader(
  detected: HeaderLines,
  lines: readonly SampleLine[],
  { headerRow, unitRow }: Choice,
): HeaderLines {
  if (headerRow === undefined && unitRow === undefined) return detected;
  const range =
    lines.length < sampleLines
      ? `the file has ${countInWords(lines.length, 'line', 'lines')}`
      : `only the first ${sampleLines} lines are searched`;
  if (headerRow) chosenRow(lines[headerRow - 1], 'header', `on line ${headerRow} (${range})`);
  if (unitRow) chosenRow(lines[unitRow - 1], 'unit', `on line ${unitRow} (${range})`);
  const headerLine = headerRow ?? detected.headerLine;
  const unitLine =
    unitRow ?? (detected.unitLine !== null && detected.unitLine > headerLine ? detected.unitLine : 0);
  const lastLine = Math.max(headerLine, unitLine);
  return {
    headerLine,
    nameLines:
      headerRow === undefined ? detected.nameLines : lines.slice(Math.max(0, headerRow - 1), headerRow),
    unitLine: unitLine === 0 ? null : unitLine,
    firstRowLine: lastLine > 0 ? lastLine + 1 : (detected.nameLines[0]?.number ?? detected.firstRowLine),
  };
}
