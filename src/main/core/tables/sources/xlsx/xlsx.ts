import { sampleRows, GridRows, gridTable, gridWarnings, type GridTable } from '../grid/grid-table.ts';
import type { GridRow } from '../grid/grid.ts';
import type { OpenOptions, SourceAdapter, SourceFile, SourceRow, SourceWarning } from '../source.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import { scanElements } from '../xml/element-scanner.ts';
import { ZipArchive } from '../zip/zip-archive.ts';
import { richText } from './rich-text.ts';
import { readSheetRows } from './sheet-rows.ts';
import { SheetNotes } from './sheet-notes.ts';
import { StringPool } from './string-pool.ts';
import { readWorkbook, type SheetEntry, type Workbook } from './workbook.ts';
import { append } from '../../../../../shared/lists.ts';

/** Workbooks of Excel 2007 and later (Office Open XML). */
export const xlsx: SourceAdapter = {
  format: 'xlsx',
  recognize(start, fileName) {
    const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
    if (bytes.toString('latin1', 0, 4) !== 'PK\u0003\u0004') return false;
    return bytes.includes('xl/') || (bytes.includes('[Content_Types].xml') && /\.xls[xmb]\b/i.test(fileName));
  },
  async open(path, options) {
    const archive = new ZipArchive(path, options.fileName);
    const strings = new StringPool();
    try {
      const workbook = await readWorkbook(archive, options.fileName);
      if (workbook.stringsPath !== null) await readStrings(archive, workbook.stringsPath, strings, options);
      const file = new XlsxFile(archive, workbook, strings, options);
      await file.readTables();
      return file;
    } catch (error) {
      archive.close();
      strings.close();
      throw error;
    }
  },
};

/** Rows are counted on opening if the sheets together unpack to less than this. */
const maxCountedBytes = 32 << 20;

async function readStrings(
  archive: ZipArchive,
  path: string,
  strings: StringPool,
  { fileName, signal, onRead }: OpenOptions,
): Promise<void> {
  const entry = archive.entry(path);
  if (!entry) return;
  const target = { fileName, container: 'sst', element: 'si', part: 'the list of texts' };
  for await (const { prefix, texts } of scanElements(archive.read(entry), target)) {
    signal.throwIfAborted();
    onRead?.();
    for (const text of texts) strings.add(richText(text, prefix));
  }
}

class XlsxFile implements SourceFile {
  readonly format = 'xlsx';
  readonly placeKind = 'row';
  readonly header = [];
  readonly warnings: SourceWarning[] = [];
  readonly tables: (GridTable & { readonly sheet: SheetEntry })[] = [];
  readonly #archive: ZipArchive;
  readonly #workbook: Workbook;
  readonly #strings: StringPool;
  readonly #options: OpenOptions;

  constructor(archive: ZipArchive, workbook: Workbook, strings: StringPool, options: OpenOptions) {
    this.#archive = archive;
    this.#workbook = workbook;
    this.#strings = strings;
    this.#options = options;
  }

  /** Finds the table of each sheet; sheets without values have none. */
  async readTables(): Promise<void> {
    const { sheets } = this.#workbook;
    const total = sheets.reduce((sum, { path }) => sum + (this.#archive.entry(path)?.bytes ?? 0), 0);
    for (const sheet of sheets) {
      const sample: GridRow[] = [];
      let count = 0;
      let isWhole = true;
      for await (const rows of this.#sheetRows(sheet, new SheetNotes(0))) {
        this.#options.signal.throwIfAborted();
        this.#options.onRead?.();
        count += rows.length;
        append(sample, rows.slice(0, sampleRows - sample.length));
        if (sample.length < sampleRows || total <= maxCountedBytes) continue;
        isWhole = false;
        break;
      }
      if (count === 0) continue;
      const index = this.tables.length;
      const chosen = this.#options.table === index ? this.#options : {};
      const table = { ...gridTable(sheet, sample, isWhole ? count : null, chosen), sheet };
      this.tables.push(table);
      append(this.warnings, gridWarnings(table, index));
    }
    if (this.tables.length === 0) throw unsuitable(this.#options.fileName, 'its sheets are empty');
  }

  #sheetRows(sheet: SheetEntry, notes: SheetNotes): AsyncGenerator<GridRow[]> {
    const { fileName } = this.#options;
    const entry = this.#archive.entry(sheet.path);
    if (!entry) throw unsuitable(fileName, `sheet “${sheet.name}” is missing from the file`);
    const { styles, dateSystem } = this.#workbook;
    return readSheetRows(this.#archive.read(entry), {
      fileName,
      sheetName: sheet.name,
      strings: this.#strings,
      styles,
      dateSystem,
      notes,
    });
  }

  async *readRows(index: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const table = this.tables[index];
    if (!table) return;
    const grid = new GridRows(table.layout);
    const notes = new SheetNotes(table.layout.lastHeaderPlace);
    for await (const batch of this.#sheetRows(table.sheet, notes)) {
      signal.throwIfAborted();
      const rows = batch.flatMap((row) => grid.take(row) ?? []);
      if (rows.length > 0) yield rows;
    }
    append(this.warnings, grid.warnings(index));
    append(this.warnings, notes.warnings(index));
  }

  async close(): Promise<void> {
    this.#archive.close();
    this.#strings.close();
  }
}
