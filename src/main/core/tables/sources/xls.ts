import { dateToSerial, readXls } from 'hucre';
import { AppError, unsuitable } from '../../../../shared/errors/errors.ts';
import type { Source } from '../reading/source.ts';
import { gridFile, type GridRow, type Sheet, type SheetNotes } from './grid.ts';
import { batched, type SheetCell, type SourceAdapter } from './source.ts';
import { kindOfFormat, type NumberKind, serialText } from './xlsx.ts';

/** The start of the substream of the workbook itself in BIFF8; the sheets follow it. */
const beginning = Buffer.from([0x09, 0x08, 0x10, 0x00, 0x00, 0x06, 0x05, 0x00]);
const substreamStart = 0x0809;
const substreamEnd = 0x000a;
const boundSheet = 0x0085;
/** Records that hold cells: formulas, numbers, texts, booleans, blanks. */
const cellRecords = new Set([
  0x0006, 0x00bd, 0x00be, 0x00d6, 0x00fd, 0x0201, 0x0203, 0x0204, 0x0205, 0x0207, 0x027e,
]);
const formula = 0x0006;
/** What several formulas share, between the first of them and the text that it results in. */
const sharedRecords = new Set([0x04bc, 0x0221, 0x0236]);
const resultText = 0x0207;
const format = 0x041e;
const cellFormat = 0x00e0;
const dateMode = 0x0022;
const rowRecord = 0x0208;
/** In the properties of a row. */
const hiddenRow = 0x20;
/** Cells of one number each: row, column, and format come first. */
const numberRecords = new Set([formula, 0x0203, 0x027e]);
/** Several cells of a row: row and first column, then a format and a number of 4 bytes each, then the last column. */
const severalNumbers = 0x00bd;
const maxColumns = 256;
/** An unused record number, which readers skip. */
const unusedRecord = 0x0fff;

interface ListedSheet {
  readonly offset: number;
  readonly isHidden: boolean;
  readonly isWorksheet: boolean;
}

/** Calls back with each record from a position on, until the callback stops it or the bytes end. */
function eachRecord(
  bytes: Buffer,
  start: number,
  take: (kind: number, at: number, length: number) => boolean,
): void {
  for (let at = start; at >= 0 && at + 4 <= bytes.length;) {
    const length = bytes.readUInt16LE(at + 2);
    if (at + 4 + length > bytes.length) return;
    if (!take(bytes.readUInt16LE(at), at, length)) return;
    at += 4 + length;
  }
}

/**
 * The list of sheets, with properties that the library doesn't expose. It is read if it is contiguous, as programs
 * write it; otherwise it is empty.
 */
function listedSheets(bytes: Buffer): ListedSheet[] {
  const start = bytes.indexOf(beginning);
  const sheets: ListedSheet[] = [];
  let isWhole = false;
  eachRecord(bytes, start, (kind, at, length) => {
    if (kind === boundSheet && length > 6 && at + 10 <= bytes.length)
      sheets.push({
        offset: start + bytes.readUInt32LE(at + 4),
        isHidden: ((bytes[at + 8] ?? 0) & 3) !== 0,
        isWorksheet: bytes[at + 9] === 0,
      });
    isWhole = kind === substreamEnd;
    return !isWhole;
  });
  return isWhole ? sheets : [];
}

/** What the cells of a workbook show: the kind of each cell format by its number, and the first day of its calendar. */
function formatsOf(bytes: Buffer): { readonly kinds: readonly NumberKind[]; readonly system: 1900 | 1904 } {
  const codes = new Map<number, string>();
  const formats: number[] = [];
  let system: 1900 | 1904 = 1900;
  eachRecord(bytes, bytes.indexOf(beginning), (kind, at, length) => {
    if (kind === format && length >= 5) {
      const isWide = ((bytes[at + 8] ?? 0) & 1) !== 0;
      const text = bytes.subarray(at + 9, at + 4 + length);
      codes.set(bytes.readUInt16LE(at + 4), text.toString(isWide ? 'utf16le' : 'latin1'));
    } else if (kind === cellFormat && length >= 4) formats.push(bytes.readUInt16LE(at + 6));
    else if (kind === dateMode && bytes[at + 4] === 1) system = 1904;
    return kind !== substreamEnd;
  });
  return { kinds: formats.map((id) => kindOfFormat(id, codes.get(id))), system };
}

const cellAt = (row: number, column: number): number => row * maxColumns + column;

/** What the library doesn't expose of a sheet. */
interface SheetFacts {
  /** The kinds of the cells that are shown as percentages or times. */
  readonly kinds: ReadonlyMap<number, NumberKind>;
  /** Hidden rows, from 0. */
  readonly hidden: ReadonlySet<number>;
}

function sheetFacts(bytes: Buffer, offset: number, kinds: readonly NumberKind[]): SheetFacts {
  const cells = new Map<number, NumberKind>();
  const hidden = new Set<number>();
  eachRecord(bytes, offset, (kind, at, length) => {
    const isSeveral = kind === severalNumbers;
    if ((isSeveral || numberRecords.has(kind)) && length >= 6) {
      const [row, first] = [bytes.readUInt16LE(at + 4), bytes.readUInt16LE(at + 6)];
      const count = isSeveral ? Math.floor((length - 6) / 6) : 1;
      for (let column = 0; column < count; column++) {
        const shown = kinds[bytes.readUInt16LE(at + 8 + column * 6)] ?? 'number';
        if (shown !== 'number') cells.set(cellAt(row, first + column), shown);
      }
    } else if (kind === rowRecord && length >= 14 && ((bytes[at + 16] ?? 0) & hiddenRow) !== 0)
      hidden.add(bytes.readUInt16LE(at + 4));
    return kind !== substreamEnd;
  });
  return { kinds: cells, hidden };
}

/**
 * Changes what the library would read wrongly, in the bytes: it would take the values that are stored in a chart within a
 * worksheet for cells of the sheet, and would miss the text of the first of several formulas, which what they share
 * precedes.
 */
function correctRecords(bytes: Buffer): void {
  for (const { offset, isWorksheet } of listedSheets(bytes)) {
    let depth = 0;
    let [before, beforeThat, sharedAt] = [0, 0, 0];
    if (!isWorksheet) continue;
    eachRecord(bytes, offset, (kind, at, length) => {
      if (kind === resultText && sharedRecords.has(before) && beforeThat === formula) {
        const shared = Buffer.from(bytes.subarray(sharedAt, at));
        bytes.copyWithin(sharedAt, at, at + 4 + length);
        shared.copy(bytes, sharedAt + 4 + length);
      }
      [beforeThat, before, sharedAt] = [before, kind, at];
      if (kind === substreamStart) depth++;
      else if (kind === substreamEnd) depth--;
      else if (depth > 1 && cellRecords.has(kind)) bytes.writeUInt16LE(unusedRecord, at);
      return depth > 0;
    });
  }
}

/** Workbooks of Excel 97 to 2003 (BIFF8), which are read whole into memory. */
export const xls: SourceAdapter = {
  format: 'xls',
  recognize: (start) => Buffer.from(start.subarray(0, 8)).equals(signature),
  async open(source, options) {
    const { fileName } = source;
    return gridFile(fileName, await sheetsOf(readWhole(source), fileName), options, { isCounted: true });
  },
};

const signature = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const maxBytes = 64 << 20;
const batchRows = 2000;

function readWhole(source: Source): Buffer {
  const { fileName } = source;
  if (source.bytes > maxBytes)
    throw unsuitable(fileName, 'it is larger than 64 MB, the limit for .xls. Save it as .xlsx');
  const bytes = Buffer.alloc(source.bytes);
  if (source.read(bytes, 0, bytes.length, 0) < bytes.length) throw unsuitable(fileName, 'it ends too early');
  return bytes;
}

const hasStream = (bytes: Buffer, name: string): boolean => bytes.includes(Buffer.from(name, 'utf16le'));

async function sheetsOf(bytes: Buffer, fileName: string): Promise<Sheet[]> {
  if (hasStream(bytes, 'EncryptedPackage'))
    throw unsuitable(fileName, 'it is encrypted. Save it without a password');
  if (!['Workbook', 'WORKBOOK', 'Book', 'BOOK'].some((name) => hasStream(bytes, name)))
    throw unsuitable(fileName, 'it is an Office document without a workbook');
  const listed = listedSheets(bytes);
  correctRecords(bytes);
  const { kinds, system } = formatsOf(bytes);
  try {
    const { sheets } = await readXls(bytes);
    // The library may or may not list chart sheets.
    const isOfAll = sheets.length === listed.length;
    const entries = isOfAll ? listed : listed.filter(({ isWorksheet }) => isWorksheet);
    return sheets.flatMap(({ name, rows, merges = [] }, at) => {
      const { isHidden = false, isWorksheet = true, offset = -1 } = entries[at] ?? {};
      if (!isWorksheet) return [];
      const facts = sheetFacts(bytes, offset, kinds);
      const all = gridRows(rows, (value, cell) => cellOf(value, facts.kinds.get(cell), system));
      const merged = merges.map(({ startRow }) => startRow + 1).toSorted((a, b) => a - b);
      const noted = (notes: SheetNotes): Iterable<readonly GridRow[]> => {
        for (const place of merged) notes.add('merged', place);
        for (const { place } of all) if (facts.hidden.has(place - 1)) notes.add('hidden', place);
        return batched(all, batchRows);
      };
      return [{ name, isHidden, rows: noted }];
    });
  } catch (error) {
    const words = error instanceof Error ? error.message.replace(/\.$/, '').slice(0, 200) : 'unknown';
    const reason = `it is damaged, or not a workbook of Excel 97 or later (${words}). Open it and save it as .xlsx`;
    throw new AppError('file_unsuitable', { file: fileName, reason }, { cause: error });
  }
}

const gridRows = (
  rows: readonly (readonly unknown[] | undefined)[],
  read: (value: unknown, cell: number) => SheetCell | null,
): GridRow[] =>
  Array.from(rows).flatMap((row, at) => {
    const cells = Array.from(row ?? [], (value, column) => read(value, cellAt(at, column)));
    return cells.some((cell) => cell !== null) ? [{ place: at + 1, cells }] : [];
  });

const errorTexts = new Set(['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A']);

/** @param kind that its format shows; absent: the library decided whether it is a time */
function cellOf(value: unknown, kind: NumberKind | undefined, system: 1900 | 1904): SheetCell | null {
  if (typeof value === 'boolean') return { text: String(value), kind: 'boolean' };
  const isTime = value instanceof Date;
  const number = isTime ? dateToSerial(value, system === 1904) : value;
  if (typeof number === 'number') {
    const time = serialText(number, kind ?? (isTime ? 'date_time' : 'number'), system);
    if (time !== null) return { text: time, kind: 'time' };
    return { text: String(number), kind: 'number', ...(kind === 'percent' && { isPercent: true }) };
  }
  if (typeof value !== 'string' || value === '') return null;
  return { text: value, kind: errorTexts.has(value) ? 'error' : 'text' };
}
