import { indexOfFirst } from '../column-index.ts';
import { nullTest } from '../null-test.ts';
import type {
  SourceAdapter,
  SourceColumn,
  SourceFile,
  SourceRow,
  SourceTable,
  SourceWarning,
} from '../source.ts';
import { splitLine } from '../text/split-line.ts';
import type { Separator } from '../text/split-line.ts';
import { startText } from '../text/start-text.ts';
import { openText } from '../text/text-lines.ts';
import type { TextFile } from '../text/text-lines.ts';
import { unsuitable } from '../unsuitable.ts';
import { separateRunOn } from './run-on.ts';
import { rangeWarning, StepCheck } from './range-check.ts';
import { outlineOf, sectionName } from './sections.ts';
import type { DataSection, LasOutline } from './sections.ts';

/** LAS 1.2, 2.0 and 3.0 (CWLS Log ASCII Standard). */
export const las: SourceAdapter = {
  format: 'las',
  recognize: (start, fileName) => {
    const text = startText(start);
    const firstLine = text
      .split(/[\r\n]+/)
      .find((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
    if (!/^\s*~\s*[A-Z]/i.test(firstLine ?? '')) return false;
    return /\.las\b/i.test(fileName) || /^\s*~\s*(?:V|A[\s]|A$|W)/im.test(text);
  },
  async open(path, options) {
    const text = openText(path, options);
    try {
      return new LasFile(text, outlineOf(text, options.signal));
    } catch (error) {
      text.close();
      throw error;
    }
  },
};

/** A data section with what reading its rows takes. */
interface LasTable extends SourceTable {
  readonly section: DataSection;
  readonly separator: Separator;
}

class LasFile implements SourceFile {
  readonly format = 'las';
  readonly placeKind = 'line';
  readonly tables: readonly LasTable[];
  readonly header: LasOutline['header'];
  readonly warnings: SourceWarning[] = [];
  readonly #text: TextFile;
  readonly #outline: LasOutline;

  constructor(text: TextFile, outline: LasOutline) {
    this.#text = text;
    this.#outline = outline;
    this.header = outline.header;
    const isAlone = outline.sections.length === 1;
    this.tables = outline.sections.map((section) => tableOf(section, outline, isAlone));
    this.tables.forEach((table, index) => this.#warnOf(table, index));
  }

  #warnOf({ section, columns, separator }: LasTable, table: number): void {
    if (section.comments > 0)
      this.warnings.push({
        code: 'comment_lines',
        message: `${section.comments} comment lines between the data of “${section.title}” are skipped.`,
        place: section.firstComment,
        table,
        count: section.comments,
      });
    const first = splitLine(section.sample[0] ?? '', separator);
    const last = splitLine(section.last, separator);
    const range =
      section.isLog && !this.#outline.isWrapped && rangeWarning(this.#outline.well, first[0], last[0]);
    if (range) this.warnings.push({ code: 'header_differs', message: range, place: null, table, count: 0 });
    const isCut =
      !this.#text.endsWithLineEnd && section === this.tables.at(-1)?.section && last.length < columns.length;
    if (isCut && !this.#outline.isWrapped)
      this.warnings.push({
        code: 'cut_short',
        message: `The file ends within a row, on line ${section.lastLine}. Get the whole file from its source.`,
        place: section.lastLine,
        table,
        count: 1,
      });
  }

  async *readRows(index: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const table = this.tables[index];
    if (!table) return;
    const { section, columns } = table;
    const reader = this.#outline.isWrapped
      ? new WrappedRows(table, this.#outline.nullText, this.#text.fileName)
      : new Rows(table, this.#outline.nullText);
    const steps = section.isLog ? new StepCheck(this.#outline.well) : null;
    for (const { first, lines } of this.#text.batches(signal)) {
      const from = Math.max(0, section.line + 1 - first);
      const until = Math.min(lines.length, section.lastLine + 1 - first);
      const rows: SourceRow[] = [];
      for (let at = from; at < until; at++) {
        const line = lines[at] ?? '';
        if (line.trimStart().startsWith('#')) continue;
        const row = reader.take(line, first + at);
        if (!row) continue;
        steps?.take(row.cells[0], row.place);
        rows.push(row);
      }
      if (rows.length > 0) yield rows;
      if (until < lines.length) break;
    }
    const rest = reader.end();
    if (rest) yield [rest];
    const message = columns.length > 0 && steps?.message();
    if (steps && message)
      this.warnings.push({
        code: 'header_differs',
        message,
        place: steps.place,
        table: index,
        count: steps.count,
      });
  }

  async close(): Promise<void> {
    this.#text.close();
  }
}

/** Rows of one line each. */
class Rows {
  readonly #separator: Separator;
  readonly #width: number;
  readonly #isNull: (cell: string) => boolean;
  /** The index of a log has values only. */
  readonly #firstNullable: number;
  /** The last row of the usual width. */
  #model: string[] | null = null;

  constructor({ separator, columns, section }: LasTable, nullText: string | null) {
    this.#firstNullable = section.isLog ? 1 : 0;
    this.#separator = separator;
    this.#width = columns.length;
    this.#isNull = nullTest(nullText);
  }

  take(line: string, place: number): SourceRow | null {
    let cells = splitLine(line, this.#separator);
    if (cells.length === 0 || (cells.length === 1 && cells[0] === '')) return null;
    if (cells.length < this.#width && this.#separator === 'blank')
      cells = separateRunOn(cells, this.#width, this.#model) ?? cells;
    // A delimiter at the line's end doesn't begin another value.
    while (cells.length > this.#width && cells.at(-1) === '') cells.pop();
    if (cells.length === this.#width) this.#model = cells;
    return {
      cells: cells.map((cell, at) => (at >= this.#firstNullable && this.#isNull(cell) ? null : cell)),
      place,
    };
  }

  end(): SourceRow | null {
    return null;
  }
}

/** Rows of several lines: values are counted, and a row ends with a line. */
class WrappedRows {
  readonly #separator: Separator;
  readonly #width: number;
  readonly #isNull: (cell: string) => boolean;
  readonly #fileName: string;
  #cells: (string | null)[] = [];
  #place = 0;

  constructor({ separator, columns }: LasTable, nullText: string | null, fileName: string) {
    this.#separator = separator;
    this.#width = columns.length;
    this.#isNull = nullTest(nullText);
    this.#fileName = fileName;
  }

  /** @throws AppError file_unsuitable when a line has more values than its row */
  take(line: string, place: number): SourceRow | null {
    const cells = splitLine(line, this.#separator);
    if (cells.length === 0) return null;
    if (this.#cells.length === 0) this.#place = place;
    for (const cell of cells) this.#cells.push(this.#isNull(cell) ? null : cell);
    if (this.#cells.length < this.#width) return null;
    if (this.#cells.length > this.#width)
      throw unsuitable(
        this.#fileName,
        `a wrapped row has ${this.#cells.length} values, but the file has ${this.#width} curves`,
        place,
      );
    return this.end();
  }

  /** A row that isn't complete when the file ends. */
  end(): SourceRow | null {
    if (this.#cells.length === 0) return null;
    const row = { cells: this.#cells, place: this.#place };
    this.#cells = [];
    return row;
  }
}

const separators: Readonly<Record<string, Separator>> = { COMMA: ',', TAB: '\t', ',': ',', '\t': '\t' };

/** What separates values: what the header names, else blanks; else commas or tabs where these give the curves. */
function separatorOf({ sample, definition }: DataSection, { delimiter, isWrapped }: LasOutline): Separator {
  if (delimiter !== null) return separators[delimiter] ?? 'blank';
  if (isWrapped) return 'blank';
  const gives = (separator: Separator): number =>
    sample.filter((line) => splitLine(line, separator).length === definition.length).length;
  const byBlanks = gives('blank');
  const other = ([',', '\t'] as const).find((separator) => gives(separator) > byBlanks);
  return other ?? 'blank';
}

function tableOf(section: DataSection, outline: LasOutline, isAlone: boolean): LasTable {
  const separator = separatorOf(section, outline);
  const columns = columnsOf(section, separator, outline.isWrapped);
  return {
    name: isAlone ? 'Log' : sectionName(section.title),
    columns,
    rows: outline.isWrapped ? Math.ceil(section.values / Math.max(1, columns.length)) : section.lines,
    isHidden: false,
    index: indexOfFirst(columns, section.isLog),
    // Values are compared with NULL here, where it is known which column is the index.
    nulls: [],
    section,
    separator,
  };
}

/** The columns that the definition names, else those of the title's line (`~A  DEPTH  GR`), else nameless ones. */
function columnsOf(
  { title, definition, sample }: DataSection,
  separator: Separator,
  isWrapped: boolean,
): SourceColumn[] {
  const defined = definition.map(({ name, unit, description, format }): SourceColumn => ({
    name,
    unit,
    description: description === '' ? null : description,
    type: format !== null && /^A?S$/i.test(format) ? 'text' : null,
  }));
  const widths = isWrapped ? [] : sample.map((line) => splitLine(line, separator).length);
  const width = widths.length > 0 && widths.every((count) => count === widths[0]) ? (widths[0] ?? 0) : 0;
  const inTitle = title.split(/\s+/).slice(1);
  // Of curves that have no values, only the title tells which they are.
  if (width < defined.length && inTitle.length === width && width > 0) {
    const selected = inTitle.flatMap((name) => defined.find((each) => each.name === name) ?? []);
    if (selected.length === width) return selected;
  }
  if (defined.length > 0 && width <= defined.length) return defined;
  const names = defined.length === 0 && inTitle.length === width ? inTitle : [];
  return Array.from(
    { length: width },
    (_, at): SourceColumn =>
      defined[at] ?? { name: names[at] ?? '', unit: null, description: null, type: null },
  );
}
