import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from '../../../world/files.ts';
import { unsuitable } from '../../../../shared/errors/errors.ts';
import { type GridRow, type SheetNotes, gridFile, type Sheet } from './grid.ts';
import { decodeXml, scanElements, attributeOf, XmlReader, type XmlHandler } from './xml.ts';
import { orClose, type SheetCell, type SourceAdapter } from './source.ts';
import { openZip, type ZipArchive } from './zip.ts';

/** The kind of value that a number format shows. */
export type NumberKind = 'number' | 'percent' | 'date' | 'date_time' | 'time' | 'duration';

const builtin = new Map<number, NumberKind>([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'date'] as const),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56].map((id) => [id, 'time'] as const),
  [9, 'percent'],
  [10, 'percent'],
  [22, 'date_time'],
  [46, 'duration'],
]);

/** The kind of a format such as `yyyy\-mm\-dd hh:mm`, judged by its first section without quoted text. */
function formatKind(code: string): NumberKind {
  const section = code.replaceAll(/"[^"]*"|\\.|_.|\*./g, '').split(';')[0] ?? '';
  if (/\[(?:h+|m+|s+)\]/i.test(section)) return 'duration';
  if (section.includes('%')) return 'percent';
  const letters = section
    .replaceAll(/\[[^[\]]*\]/g, '')
    .replaceAll(/general/gi, '')
    .toLowerCase();
  const hasDay = /[yd]/.test(letters);
  const hasClock = /[hs]/.test(letters);
  if (hasDay) return hasClock ? 'date_time' : 'date';
  if (hasClock) return 'time';
  // A month alone: an m without hours or seconds, not next to digits.
  return /m/.test(letters) && !/[0#?]/.test(letters) ? 'date' : 'number';
}

/**
 * The kind of a number format.
 * @param code of one that the workbook defines; absent: it has none, or is built in
 */
export const kindOfFormat = (id: number, code?: string): NumberKind =>
  code === undefined ? (builtin.get(id) ?? 'number') : formatKind(code);

const dayMs = 86_400_000;
/** Days from 1970-01-01 back to day 0 of each system; 1900 includes a nonexistent February 29 as day 60. */
const epochDays = { 1900: 25_569, 1904: 24_107 } as const;
/** 9999-12-31. */
const maxSerial = 2_958_465;

const pad = (value: number): string => String(value).padStart(2, '0');

/** A time of day from milliseconds, with a fraction only if it isn't 0. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const rest = ms % 1000;
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`;
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}${fraction}`;
}

/**
 * A serial number as ISO 8601 text: a date, a date and time, a time of day, or a duration in hours.
 * @returns null for a number that isn't a valid date, which stays a number
 */
export function serialText(serial: number, kind: NumberKind, system: 1900 | 1904): string | null {
  if (kind === 'number' || kind === 'percent' || !Number.isFinite(serial)) return null;
  if (kind === 'duration') return `${serial < 0 ? '-' : ''}${clock(Math.round(Math.abs(serial) * dayMs))}`;
  if (serial < 0 || serial > maxSerial) return null;
  const ms = Math.round(serial * dayMs);
  if (ms < dayMs && (kind === 'time' || (system === 1900 && kind === 'date_time'))) return clock(ms);
  const days = Math.floor(ms / dayMs);
  if (system === 1900 && days === 60) return null;
  const shift = system === 1900 && days < 60 ? 1 : 0;
  const date = new Date((days + shift - epochDays[system]) * dayMs).toISOString().slice(0, 10);
  const timeMs = ms % dayMs;
  return timeMs === 0 ? date : `${date}T${clock(timeMs)}`;
}

/** A number as Excel shows it: 36.6 where the file has 36.600000000000001, all digits of a long integer. */
function numberText(text: string): string {
  if (text.length <= 15 && /^-?\d+(?:\.\d+)?$/.test(text)) return text;
  if (/^-?\d+$/.test(text)) return text;
  const value = Number(text);
  return Number.isFinite(value) && text.trim() !== '' ? String(value) : text;
}

/** Characters that are invalid in XML are written as `_x000D_`. */
const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;

const clean = (text: string): string => {
  const [start = '', ...sections] = text.split('<![CDATA[');
  const parts = sections.flatMap((section) => {
    const end = section.indexOf(']]>');
    return end < 0 ? [section] : [section.slice(0, end), decodeXml(section.slice(end + 3))];
  });
  return decodeEscapes([decodeXml(start), ...parts].join(''));
};

function withoutElements(text: string, open: string, close: string): string {
  let rest = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf(open, at);
    const end = start < 0 ? -1 : text.indexOf(close, start);
    if (end < 0) return rest + text.slice(at);
    rest += text.slice(at, start);
    at = end + close.length;
  }
}

/**
 * The text of an `si` or `is` element: all of its `t` elements, without phonetic text (`rPh`).
 * @param prefix of the file's elements, such as `x:`
 */
function richText(element: string, prefix: string): string {
  const open = `<${prefix}t`;
  const close = `</${prefix}t>`;
  const source = withoutElements(element, `<${prefix}rPh`, `</${prefix}rPh>`);
  let text = '';
  for (let at = source.indexOf(open); at >= 0; at = source.indexOf(open, at + 1)) {
    const tagEnd = source.indexOf('>', at);
    const next = source.charCodeAt(at + open.length);
    if (tagEnd < 0 || source[tagEnd - 1] === '/' || (next !== 0x3e && next > 0x20)) continue;
    const end = source.indexOf(close, tagEnd);
    if (end < 0) break;
    text += clean(source.slice(tagEnd + 1, end));
    at = end;
  }
  return text;
}

const blockBytes = 1 << 20;
/** Number of blocks in memory; others are in a file in the system's temporary folder. */
const maxBlocks = 32;

/** Many texts by number, with memory limited to 32 MB and 8 bytes for each. */
class StringPool {
  /** End of each text in the blocks. A text that doesn't fit into the rest of a block is in the next one. */
  #ends = new Float64Array(1024);
  #count = 0;
  readonly #blocks = new Map<number, Buffer>();
  /** Texts that are longer than a block, which no spreadsheet program writes. */
  readonly #long = new Map<number, string>();
  #file: { readonly fd: number; readonly folder: string } | null = null;

  add(text: string): void {
    if (this.#count === this.#ends.length) {
      const larger = new Float64Array(this.#ends.length * 2);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    const before = this.#endOf(this.#count - 1);
    const rest = blockBytes - (before % blockBytes);
    const length = Buffer.byteLength(text);
    const start = length <= rest ? before : before + rest;
    if (length > blockBytes) this.#long.set(this.#count, text);
    else this.#block(Math.floor(start / blockBytes)).write(text, start % blockBytes);
    this.#ends[this.#count++] = length > blockBytes ? before : start + length;
  }

  /** Text number `index`, from 0; undefined: none. */
  get(index: number): string | undefined {
    if (!(index >= 0 && index < this.#count)) return undefined;
    const end = this.#endOf(index);
    const blockStart = Math.floor((end - 1) / blockBytes) * blockBytes;
    const start = Math.max(this.#endOf(index - 1), blockStart);
    if (start === end) return this.#long.get(index) ?? '';
    return this.#block(blockStart / blockBytes).toString('utf8', start - blockStart, end - blockStart);
  }

  #endOf(index: number): number {
    return index < 0 ? 0 : (this.#ends[index] ?? 0);
  }

  /** A block in memory; it replaces the least recently used one. */
  #block(number: number): Buffer {
    const held = this.#blocks.get(number);
    if (held) return held;
    if (this.#blocks.size >= maxBlocks) {
      const [oldest] = this.#blocks;
      if (oldest) {
        this.#file ??= openSpill();
        writeSync(this.#file.fd, oldest[1], 0, blockBytes, oldest[0] * blockBytes);
        this.#blocks.delete(oldest[0]);
      }
    }
    const block = Buffer.alloc(blockBytes);
    if (this.#file) readSync(this.#file.fd, block, 0, blockBytes, number * blockBytes);
    this.#blocks.set(number, block);
    return block;
  }

  close(): void {
    this.#blocks.clear();
    this.#long.clear();
    if (!this.#file) return;
    closeSync(this.#file.fd);
    rmSync(this.#file.folder, { recursive: true, force: true });
    this.#file = null;
  }
}

function openSpill(): { fd: number; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'wellbench-strings-'));
  return { fd: openSync(join(folder, 'strings'), 'w+'), folder };
}

const maxRows = 1_048_576;
const maxColumns = 16_384;

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
async function* readSheetRows(
  chunks: AsyncIterable<Buffer>,
  context: CellContext,
): AsyncGenerator<GridRow[]> {
  const part = `sheet “${context.sheetName}”`;
  const target = { fileName: context.fileName, container: 'sheetData', element: 'row', part };
  let place = 0;
  const otherElements = {
    onStart: (text: string) => checkDimension(text, context),
    onEnd: (text: string) => noteMerged(text, context.notes),
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

/** @param text the XML behind the rows, which lists the merged cells */
function noteMerged(text: string, notes: SheetNotes): void {
  const ranges = text.matchAll(/<(?:[\w.-]+:)?mergeCell\b[^<>]*\bref="[A-Z]+(\d+):[A-Z]+\d+"/g);
  const places = Array.from(ranges, ([, row]) => Number(row));
  for (const place of places.toSorted((a, b) => a - b)) notes.add('merged', place);
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
  readonly #value: RegExp;
  readonly #valueEnd: string;
  readonly #prefix: string;

  constructor(context: CellContext, prefix: string) {
    this.#context = context;
    this.#prefix = prefix;
    this.#open = `<${prefix}c`;
    this.#close = `</${prefix}c>`;
    // A text with blanks at an end has an attribute that says so.
    this.#value = new RegExp(`<${prefix}v(?:\\s[^<>/]*)?>`);
    this.#valueEnd = `</${prefix}v>`;
  }

  /** @throws AppError `file_unsuitable` for damaged XML or a column beyond the limit */
  parse(row: string, tagEnd: number, place: number): (SheetCell | null)[] {
    const cells: (SheetCell | null)[] = [];
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

  #cell(tag: string, content: string, place: number): SheetCell | null {
    const type = attributeOf(tag, 't') ?? 'n';
    if (type === 'inlineStr') return textCell(richText(content, this.#prefix));
    const open = this.#value.exec(content);
    const start = open ? open.index + open[0].length : -1;
    const end = start < 0 ? -1 : content.indexOf(this.#valueEnd, start);
    const raw = end < 0 ? '' : content.slice(start, end);
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

  #valueCell(type: string, raw: string, tag: string, place: number): SheetCell | null {
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

  #number(raw: string, tag: string): SheetCell {
    const { styles, dateSystem } = this.#context;
    const kind = styles[Number(attributeOf(tag, 's') ?? 0)] ?? 'number';
    const time = kind === 'number' ? null : serialText(Number(raw), kind, dateSystem);
    if (time !== null) return { text: time, kind: 'time' };
    return { text: numberText(raw), kind: 'number', ...(kind === 'percent' && { isPercent: true }) };
  }
}

const textCell = (text: string): SheetCell | null => (text === '' ? null : { text, kind: 'text' });

const maxSheets = 1000;

async function parsePart(archive: ZipArchive, path: string, handler: XmlHandler): Promise<boolean> {
  const entry = archive.entry(path);
  if (!entry) return false;
  const reader = new XmlReader(archive.fileName, `its part ${path}`, handler);
  const decoder = new TextDecoder('utf-8');
  for await (const chunk of archive.read(entry)) reader.write(decoder.decode(chunk, { stream: true }));
  reader.end();
  return true;
}

async function relationsOf(archive: ZipArchive, path: string) {
  const folder = posix.dirname(path);
  const relations = new Map<string, { path: string; type: string }>();
  const part = posix.join(folder, '_rels', `${posix.basename(path)}.rels`);
  await parsePart(archive, part, {
    open(name, { Id: id, Target: target, Type: type = '' }) {
      if (name === 'Relationship' && id !== undefined && target !== undefined)
        relations.set(id, { path: posix.resolve('/', folder, target).slice(1), type: posix.basename(type) });
    },
  });
  return relations;
}

/** The kinds of cell styles: which numbers are dates. */
async function stylesOf(archive: ZipArchive, path: string): Promise<NumberKind[]> {
  const customKinds = new Map<number, NumberKind>();
  const styles: number[] = [];
  // The formats of conditional formatting, in other parts, have numbers of their own.
  let container = '';
  await parsePart(archive, path, {
    open(name, attributes) {
      if (name === 'cellXfs' || name === 'numFmts') container = name;
      if (name === 'numFmt' && container === 'numFmts')
        customKinds.set(Number(attributes['numFmtId']), formatKind(attributes['formatCode'] ?? ''));
      if (name === 'xf' && container === 'cellXfs') styles.push(Number(attributes['numFmtId'] ?? 0));
    },
    close(name) {
      if (name === container) container = '';
    },
  });
  return styles.map((id) => customKinds.get(id) ?? kindOfFormat(id));
}

const attributeNamed = (attributes: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.entries(attributes).find(([key]) => key === name || key.endsWith(`:${name}`))?.[1];

/**
 * Reads the list of sheets, the date system, and the styles of a workbook.
 * @throws AppError file_unsuitable for an archive that isn't a workbook, or is damaged
 */
async function readWorkbook(archive: ZipArchive) {
  const { fileName } = archive;
  const root = await relationsOf(archive, '');
  const path = [...root.values()].find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml';
  if (path.endsWith('.bin')) throw unsuitable(fileName, 'it is a binary workbook (.xlsb). Save it as .xlsx');
  const listed: { name: string; id: string; isHidden: boolean }[] = [];
  let is1904 = false;
  const isThere = await parsePart(archive, path, {
    open(name, attributes) {
      if (name === 'workbookPr' && /^(?:1|true|on)$/i.test(attributes['date1904'] ?? '')) is1904 = true;
      if (name !== 'sheet' || listed.length >= maxSheets) return;
      listed.push({
        name: attributes['name'] ?? '',
        id: attributeNamed(attributes, 'id') ?? '',
        isHidden: /hidden/i.test(attributes['state'] ?? ''),
      });
    },
  });
  if (!isThere) throw unsuitable(fileName, 'it is a zip archive without a workbook');
  const relations = await relationsOf(archive, path);
  const pathOfType = (type: string): string | undefined =>
    [...relations.values()].find((relation) => relation.type === type)?.path;
  const stylesPath = pathOfType('styles');
  return {
    sheets: listed.flatMap(({ name, id, isHidden }) => {
      const relation = relations.get(id);
      return relation?.type === 'worksheet' ? [{ name, path: relation.path, isHidden }] : [];
    }),
    dateSystem: is1904 ? (1904 as const) : (1900 as const),
    stringsPath: pathOfType('sharedStrings'),
    styles: stylesPath === undefined ? [] : await stylesOf(archive, stylesPath),
  };
}

/** Workbooks of Excel 2007 and later (Office Open XML). */
export const xlsx: SourceAdapter = {
  format: 'xlsx',
  recognize(start, fileName) {
    const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
    if (bytes.toString('latin1', 0, 4) !== 'PK\u0003\u0004') return false;
    return bytes.includes('xl/') || (bytes.includes('[Content_Types].xml') && /\.xls[xmb]\b/i.test(fileName));
  },
  open(source, options) {
    const { fileName } = source;
    const archive = openZip(source);
    return orClose(new StringPool(), async (strings) => {
      const { sheets, styles, dateSystem, stringsPath } = await readWorkbook(archive);
      if (stringsPath !== undefined) await readStrings(archive, stringsPath, strings);
      const bytes = sheets.reduce((sum, sheet) => sum + (archive.entry(sheet.path)?.bytes ?? 0), 0);
      const readable = sheets.map(({ name, isHidden, path: sheetPath }): Sheet => ({
        name,
        isHidden,
        rows(notes) {
          const entry = archive.entry(sheetPath);
          if (!entry) throw unsuitable(fileName, `sheet “${name}” is missing from the file`);
          const context = { fileName, sheetName: name, strings, styles, dateSystem, notes };
          return readSheetRows(archive.read(entry), context);
        },
      }));
      const isCounted = bytes <= maxCountedBytes;
      return gridFile(fileName, readable, options, { isCounted, close: () => strings.close() });
    });
  },
};

/** Rows are counted on opening if the sheets together unpack to less than this. */
const maxCountedBytes = 32 << 20;

async function readStrings(archive: ZipArchive, path: string, strings: StringPool): Promise<void> {
  const entry = archive.entry(path);
  if (!entry) return;
  const target = { fileName: archive.fileName, container: 'sst', element: 'si', part: 'the list of texts' };
  for await (const { prefix, texts } of scanElements(archive.read(entry), target)) {
    for (const text of texts) strings.add(richText(text, prefix));
  }
}
