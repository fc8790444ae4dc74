import type { GrowingFile } from '../files/growing-file.ts';
import { maxZipBytes, ZipWriter } from './zip-writer.ts';

/** Rows of a sheet of Excel, header rows included. */
const maxSheetRows = 1_048_576;
export const maxSheetColumns = 16_384;
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
export function columnLetters(column: number): string {
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
  /** The rows that stay in view, as the texts of their cells; the first has the names, the second the units. */
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

  /** Names of the sheets so far. */
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

  /** Adds rows as XML. */
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

  /** Adds a row of texts; an empty one has no cell. */
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
