import type { GridCell, GridRow } from '../grid/grid.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import { scanElements } from '../xml/element-scanner.ts';
import { attributeOf, decodeXml } from '../xml/xml-text.ts';
import { numberText, serialText, type NumberKind } from './number-formats.ts';
import { richText } from './rich-text.ts';
import type { SheetNotes } from './sheet-notes.ts';
import type { StringPool } from './string-pool.ts';

/** Maximum size of a worksheet. */
const maxRows = 1_048_576;
const maxColumns = 16_384;

/** What reading cells needs beside the sheet. */
interface CellContext {
  readonly fileName: string;
  readonly sheetName: string;
  readonly strings: StringPool;
  readonly styles: readonly NumberKind[];
  readonly dateSystem: 1900 | 1904;
  readonly notes: SheetNotes;
}

/** The column of a reference such as `AB12`, from 0; -1: none. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const code = reference.charCodeAt(at) & ~0x20;
    if (code < 0x41 || code > 0x5a) return at === 0 ? -1 : column - 1;
    column = column * 26 + code - 0x40;
  }
  return column - 1;
}

/**
 * The rows of a worksheet that have a value, in batches.
 * @throws AppError `file_unsuitable` for damaged XML, or for rows and columns beyond the limits of a worksheet
 */
export async function* readSheetRows(
  chunks: AsyncIterable<Buffer>,
  context: CellContext,
): AsyncGenerator<GridRow[]> {
  const part = `sheet “${context.sheetName}”`;
  const target = { fileName: context.fileName, container: 'sheetData', element: 'row', part };
  let place = 0;
  const otherElements = {
    onStart: (text: string) => checkDimension(text, context),
    onEnd: (text: string) => context.notes.addMerged(text),
  };
  for await (const { prefix, texts } of scanElements(chunks, target, otherElements)) {
    const parser = new RowParser(context, prefix);
    const rows: GridRow[] = [];
    for (const text of texts) {
      const tagEnd = text.indexOf('>');
      const tag = text.slice(0, tagEnd);
      const number = attributeOf(tag, 'r');
      place = number === undefined ? place + 1 : Number(number);
      if (!Number.isInteger(place) || place < 1 || place > maxRows)
        throw unsuitable(
          context.fileName,
          `${part} has a row ${number ?? place}, but a worksheet has up to ${maxRows} rows`,
        );
      const cells = parser.parse(text, tagEnd, place);
      if (!cells.some((cell) => cell !== null)) continue;
      rows.push({ place, cells });
      if (tag.includes(' hidden="1"') || tag.includes(' hidden="true"')) context.notes.add('hidden', place);
    }
    if (rows.length > 0) yield rows;
  }
}

/** @throws AppError `file_unsuitable` for a sheet that declares more rows than the limit: such a file is made to fill memory */
function checkDimension(text: string, { fileName, sheetName }: CellContext): void {
  const reference = /<(?:[\w.-]+:)?dimension\b[^<>]*\bref="[A-Z]+\d+:[A-Z]+(\d+)"/.exec(text)?.[1];
  if (reference !== undefined && Number(reference) > maxRows)
    throw unsuitable(
      fileName,
      `sheet “${sheetName}” claims ${reference} rows, but a worksheet has up to ${maxRows} rows`,
    );
}

class RowParser {
  readonly #context: CellContext;
  readonly #open: string;
  readonly #close: string;
  readonly #value: string;
  readonly #valueEnd: string;
  readonly #prefix: string;

  constructor(context: CellContext, prefix: string) {
    this.#context = context;
    this.#prefix = prefix;
    this.#open = `<${prefix}c`;
    this.#close = `</${prefix}c>`;
    this.#value = `<${prefix}v>`;
    this.#valueEnd = `</${prefix}v>`;
  }

  /** @throws AppError `file_unsuitable` for damaged XML or a column beyond the limit */
  parse(row: string, tagEnd: number, place: number): (GridCell | null)[] {
    const cells: (GridCell | null)[] = [];
    if (row[tagEnd - 1] === '/') return cells;
    let at = tagEnd + 1;
    for (;;) {
      while (row.charCodeAt(at) <= 0x20) at++;
      if (row.startsWith('<!--', at)) {
        const commentEnd = row.indexOf('-->', at + 4);
        if (commentEnd < 0) throw this.#damaged(place);
        at = commentEnd + 3;
        continue;
      }
      if (!row.startsWith(this.#open, at)) break;
      const openEnd = row.indexOf('>', at);
      const tag = row.slice(at + this.#open.length, openEnd);
      const reference = attributeOf(tag, 'r');
      const named = reference === undefined ? -1 : columnOf(reference);
      const column = named < 0 ? cells.length : named;
      if (column >= maxColumns || openEnd < 0) throw this.#damaged(place);
      while (cells.length <= column) cells.push(null);
      if (row[openEnd - 1] === '/') {
        at = openEnd + 1;
        continue;
      }
      const end = row.indexOf(this.#close, openEnd);
      if (end < 0) throw this.#damaged(place);
      cells[column] = this.#cell(tag, row.slice(openEnd + 1, end), place);
      at = end + this.#close.length;
    }
    if (!row.startsWith(`</${this.#prefix}row`, at)) throw this.#damaged(place);
    return cells;
  }

  #damaged(place: number): Error {
    const { fileName, sheetName } = this.#context;
    return unsuitable(fileName, `sheet “${sheetName}”, row ${place} has damaged XML`);
  }

  #cell(tag: string, content: string, place: number): GridCell | null {
    const type = attributeOf(tag, 't') ?? 'n';
    if (type === 'inlineStr') return textCell(richText(content, this.#prefix));
    const start = content.indexOf(this.#value);
    const end = start < 0 ? -1 : content.indexOf(this.#valueEnd, start);
    const raw = end < 0 ? '' : content.slice(start + this.#value.length, end);
    if (raw === '') {
      if (content.includes(`<${this.#prefix}f`) && type === 'n') this.#context.notes.add('missing', place);
      return null;
    }
    return this.#valueCell(type, raw, tag, place);
  }

  #sharedText(raw: string, place: number): string {
    const text = this.#context.strings.get(Number(raw));
    if (text !== undefined) return text;
    const { fileName, sheetName } = this.#context;
    throw unsuitable(
      fileName,
      `sheet “${sheetName}”, row ${place} refers to text ${raw.slice(0, 20)}, which the list of texts doesn’t have`,
    );
  }

  #valueCell(type: string, raw: string, tag: string, place: number): GridCell | null {
    switch (type) {
      case 's':
        return textCell(this.#sharedText(raw, place));
      case 'str':
        return textCell(richText(`<t>${raw}</t>`, ''));
      case 'b':
        return { text: raw.trim() === '1' || raw.trim() === 'true' ? 'true' : 'false', kind: 'boolean' };
      case 'e':
        return { text: decodeXml(raw), kind: 'error' };
      case 'd':
        return { text: decodeXml(raw), kind: 'time' };
      default:
        return this.#number(raw.trim(), tag);
    }
  }

  #number(raw: string, tag: string): GridCell {
    const { styles, dateSystem } = this.#context;
    const kind = styles[Number(attributeOf(tag, 's') ?? 0)] ?? 'number';
    const time = kind === 'number' ? null : serialText(Number(raw), kind, dateSystem);
    if (time !== null) return { text: time, kind: 'time' };
    return { text: numberText(raw), kind: 'number', ...(kind === 'percent' && { isPercent: true }) };
  }
}

const textCell = (text: string): GridCell | null => (text === '' ? null : { text, kind: 'text' });
