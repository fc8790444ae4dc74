import { quantitiesOf, unitPair } from '../../../../shared/channels/units.ts';
import { type AppError, unsuitable } from '../../../../shared/errors/errors.ts';
import { append } from '../../../../shared/lists.ts';
import { startText } from '../reading/encoding.ts';
import { timeReaderOf, sectionName, type DataSection, LasOutline } from './las-header.ts';
import {
  type SourceColumn,
  indexOfFirst,
  orClose,
  Tally,
  type SourceTable,
  nullTest,
  type SourceRow,
  type SourceAdapter,
  type SourceFile,
  type SourceWarning,
} from './source.ts';
import { splitLine, type Separator, damagedHeader, openText, type TextFile } from './text.ts';

/** How the values of a line are paired with curves. */
interface RowForm {
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
const isDateAndTime = (date: string | undefined, time: string | undefined): boolean =>
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
function rowFormOf(
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
function valuesOf(line: string, form: RowForm, width: number): string[] {
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

/** A data section with the parameters for reading its rows. */
interface LasTable extends SourceTable {
  readonly section: DataSection;
  readonly form: RowForm;
}

const separators: Readonly<Record<string, Separator>> = { COMMA: ',', TAB: '\t', ',': ',', '\t': '\t' };

/** The delimiter of values: that of the header, else blanks; else commas or tabs if these give the number of curves. */
function separatorOf({ sample, definition }: DataSection, { delimiter, isWrapped }: LasOutline): Separator {
  const declared = delimiter === null ? 'blank' : (separators[delimiter] ?? 'blank');
  if (isWrapped) return declared;
  const gives = (separator: Separator): number =>
    sample.filter((line) => splitLine(line, separator).length === definition.length).length;
  const asDeclared = gives(declared);
  const isCertain = delimiter !== null && (asDeclared > 0 || sample.some((line) => line.includes(declared)));
  const other = (['blank', ',', '\t'] as const).find((separator) => gives(separator) > asDeclared);
  return isCertain ? declared : (other ?? declared);
}

/** The names of data sections: a single one is named Log; one that is repeated has the name of its set. */
function sectionNames(sections: readonly DataSection[]): string[] {
  if (sections.length === 1) return ['Log'];
  const names = sections.map(({ title }) => sectionName(title));
  return sections.map(({ set }, at) => {
    const name = names[at] ?? '';
    const isRepeated = names.indexOf(name) !== names.lastIndexOf(name);
    return isRepeated && set !== '' ? `${name}: ${set}` : name;
  });
}

/** The table of a data section. */
function tableOf(section: DataSection, outline: LasOutline, name: string): LasTable {
  const defined = definedColumns(section);
  const form = rowFormOf(section.sample, separatorOf(section, outline), defined);
  const columns = columnsOf(section, defined, form, outline.isWrapped);
  return {
    name,
    columns,
    rows: outline.isWrapped ? Math.ceil(section.values / Math.max(1, columns.length)) : section.lines,
    index: indexOfFirst(columns, section.isLog),
    section,
    form,
  };
}

/** Whether a curve is declared as text; with a unit of measure, its values are numbers whatever the declaration says. */
const isText = (format: string | null, unit: string | null): boolean =>
  format !== null && /^A?S$/i.test(format) && (unit === null || quantitiesOf(unit).length === 0);

const definedColumns = ({ definition }: DataSection): SourceColumn[] =>
  definition.map(({ name, unit, format }) => ({
    name,
    unit,
    type: timeReaderOf(unit)?.hasDate === true ? 'time' : isText(format, unit) ? 'text' : null,
  }));

/** The columns of the definition, else those of the title line (`~A  DEPTH  GR`), else unnamed ones. */
function columnsOf(
  { title, sample }: DataSection,
  defined: SourceColumn[],
  form: RowForm,
  isWrapped: boolean,
): SourceColumn[] {
  const widths = isWrapped ? [] : sample.map((line) => valuesOf(line, form, defined.length).length);
  const width = widths.length > 0 && widths.every((count) => count === widths[0]) ? (widths[0] ?? 0) : 0;
  const inTitle = title.split(/\s+/).slice(1);
  // If some curves have no values, only the title names the others.
  if (width < defined.length && inTitle.length === width && width > 0) {
    const selected = inTitle.flatMap((name) => defined.find((column) => column.name === name) ?? []);
    if (selected.length === width) return selected;
  }
  if (defined.length > 0) return defined;
  const names = inTitle.length === width ? inTitle : [];
  return Array.from({ length: width }, (_, at) => ({ name: names[at] ?? '', unit: null, type: null }));
}

const decimalsOf = (cell: string): number => {
  const point = cell.indexOf('.');
  return point < 0 || !/^-?\d*\.\d+$/.test(cell) ? -1 : cell.length - point - 1;
};

/** The parts of a cell in which numbers follow each other without a blank, split before minus signs. */
const cutAtSigns = (cell: string): string[] => cell.split(/(?=-\d)(?<=\d\.\d*)/);

/** Splits a cell such as `7.020101130.188` after the number of decimals of the column. */
function cutAtDecimals(cell: string, decimals: number): string[] {
  const parts: string[] = [];
  let start = 0;
  for (;;) {
    const point = cell.indexOf('.', start);
    const end = point + 1 + decimals;
    if (decimals < 0 || point < 0 || end >= cell.length || !cell.includes('.', point + 1))
      return [...parts, cell.slice(start)];
    parts.push(cell.slice(start, end));
    start = end;
  }
}

/**
 * Separates numbers of fixed-width columns without blanks between them, such as `7.330-19508.961`.
 * @param width expected number of values
 * @param model a row of that width with the same decimals
 * @returns null if the result doesn't have `width` values
 */
function separateRunOn(
  cells: readonly string[],
  width: number,
  model: readonly string[] | null,
): string[] | null {
  const parts: string[] = [];
  for (const cell of cells)
    for (const part of cutAtSigns(cell)) {
      const decimals = decimalsOf(model?.[parts.length] ?? parts.at(-1) ?? '');
      append(parts, cutAtDecimals(part, decimals));
    }
  return parts.length === width ? parts : null;
}

/** Makes rows of lines, the last of which is null. @throws AppError file_unsuitable */
type RowReader = (line: string | null, place: number) => SourceRow | null;

/** What reads the rows of a table. @param fileName for messages */
function rowReaderOf(table: LasTable, { isWrapped, nullText }: LasOutline, fileName: string): RowReader {
  const { columns, section } = table;
  const width = columns.length;
  const isNull = nullTest(nullText);
  const timeReaders = columns.map(({ unit }) => timeReaderOf(unit));
  // The index of a log is never null.
  const firstNullable = section.isLog ? 1 : 0;
  const cellOf = (value: string, column: number): string | null =>
    column >= firstNullable && isNull(value) ? null : (timeReaders[column]?.read(value) ?? value);
  const unpaired = (values: number, place: number): AppError =>
    unsuitable(
      fileName,
      `a row has ${values} values for ${width} curves, so its values can’t be paired with them`,
      place,
    );
  return (isWrapped ? wrappedRows : plainRows)(table, { width, cellOf, unpaired, fileName });
}

interface RowContext {
  readonly width: number;
  readonly cellOf: (value: string, column: number) => string | null;
  readonly unpaired: (values: number, place: number) => AppError;
  readonly fileName: string;
}

/** Rows of one line each. */
function plainRows({ form }: LasTable, { width, cellOf, unpaired }: RowContext): RowReader {
  /** The last row of the expected width. */
  let model: string[] | null = null;
  return (line, place) => {
    let cells = line === null ? [] : valuesOf(line, form, width);
    if (cells.length === 0 || (cells.length === 1 && cells[0] === '')) return null;
    if (form.isUnpaired) throw unpaired(cells.length, place);
    if (cells.length < width && form.separator === 'blank')
      cells = separateRunOn(cells, width, model) ?? cells;
    if (cells.length === width) model = cells;
    return { cells: cells.map(cellOf), place };
  };
}

/** Rows of several lines: values are counted, and a row ends at a line end, or incomplete with the file. */
function wrappedRows({ form, columns }: LasTable, context: RowContext): RowReader {
  const { width, cellOf, unpaired, fileName } = context;
  /** Whether the index of each row is on a line of its own; null: not read yet. */
  let isIndexAlone: boolean | null = null;
  let row: { readonly cells: (string | null)[]; readonly place: number } | null = null;
  return (line, place) => {
    const values = line === null ? [] : splitLine(line, form.separator);
    if (line !== null && values.length === 0) return null;
    const before = row?.cells.length ?? 0;
    // A date with a time of day is one value if the unit of its curve declares both.
    for (let at = 0; at + 1 < values.length; at++)
      if (columns[before + at]?.type === 'time' && isDateAndTime(values[at], values[at + 1]))
        values.splice(at, 2, `${values[at]} ${values[at + 1]}`);
    if (!row && line !== null) {
      isIndexAlone ??= values.length === 1;
      // Otherwise an earlier row has fewer values, and took the index of this one.
      if (isIndexAlone && values.length > 1)
        throw unsuitable(
          fileName,
          `an earlier row has fewer values than the ${width} curves, because this line should be an index`,
          place,
        );
      row = { cells: [], place };
    }
    const current = row;
    if (!current) return null;
    for (const value of values) current.cells.push(cellOf(value, current.cells.length));
    if (current.cells.length > width) throw unpaired(current.cells.length, place);
    if (current.cells.length < width && line !== null) return null;
    row = null;
    return current;
  };
}

type Well = LasOutline['well'];

const numberOf = (well: Well, name: string): number => {
  const text = well.get(name)?.value ?? '';
  return text === '' ? Number.NaN : Number(text);
};

/**
 * Compares START and STOP of the header with the first and last index value.
 * @returns the difference, in words; null: equal, or not comparable
 */
function rangeWarning(well: Well, first: string | undefined, last: string | undefined): string | null {
  const [start, stop] = [numberOf(well, 'STRT'), numberOf(well, 'STOP')];
  const [from, to] = [Number(first), Number(last)];
  if (first === undefined || last === undefined || ![start, stop, from, to].every(Number.isFinite))
    return null;
  const step = Math.abs(numberOf(well, 'STEP')) || 0;
  const tolerance = Math.max(step, Math.abs(stop - start) * 1e-6, 1e-6);
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= tolerance;
  if (isNear(start, from) && isNear(stop, to)) return null;
  return `The header gives the range ${start} to ${stop}, but the rows go from ${first} to ${last}. All rows are read.`;
}

/** The difference between the unit of START and STOP and that of the index curve, in words; null: none. */
function unitWarning(well: Well, index: SourceColumn | undefined): string | null {
  const unit = well.get('STRT')?.unit ?? well.get('STOP')?.unit ?? '';
  const pair = index?.unit ? unitPair(unit, index.unit) : undefined;
  if (!index || !pair || pair.from === pair.to) return null;
  return `The header gives the range in ${unit}, but the unit of the curve “${index.name}” is ${index.unit ?? ''}, which is used. Check which one is right.`;
}

/** Compares STEP of the header with the index of each row, and counts those that differ. */
class StepCheck extends Tally {
  readonly step: number;
  #last = Number.NaN;

  constructor(well: Well) {
    super();
    this.step = numberOf(well, 'STEP');
  }

  check(cell: string | null | undefined, place: number): void {
    if (!Number.isFinite(this.step) || this.step === 0) return;
    const value = typeof cell === 'string' ? Number(cell) : Number.NaN;
    const difference = Math.abs(value - this.#last) - Math.abs(this.step);
    this.#last = value;
    // Rounded indexes differ by less than a tenth of a step.
    if (Math.abs(difference) > Math.abs(this.step) * 0.1) this.add(place);
  }
}

/** LAS 1.2, 2.0 and 3.0 (CWLS Log ASCII Standard). */
export const las: SourceAdapter = {
  format: 'las',
  recognize: (start, fileName) => {
    const text = startText(start);
    const firstLine = text
      .split(/[\r\n]+/)
      .find((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
    if (!/^\s*~\s*[A-Z]/i.test(firstLine ?? '')) return false;
    return /\.las\b/i.test(fileName) || /^[^\S\n\r\u2028\u2029]*~[^\S\n\r]*(?:V|A\s|A$|W)/im.test(text);
  },
  open: (path, options) =>
    orClose(openText(path, options), (text) => new LasFile(text, new LasOutline(text, options.signal))),
};

class LasFile implements SourceFile {
  readonly format = 'las';
  readonly placeKind = 'line';
  readonly tables: readonly LasTable[];
  readonly header: LasOutline['header'];
  readonly warnings: SourceWarning[];
  readonly #text: TextFile;
  readonly #outline: LasOutline;

  constructor(text: TextFile, outline: LasOutline) {
    this.#text = text;
    this.#outline = outline;
    this.header = outline.header;
    const names = sectionNames(outline.sections);
    this.tables = outline.sections.map((section, at) => tableOf(section, outline, names[at] ?? ''));
    this.warnings = [
      ...text.warnings,
      ...(outline.damagedLine === null ? [] : [damagedHeader(outline.damagedLine)]),
      ...this.tables.flatMap((table, index) => this.#warningsOf(table, index)),
    ];
  }

  #warningsOf({ section, columns, form }: LasTable, table: number): SourceWarning[] {
    const { isWrapped, well } = this.#outline;
    const { title, comments, lastLine: place, isLog } = section;
    const warnings = comments.warnings(
      'comment_lines',
      table,
      (count, line) =>
        `Comment lines between the data of “${title}” are skipped: ${count}, the first on line ${line}.`,
    );
    const first = valuesOf(section.sample[0] ?? '', form, columns.length);
    const last = valuesOf(section.last, form, columns.length);
    const range = isLog && !isWrapped && rangeWarning(well, first[0], last[0]);
    const unit = isLog && unitWarning(well, columns[0]);
    for (const message of [range, unit])
      if (message) warnings.push({ code: 'header_differs', message, place: null, table, count: 0 });
    const isLast = section === this.#outline.sections.at(-1);
    const message = `The file ends within a row, on line ${place}. Get the whole file from its source.`;
    if (!this.#text.endsWithLineEnd && isLast && last.length < columns.length && !isWrapped)
      warnings.push({ code: 'cut_short', message, place, table, count: 1 });
    return warnings;
  }

  async *readRows(index: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const table = this.tables[index];
    if (!table) return;
    const { section, columns } = table;
    const readRow = rowReaderOf(table, this.#outline, this.#text.fileName);
    /** Whether a line of the row has invalid bytes; a wrapped row has several lines. */
    let isDamaged = false;
    const withProblem = (row: SourceRow): SourceRow => {
      const checked: SourceRow = isDamaged ? { ...row, problem: 'bad_bytes' } : row;
      isDamaged = false;
      return checked;
    };
    const steps = new StepCheck(this.#outline.well);
    for (const { first, lines, damaged } of this.#text.batches(signal)) {
      const until = Math.min(lines.length, section.lastLine + 1 - first);
      const rows: SourceRow[] = [];
      for (let at = Math.max(0, section.line + 1 - first); at < until; at++) {
        const line = lines[at] ?? '';
        if (line.trimStart().startsWith('#')) continue;
        isDamaged ||= damaged.has(first + at);
        const row = readRow(line, first + at);
        if (!row) continue;
        if (section.isLog) steps.check(row.cells[0], row.place);
        rows.push(withProblem(row));
      }
      if (rows.length > 0) yield rows;
      if (until < lines.length) break;
    }
    const rest = readRow(null, section.lastLine);
    if (rest) yield [withProblem(rest)];
    if (columns.length === 0) return;
    const text = (count: number): string =>
      `Rows with another step than ${steps.step}, which the header gives: ${count}. All rows are read.`;
    append(this.warnings, steps.warnings('header_differs', index, text));
  }

  async close(): Promise<void> {
    this.#text.close();
  }
}
