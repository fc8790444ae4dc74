import { LineNotes, type NotedLines, areMostlyUnits } from '../../layout/head.ts';
import { basename } from 'node:path';
import {
  headerEntry,
  indexOfFirst,
  orClose,
  Tally,
  nullTest,
  type HeaderEntry,
  type SourceAdapter,
  type SourceFile,
  type SourceRow,
  type SourceTable,
  type SourceWarning,
  type OpenOptions,
} from '../source.ts';
import { splitLine, damagedHeader, openText, type TextFile } from '../text.ts';
import { startText } from '../../reading/encoding.ts';
import { unsuitable } from '../../../../../shared/errors/errors.ts';
import {
  cutAtEdges,
  cutRow,
  cutsWord,
  type ColumnEdge,
  edgesOfGaps,
  listingLayout,
  sampleLinesOf,
  isRemark,
  isRule,
  sampleLines,
  type ListingLayout,
  type SampleLine,
  edgesBetween,
  cellsOf,
  kindOfLine,
  plainLayout,
  isValue,
} from './listing-layout.ts';
import { expandTabs } from '../../../../../shared/upload/formats.ts';
import type { JudgedLine } from '../../../../../shared/upload/upload.ts';
import type { RawLine } from '../../../../../shared/upload/preview.ts';
import { append, countInWords } from '../../../../../shared/lists.ts';
import { withoutBrackets } from '../../../../../shared/channels/brackets.ts';
import { chosenRow } from '../../reading/layout.ts';
import { column } from '../several-tables.ts';

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
  open: (path, options) =>
    orClose(openText(path, options), (text) => {
      const sample: string[] = [];
      let damagedLine: number | undefined;
      for (const { lines, damaged } of text.batches(options.signal)) {
        damagedLine ??= damaged.values().next().value;
        append(sample, lines.slice(0, sampleLines - sample.length));
        if (sample.length >= sampleLines) break;
      }
      const lines = sampleLinesOf(sample);
      const layout = withChosenLayout(listingLayout(lines), lines, options);
      if (!layout) throw unsuitable(options.fileName, 'its lines have no columns in common');
      const file = new ListingFile(text, layout, lines);
      append(file.warnings, text.warnings);
      if (damagedLine !== undefined && damagedLine < layout.firstRowLine)
        file.warnings.push(damagedHeader(damagedLine));
      return file;
    }),
};

const maxHeaderEntries = 100;
/** Maximum number of characters of a line with such entries. */
const maxHeaderLine = 400;

class ListingFile implements SourceFile {
  readonly format = 'text';
  readonly placeKind = 'line';
  readonly tables: readonly SourceTable[];
  readonly header: readonly HeaderEntry[];
  readonly warnings: SourceWarning[] = [];
  readonly columnEdges: readonly number[] | null;
  readonly lines: readonly RawLine[];
  notes: NotedLines = new LineNotes();
  readonly #sample: readonly SampleLine[];
  readonly #text: TextFile;
  readonly #layout: ListingLayout;

  constructor(text: TextFile, layout: ListingLayout, sample: readonly SampleLine[]) {
    this.#text = text;
    this.#layout = layout;
    this.#sample = sample;
    const { columns, nulls, headerLine, unitLine, firstRowLine } = layout;
    this.tables = [
      {
        name: basename(text.fileName),
        columns,
        rows: null,
        isHidden: false,
        index: indexOfFirst(columns, false),
        nulls,
        headerRow: headerLine,
        isFixedWidth: layout.edges !== null,
        ...(layout.explanation ? { explanation: layout.explanation } : {}),
        above: sample
          .filter(({ text, number }) => number < headerLine && text.trim() !== '' && !isRemark(text))
          .map(({ text, number }) => ({ cells: splitLine(text, 'blank'), line: number })),
        ...(unitLine === null ? {} : { unitRow: unitLine }),
      },
    ];
    this.header = sample
      .slice(0, firstRowLine - 1)
      .flatMap(({ text }) => headerEntries(text))
      .slice(0, maxHeaderEntries);
    this.columnEdges = edgePositions(layout, sample);
    this.lines = rawLines(layout, sample);
  }

  async *readRows(_table: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const { columns, nameLines, firstRowLine, edges, isExact = false, nulls } = this.#layout;
    const isNull = nullTest(nulls[0] ?? null);
    const lastNames = nameLines.at(-1)?.text.trim();
    const names = columns.map(({ name }) => name);
    const remarks = new Tally();
    const moved = new Tally();
    const notes = new LineNotes();
    this.notes = notes;
    const note = (kind: keyof typeof reasons, text: string, line: number): void => {
      const reason = reasons[kind];
      if (reason) notes.add(...reason, { cells: [text.trim()], line });
    };
    for (const line of this.#sample.slice(0, firstRowLine - 1))
      note(kindOfLine(line, this.#layout), line.text, line.number);
    for (const { first, lines, damaged } of this.#text.batches(signal)) {
      const rows: SourceRow[] = [];
      for (let at = Math.max(0, firstRowLine - first); at < lines.length; at++) {
        const text = lines[at] ?? '';
        const place = first + at;
        const kind = kindOfLine({ text, number: place }, this.#layout);
        note(kind, text, place);
        if (kind === 'remark') remarks.add(place);
        // Of names on several lines, the last one stands for all.
        else if (kind === 'repeated' && text.trim() === lastNames)
          rows.push({ cells: names, place, isHeader: true });
        if (kind !== 'row') continue;
        const values = edges ? fixedCells(text, place, { edges, isExact }, moved) : splitLine(text, 'blank');
        rows.push({
          cells: values.map((value) => (isNull(value) ? null : value)),
          place,
          problem: damaged.has(place) ? 'bad_bytes' : null,
        });
      }
      if (rows.length > 0) yield rows;
    }
    const counted = (what: string) => (count: number, first: number) =>
      `${what}: ${count}, the first on line ${first}.`;
    const isMoved = isExact
      ? 'Check lines with a value across a column edge'
      : 'Check lines with a value wider than its column, which moves the values behind it';
    append(this.warnings, [
      ...remarks.warnings('comment_lines', 0, counted('Remark lines between the rows are skipped')),
      ...moved.warnings('ragged_rows', 0, counted(isMoved)),
    ]);
  }

  async close(): Promise<void> {
    this.#text.close();
  }
}

/** Why a line is no row, for those whose head isn't explained. */
const reasons: Readonly<Record<ReturnType<typeof kindOfLine>, [JudgedLine['kind'], string] | null>> = {
  header: ['header', 'the names of the columns'],
  units: ['units', 'units below the names'],
  blank: ['blank', 'no text'],
  rule: ['rule', 'a line of dashes'],
  repeated: ['repeated_header', 'a line of the head again'],
  remark: ['comment', 'begins with #, !, or --, or is the number of a page'],
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

/** Entries of a line above the table, such as `Well : 15/9-F-4   Field: Volve`. */
function headerEntries(line: string): HeaderEntry[] {
  if (line.length > maxHeaderLine) return [];
  const text = line.replace(/^\s*#+\s*/, '');
  const pairs = text.matchAll(/([A-Za-z][\w ./()-]*?)\s*[:=]\s+?(\S.*?)(?=\s{2,}|$)/g);
  return [...pairs].map(([, name = '', value = '']) => headerEntry('Header', name.trim(), value.trim()));
}

/** Number of lines that are shown, and the characters of each. */
const maxLines = 60;
const maxLength = 500;

/** The kinds of lines as they are shown. */
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
  const layout = isNameless ? headerOver(base, lines, edges) : base;
  const header = chosenHeader(layout, lines, choice);
  const units = header.unitLine === null ? undefined : lines[header.unitLine - 1];
  // Petrel lists the names on lines of their own.
  const isListed = headerRow === undefined && header.headerLine > 0 && header.nameLines.length === 0;
  return {
    ...base,
    ...header,
    explanation: undefined,
    columns:
      isListed && base.columns.length === count
        ? base.columns
        : columnsOf(header.nameLines, units, (text) => cellsOf(text, { count, edges }), count),
    edges,
    isExact: columnEdges !== undefined,
    repeated: new Set([...header.nameLines, ...(units ? [units] : [])].map(({ text }) => text.trim())),
  };
}

/** Names and units in the lines above the first row, or in that line itself, which these edges separate. */
function headerOver(
  base: ListingLayout,
  lines: readonly SampleLine[],
  edges: readonly ColumnEdge[],
): HeaderLines {
  const wordsOf = ({ text }: SampleLine): string[] => cutAtEdges(text, edges);
  const isHeader = (line: SampleLine): boolean =>
    wordsOf(line).every((name) => name !== '' && !isValue(name));
  const above = lines
    .slice(0, base.firstRowLine)
    .filter((line) => line.text.trim() !== '' && !isRule(line.text) && !isRemark(line.text))
    .filter((line) => line.number < base.firstRowLine || isHeader(line))
    .slice(-2);
  const last = above.at(-1);
  const isUnits = last !== undefined && above.length > 1 && areMostlyUnits(wordsOf(last));
  const names = isUnits ? above[0] : last;
  if (!names || !last || !isHeader(names)) return base;
  return {
    headerLine: names.number,
    nameLines: [names],
    unitLine: isUnits ? last.number : null,
    firstRowLine: Math.max(base.firstRowLine, last.number + 1),
  };
}

/** Checks that there is a line that the user set. @throws AppError invalid_input */
function checkLine(lines: readonly SampleLine[], line: number | undefined, what: 'header' | 'unit'): void {
  if (line === undefined || line === 0) return;
  const range =
    lines.length < sampleLines
      ? `the file has ${countInWords(lines.length, 'line', 'lines')}`
      : `only the first ${sampleLines} lines are searched`;
  chosenRow(lines[line - 1], what, `on line ${line} (${range})`);
}

/** The lines that the user set, in place of the others. Without a header, its line is a row too. */
function chosenHeader(
  detected: HeaderLines,
  lines: readonly SampleLine[],
  { headerRow, unitRow }: Choice,
): HeaderLines {
  if (headerRow === undefined && unitRow === undefined) return detected;
  checkLine(lines, headerRow, 'header');
  checkLine(lines, unitRow, 'unit');
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

function columnsOf(
  nameLines: readonly SampleLine[],
  units: SampleLine | undefined,
  wordsOf: (text: string) => string[],
  count: number,
): ListingLayout['columns'] {
  const names = nameLines.map(({ text }) => wordsOf(text));
  const unitTexts = units ? wordsOf(units.text).map(withoutBrackets) : [];
  return Array.from({ length: count }, (_, at) => {
    const words = names.map((line) => line[at] ?? '').filter((word) => word !== '');
    return column(words.join(' '), unitTexts[at]);
  });
}
