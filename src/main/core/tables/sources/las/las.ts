import { append } from '../../../../../shared/lists.ts';
import type { SourceAdapter, SourceFile, SourceRow, SourceWarning } from '../source.ts';
import { startText } from '../../reading/encoding.ts';
import { damagedHeader, openText, type TextFile } from '../text/text-lines.ts';
import { Rows, WrappedRows } from './las-rows.ts';
import { valuesOf } from './row-form.ts';
import { sectionNames, tableOf, type LasTable } from './las-tables.ts';
import { unitWarning, rangeWarning, StepCheck } from './range-check.ts';
import { outlineOf, type LasOutline } from './sections.ts';

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
    const names = sectionNames(outline.sections);
    this.tables = outline.sections.map((section, at) => tableOf(section, outline, names[at] ?? ''));
    append(this.warnings, text.warnings);
    if (outline.damagedLine !== null) this.warnings.push(damagedHeader(outline.damagedLine));
    this.tables.forEach((table, index) => this.#warnOf(table, index));
  }

  #warnOf({ section, columns, form }: LasTable, table: number): void {
    const { comments: count, firstComment: place, lastLine } = section;
    if (count > 0) {
      const message = `Comment lines between the data of “${section.title}” are skipped: ${count}, the first on line ${place}.`;
      this.warnings.push({ code: 'comment_lines', message, place, table, count });
    }
    const first = valuesOf(section.sample[0] ?? '', form, columns.length);
    const last = valuesOf(section.last, form, columns.length);
    const range =
      section.isLog && !this.#outline.isWrapped && rangeWarning(this.#outline.well, first[0], last[0]);
    const unit = section.isLog && unitWarning(this.#outline.well, columns[0]);
    for (const message of [range, unit])
      if (message) this.warnings.push({ code: 'header_differs', message, place: null, table, count: 0 });
    const isCut =
      !this.#text.endsWithLineEnd && section === this.tables.at(-1)?.section && last.length < columns.length;
    const message = `The file ends within a row, on line ${lastLine}. Get the whole file from its source.`;
    if (isCut && !this.#outline.isWrapped)
      this.warnings.push({ code: 'cut_short', message, place: lastLine, table, count: 1 });
  }

  async *readRows(index: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const table = this.tables[index];
    if (!table) return;
    const { section, columns } = table;
    const reader = this.#outline.isWrapped
      ? new WrappedRows(table, this.#outline.nullText, this.#text.fileName)
      : new Rows(table, this.#outline.nullText, this.#text.fileName);
    /** Whether a line of the row has invalid bytes; a wrapped row has several lines. */
    let isDamaged = false;
    const withProblem = (row: SourceRow): SourceRow => {
      const checked: SourceRow = isDamaged ? { ...row, problem: 'bad_bytes' } : row;
      isDamaged = false;
      return checked;
    };
    const steps = section.isLog ? new StepCheck(this.#outline.well) : null;
    for (const { first, lines, damaged } of this.#text.batches(signal)) {
      const from = Math.max(0, section.line + 1 - first);
      const until = Math.min(lines.length, section.lastLine + 1 - first);
      const rows: SourceRow[] = [];
      for (let at = from; at < until; at++) {
        const line = lines[at] ?? '';
        if (line.trimStart().startsWith('#')) continue;
        isDamaged ||= damaged.has(first + at);
        const row = reader.take(line, first + at);
        if (!row) continue;
        steps?.take(row.cells[0], row.place);
        rows.push(withProblem(row));
      }
      if (rows.length > 0) yield rows;
      if (until < lines.length) break;
    }
    const rest = reader.end();
    if (rest) yield [withProblem(rest)];
    const message = columns.length > 0 && steps?.message();
    if (!steps || !message) return;
    const { place, count } = steps;
    this.warnings.push({ code: 'header_differs', message, place, table: index, count });
  }

  async close(): Promise<void> {
    this.#text.close();
  }
}
