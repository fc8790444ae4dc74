import { createHash } from 'node:crypto';
import { columnTexts } from '../../../shared/column-paths.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { CsvLayout } from '../../../shared/csv.ts';
import type { NullValues } from '../../../shared/export/export.ts';
import { CellPlaces, Columns } from '../records/columns.ts';
import { plainRow } from '../records/csv.ts';
import { createPathTree, textIn, type ScannedPage } from '../records/scan.ts';
import { createZoneWriter, type TimeColumns, type ZoneWriter } from '../records/zone.ts';
import type { About } from '../records/about.ts';
import type { FinishSteps } from './sink.ts';
import type { SpooledFiles } from './export-worker.ts';
import type { WriterSpec } from './spec.ts';
import { TextBuffer } from '../records/text-buffer.ts';
import { isNumberStart } from '../records/json-text.ts';
import { isNullAt } from '../records/null-values.ts';
import type { GrowingFile } from '../files/growing-file.ts';
import { constants, deflateRawSync } from 'node:zlib';
import { Zip, ZipPassThrough } from 'fflate/browser';

/** Size of the blocks that are compressed at once, in bytes. */
const blockBytes = 1024 * 1024;
/** Without 64-bit records, which spreadsheets treat as damage, a part and the archive end here. */
const maxZipBytes = 0xff_ff_ff_ff;

/** A part of an archive, packed by zlib: ten times as fast as the library, which is JavaScript. */
class PackedPart extends ZipPassThrough {
  override compression = 8;
  // The same content has the same bytes.
  override mtime = new Date(1980, 0, 1);

  // Each block ends at a byte, so that the next one can follow it in the same stream.
  protected override process(block: Uint8Array<ArrayBuffer>, isLast: boolean): void {
    const finishFlush = isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
    this.ondata(null, new Uint8Array(deflateRawSync(block, { finishFlush })), isLast);
  }
}

type ZipTarget = Pick<GrowingFile, 'name' | 'length' | 'cutTo' | 'append'>;

/** Writes a zip archive from its start, one part after another, in bounded memory. */
export class ZipWriter {
  readonly #file: ZipTarget;
  readonly #zip: Zip;
  #part = new PackedPart('');
  readonly #block = new Uint8Array(blockBytes);
  #blockLength = 0;

  constructor(file: ZipTarget) {
    file.cutTo(0);
    this.#file = file;
    this.#zip = new Zip((error, bytes) => {
      if (error) throw error;
      file.append(bytes);
    });
  }

  /** Unpacked bytes of the current part. */
  get partBytes(): number {
    return this.#part.size + this.#blockLength;
  }

  begin(name: string): void {
    this.#part = new PackedPart(name);
    this.#zip.add(this.#part);
  }

  /** @throws AppError `disk_full`, `file_unwritable` */
  add(content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(bytes.length, at + blockBytes - this.#blockLength);
      this.#block.set(bytes.subarray(at, end), this.#blockLength);
      this.#blockLength += end - at;
      at = end;
      if (this.#blockLength === blockBytes) this.#push(false);
    }
  }

  /** @throws AppError `file_unwritable` if the archive is too large */
  end(): void {
    this.#push(true);
    if (this.#file.length > maxZipBytes || this.#part.size > maxZipBytes)
      throw new AppError('file_unwritable', {
        file: this.#file.name,
        reason: 'a workbook can’t be larger than 4 GB. Export fewer records, or as Parquet',
      });
  }

  addPart(name: string, content: string): void {
    this.begin(name);
    this.add(content);
    this.end();
  }

  /** Writes the directory of the archive. */
  finish(): void {
    this.#zip.end();
  }

  #push(isLast: boolean): void {
    const length = this.#blockLength;
    this.#blockLength = 0;
    this.#part.push(this.#block.subarray(0, length), isLast);
  }
}

/** Rows of a sheet of Excel, header rows included. */
const maxSheetRows = 1_048_576;
const maxSheetColumns = 16_384;
/** A sheet ends before the size at which an archive needs 64-bit records. */
const maxSheetBytes = maxZipBytes - (256 << 20);
/** Characters of a cell of Excel. */
export const maxCellLength = 32_767;

/** The formats of cells, by their index in the styles. */
export const cellStyles = { general: 0, header: 1, unit: 2, time: 3, timeMs: 4, day: 5 } as const;

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const styles = `${xmlHead}<styleSheet xmlns="${mainNamespace}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><i/><sz val="11"/><color rgb="FF666666"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6">${[
  [0, 0],
  [0, 1],
  [0, 2],
  [164, 0],
  [165, 0],
  [166, 0],
]
  .map(
    ([format, font]) =>
      `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0"${format === 0 ? '' : ' applyNumberFormat="1"'}${font === 0 ? '' : ' applyFont="1"'}/>`,
  )
  .join('')}</cellXfs></styleSheet>`;

/** Characters that XML, or Excel's reading of it, changes or refuses. */
const special = /[&<>\uFFFE\uFFFF]|(?![\t\n])\p{Cc}|_(?=x[0-9A-Fa-f]{4}_)/gu;
const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['_', '_x005F_'],
]);

/** Text for an element. Characters that XML can't hold are escaped as Excel does it. */
const xmlText = (text: string): string =>
  text.replaceAll(
    special,
    (char) => entities.get(char) ?? `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );

const attribute = (text: string): string => xmlText(text).replaceAll('"', '&quot;');

/** The letters of a column, from 0: A, B, … AA. */
function columnLetters(column: number): string {
  const rest = Math.floor(column / 26) - 1;
  return (rest >= 0 ? columnLetters(rest) : '') + String.fromCharCode(65 + (column % 26));
}

/** The cell of a text: as a text it is never a formula, whatever it begins with. */
export const textCell = (place: string, text: string, style = cellStyles.general as number): string =>
  `<c r="${place}"${style === 0 ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;

export interface SheetShape {
  readonly name: string;
  /** Width of each column, in characters. */
  readonly widths: readonly number[];
  /** The rows that stay in view, as the texts of their cells: names, and below them units. */
  readonly header: readonly (readonly string[])[];
}

/** Writes a workbook sheet by sheet. A table that exceeds a sheet continues in the next one. */
export class WorkbookWriter {
  readonly #zip: ZipWriter;
  readonly #sheets: string[] = [];
  #shape: SheetShape = { name: '', widths: [], header: [] };
  #row = 0;
  #part = 0;

  constructor(file: GrowingFile) {
    this.#zip = new ZipWriter(file);
  }

  get sheets(): readonly string[] {
    return this.#sheets;
  }

  beginTable(shape: SheetShape): void {
    this.#shape = shape;
    this.#part = 0;
    this.#beginSheet();
  }

  /** Number of the next row, from 1; a full sheet ends before it. */
  nextRow(): number {
    if (this.#row === maxSheetRows || this.#zip.partBytes > maxSheetBytes) {
      this.#endSheet();
      this.#beginSheet();
    }
    this.#row += 1;
    return this.#row;
  }

  /** Adds rows as XML. @throws AppError `disk_full`, `file_unwritable` */
  add(rows: string | Uint8Array): void {
    this.#zip.add(rows);
  }

  endTable(): void {
    this.#endSheet();
  }

  /** Writes the parts that name the sheets. */
  finish(): void {
    const zip = this.#zip;
    const numbers = this.#sheets.map((_, at) => at + 1);
    zip.addPart(
      'xl/workbook.xml',
      `${xmlHead}<workbook xmlns="${mainNamespace}" xmlns:r="${relationships}"><sheets>${this.#sheets
        .map((name, at) => `<sheet name="${attribute(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
        .join('')}</sheets></workbook>`,
    );
    zip.addPart(
      'xl/_rels/workbook.xml.rels',
      `${xmlHead}<Relationships xmlns="${packages}/relationships">${numbers
        .map((n) => relationship(n, 'worksheet', `worksheets/sheet${n}.xml`))
        .join('')}${relationship(numbers.length + 1, 'styles', 'styles.xml')}</Relationships>`,
    );
    zip.addPart('xl/styles.xml', styles);
    zip.addPart(
      '_rels/.rels',
      `${xmlHead}<Relationships xmlns="${packages}/relationships">${relationship(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    );
    zip.addPart(
      '[Content_Types].xml',
      `${xmlHead}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>${numbers
        .map(
          (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${types}.worksheet+xml"/>`,
        )
        .join('')}</Types>`,
    );
    zip.finish();
  }

  #beginSheet(): void {
    const { name, widths, header } = this.#shape;
    const taken = new Set(['history', ...this.#sheets.map((sheet) => sheet.toLowerCase())]);
    do this.#part += 1;
    while (taken.has(sheetName(name, this.#part).toLowerCase()));
    this.#sheets.push(sheetName(name, this.#part));
    this.#row = 0;
    this.#zip.begin(`xl/worksheets/sheet${this.#sheets.length}.xml`);
    const pane =
      header.length === 0
        ? ''
        : `<pane ySplit="${header.length}" topLeftCell="A${header.length + 1}" activePane="bottomLeft" state="frozen"/>`;
    const columns = widths
      .map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
      .join('');
    this.add(
      `${xmlHead}<worksheet xmlns="${mainNamespace}"><sheetViews><sheetView workbookViewId="0"${this.#sheets.length === 1 ? ' tabSelected="1"' : ''}>${pane}</sheetView></sheetViews>${columns === '' ? '' : `<cols>${columns}</cols>`}<sheetData>`,
    );
    for (const [at, texts] of header.entries())
      this.addTexts(texts, at === 0 ? cellStyles.header : cellStyles.unit);
  }

  /** An empty text has no cell. */
  addTexts(texts: readonly string[], style: number = cellStyles.general): void {
    const row = this.nextRow();
    const cells = texts.map((text, at) =>
      text === '' ? '' : textCell(`${columnLetters(at)}${row}`, text.slice(0, maxCellLength), style),
    );
    this.add(`<row r="${row}">${cells.join('')}</row>`);
  }

  #endSheet(): void {
    this.add('</sheetData></worksheet>');
    this.#zip.end();
  }
}

const relationship = (number: number, type: string, target: string): string =>
  `<Relationship Id="rId${number}" Type="${relationships}/${type}" Target="${target}"/>`;

/** A name of up to 31 characters, without `[]:*?/\`. Excel accepts no other, no name twice, and not `History`, in any case. */
function sheetName(name: string, part: number): string {
  const suffix = part === 1 ? '' : ` ${part}`;
  const plain = name.replaceAll(/[[\]:*?/\\]/g, '_').replaceAll(/^'+|'+$/g, '');
  return `${plain.slice(0, 31 - suffix.length) || 'Records'}${suffix}`;
}

/** Excel shows no more digits of a number. */
const maxDigits = 15;
const dayMs = 86_400_000;
/** Days from December 30, 1899, to January 1, 1970. */
const epochDays = 25_569;
/** March 1, 1900, before which Excel counts a day that didn't exist; and December 31, 9999. */
const serials = { min: 61, end: 2_958_466 };
const quote = 34;
/** Characters of a day in JSON, which has no time of day. */
const dayLength = '"2026-01-31"'.length;

/** Writes records as rows of a sheet, with fixed columns. */
export class SheetRows {
  readonly #cells: CellPlaces;
  readonly #paths: readonly string[];
  readonly #zone: ZoneWriter;
  readonly #blanksNulls: boolean;
  readonly #letters: readonly string[];
  readonly #lines = new TextBuffer();
  #shortened = 0;

  constructor(
    columns: Columns,
    paths: readonly string[],
    { zone, nullValues }: { readonly zone: ZoneWriter; readonly nullValues: NullValues },
  ) {
    this.#blanksNulls = nullValues === 'blank';
    this.#cells = new CellPlaces(columns, paths);
    this.#paths = paths;
    this.#zone = zone;
    this.#letters = paths.map((_, position) => columnLetters(position));
  }

  /** Number of texts that were longer than a cell. */
  get shortened(): number {
    return this.#shortened;
  }

  /** The length of the longest value of each column in a page, in bytes. */
  measure(page: ScannedPage): number[] {
    const lengths = this.#paths.map(() => 0);
    const { starts, ends } = this.#cells;
    for (let record = 0; record < page.count; record += 1) {
      this.#cells.locate(page, record);
      lengths.forEach((longest, at) => {
        const start = starts[at] ?? -1;
        if (start >= 0) lengths[at] = Math.max(longest, (ends[at] ?? 0) - start);
      });
    }
    return lengths;
  }

  /** The XML of a record, valid until the next call. @param row its number, from 1 */
  row(row: number, page: ScannedPage, record: number): Uint8Array {
    const lines = this.#lines;
    const { starts, ends } = this.#cells;
    this.#cells.locate(page, record);
    lines.text(`<row r="${row}">`);
    for (let at = 0; at < this.#paths.length; at += 1) {
      const start = starts[at] ?? -1;
      if (start >= 0 && page.bytes[start] !== 110)
        this.#addCell(`${this.#letters[at]}${row}`, this.#paths[at] ?? '', page, start, ends[at] ?? 0);
    }
    lines.text('</row>');
    return lines.take();
  }

  #addCell(place: string, path: string, page: ScannedPage, start: number, end: number): void {
    const lines = this.#lines;
    const json = textIn(page, start, end);
    if (this.#blanksNulls && isNumberStart(page.bytes[start]) && isNullAt(page, start, end)) return;
    const local = this.#zone.local(path, json);
    if (local !== null) {
      const serial = local / dayMs + epochDays;
      const timeStyle = local % 1000 === 0 ? cellStyles.time : cellStyles.timeMs;
      const isDay = page.bytes[start] === quote && end - start === dayLength;
      const style = isDay ? cellStyles.day : timeStyle;
      if (serial >= serials.min && serial < serials.end)
        lines.text(`<c r="${place}" s="${style}"><v>${serial}</v></c>`);
      else this.#addText(place, this.#zone.write(path, json) ?? String(JSON.parse(json)));
      return;
    }
    switch (page.bytes[start] ?? 0) {
      case quote:
        this.#addText(place, String(JSON.parse(json)));
        return;
      case 116:
      case 102:
        lines.text(`<c r="${place}" t="b"><v>${json === 'true' ? 1 : 0}</v></c>`);
        return;
      case 91:
      case 123:
        this.#addText(place, json);
        return;
      default:
        if (isExactInSheet(json)) lines.text(`<c r="${place}"><v>${json}</v></c>`);
        else this.#addText(place, json);
    }
  }

  #addText(place: string, text: string): void {
    if (text.length > maxCellLength) this.#shortened += 1;
    this.#lines.text(textCell(place, text.slice(0, maxCellLength)));
  }
}

/** Whether a number is one whose whole part a sheet shows with all its digits; a long integer is an id and becomes a text. */
function isExactInSheet(json: string): boolean {
  const digits = /^-?(\d+)(?:\.\d+)?$/.exec(json)?.[1]?.length ?? 0;
  return digits <= maxDigits && Number.isFinite(Number(json));
}

/**
 * Writes spooled records as an Excel workbook: the records, and a sheet about them.
 * @throws AppError file_unwritable, before anything is written, for more columns than a sheet has; disk_full
 */
export function* writeXlsx(
  { file, spool }: SpooledFiles,
  { fields, about, layout, timeColumns, nullValues }: WriterSpec,
): FinishSteps {
  const tree = createPathTree();
  const columns = new Columns(tree, fields, { isTimeAndWellFirst: layout.timeAndWellFirst });
  const digest = createHash('sha256');
  for (const page of spool.pages(tree)) {
    digest.update(page.bytes);
    for (let record = 0; record < page.count; record += 1) columns.addRecord(page, record);
    yield;
  }
  const paths = columns.inOrder().map(({ path }) => path);
  if (paths.length > maxSheetColumns)
    throw new AppError('file_unwritable', {
      file: file.name,
      reason: `its records have ${paths.length.toLocaleString('en')} columns, and a sheet of Excel has up to ${maxSheetColumns.toLocaleString('en')} (select fewer fields, or export as CSV or Parquet)`,
    });
  const names = columnTexts(paths);
  const zone = createZoneWriter(about.timeZone, { columns: timeColumns });
  const sheetRows = new SheetRows(columns, paths, { zone, nullValues });
  const workbook = new WorkbookWriter(file);
  let rows = 0;
  const begin = (widths: readonly number[]): void =>
    workbook.beginTable({
      name: about.dataset.split('/').at(-1) ?? '',
      header: headerOf({ paths, names, timeColumns }, about, layout),
      widths: paths.map((path, at) => columnWidth(path, widths[at] ?? 0, timeColumns)),
    });
  for (const page of spool.pages(tree)) {
    if (rows === 0) begin(sheetRows.measure(page));
    for (let record = 0; record < page.count; record += 1)
      workbook.add(sheetRows.row(workbook.nextRow(), page, record));
    rows += page.count;
    yield;
  }
  if (rows === 0) begin([]);
  workbook.endTable();
  const warnings = sheetRows.shortened === 0 ? [] : [shortenedWarning(sheetRows.shortened)];
  const content = { nullValues, rows, paths, names, digest: digest.digest('hex'), warnings, timeColumns };
  addAbout(workbook, about, content);
  workbook.finish();
  return { columns: names, warnings };
}

const shortenedWarning = (cells: number): string =>
  `${cells} ${cells === 1 ? 'text is' : 'texts are'} cut to ${maxCellLength.toLocaleString('en')} characters, the limit of Excel. For whole texts, export as CSV or Parquet.`;

/** The unit of a column; an instant has the time zone that it is written in. */
const unitOf = (path: string, { columns, timeZone }: About, times: TimeColumns): string =>
  times.get(path) === 'instant' ? timeZone : (columns[path]?.unit ?? '');

interface SheetColumns {
  readonly paths: readonly string[];
  readonly names: readonly string[];
  readonly timeColumns: TimeColumns;
}

/** What engineers call the columns, if they are wanted, the names of the fields, and units. */
function headerOf({ paths, names, timeColumns }: SheetColumns, about: About, layout: CsvLayout): string[][] {
  const units = paths.map((path) => unitOf(path, about, timeColumns));
  return [...plainRow(layout, paths), [...names], ...(units.every((unit) => unit === '') ? [] : [units])];
}

function columnWidth(path: string, longestText: number, times: TimeColumns): number {
  if (times.has(path)) return 23;
  return Math.min(40, Math.max(8, path.length + 2, longestText + 2));
}

function addAbout(
  workbook: WorkbookWriter,
  about: About,
  content: SheetColumns & {
    nullValues: NullValues;
    rows: number;
    digest: string;
    warnings: readonly string[];
  },
): void {
  const { sheets } = workbook;
  const { nullValues, rows, paths, names, digest, warnings, timeColumns } = content;
  const lines = [
    ['Exported by', `Wellbench ${about.version}`],
    ['Export started', about.started],
    ['Service', about.dataUrl],
    ['Dataset', about.dataset],
    ['Request', about.request],
    ['Time zone of times', about.timeZone],
    ['Null values such as -999.25', nullValues === 'blank' ? 'blank' : 'as stored'],
    ['Records', String(rows)],
    ['Sheets with records', sheets.join(', ')],
    ['SHA-256 of the records as NDJSON', digest],
    ...warnings.map((warning) => ['Warning', warning]),
    [],
    ['Column', 'Unit', 'Description'],
    ...paths.map((path, at) => {
      const { description = '' } = about.columns[path] ?? {};
      return [names[at] ?? path, unitOf(path, about, timeColumns), description];
    }),
  ];
  workbook.beginTable({ name: 'About', header: [], widths: [34, 70, 70] });
  for (const line of lines) workbook.addTexts(line);
  workbook.endTable();
}
