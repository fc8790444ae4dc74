import { isUtf8 } from 'node:buffer';
import { unsuitable } from '../../../../shared/errors/errors.ts';
import type { SourceFormat } from '../../../../shared/upload/formats.ts';
import { floatText } from '../../records/float-text.ts';
import { maxColumns } from '../reading/layout.ts';
import { openSource, type Source } from '../reading/source.ts';
import {
  batched,
  orClose,
  type HeaderEntry,
  type OpenOptions,
  type SourceColumn,
  type SourceFile,
  type SourceRow,
  type SourceTable,
  type SourceWarning,
} from './source.ts';

// What the formats of well logs on tapes have in common: DLIS and LIS. Their files are records in order, of frames with a
// sample of each channel, perhaps in an image of a tape (TIF), which has a mark before each block of the tape.

/** Where and why a file can't be read further. */
export class Damage extends Error {
  override readonly name = 'Damage';
  readonly reason: string;
  /** The byte of the file, from 0. */
  readonly byte: number;

  constructor(reason: string, byte: number) {
    super(`${reason} (byte ${byte})`);
    this.reason = reason;
    this.byte = byte;
  }
}

/**
 * The result of work, or what becomes of the damage that it meets.
 * @throws what else `work` throws
 */
export function orDamage<T>(work: () => T, onDamage: (damage: Damage) => unknown): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    onDamage(error);
    return undefined;
  }
}

const windowBytes = 1 << 20;
const markBytes = 12;

/** Bytes of a record, and a position in them. */
export class Cursor {
  bytes: Buffer;
  view: DataView;
  at = 0;
  end = 0;
  /** Where the record is in the file. */
  byte = 0;

  constructor(size: number) {
    this.bytes = Buffer.alloc(size);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, size);
  }

  /** Refers to bytes of a buffer. */
  set({ bytes, view }: Pick<Cursor, 'bytes' | 'view'>, at: number, end: number, byte: number): void {
    this.bytes = bytes;
    this.view = view;
    this.at = at;
    this.end = end;
    this.byte = byte;
  }

  get left(): number {
    return this.end - this.at;
  }

  /** Moves behind the next bytes. @returns the position of the first @throws Damage if the record has fewer */
  take(length: number): number {
    const { at } = this;
    if (length > this.end - at) throw new Damage('a value is longer than its record', this.byte);
    this.at = at + length;
    return at;
  }

  /** The next bytes as text. @throws Damage if the record has fewer */
  text(length: number): string {
    const at = this.take(length);
    return textOf(this.bytes.subarray(at, at + length));
  }
}

/** Text without zeros behind it. Most is ASCII; newer programs write UTF-8, older ones Windows-1252. */
export function textOf(bytes: Buffer): string {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  const text = bytes.subarray(0, end);
  return text.toString(isUtf8(text) ? 'utf8' : 'latin1');
}

/** Whether bytes begin with a mark of a tape image, of a block or of the end of a file: it is the first one. */
export function startsWithMark(start: Uint8Array): boolean {
  if (start.length <= markBytes) return false;
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const [type, next] = [view.getUint32(0, true), view.getUint32(8, true)];
  return view.getUint32(4, true) === 0 && (type === 0 ? next > markBytes : type === 1 && next === markBytes);
}

/** Bytes before the label of DLIS, and before its first record, that programs for tapes leave there. */
export const maxGarbage = 200;
export const labelPattern = /[ \d]{4}V1\.\d{2}RECORD/;
/** Whether a file is DLIS, perhaps in an image of a tape. @param start its first bytes */
export function startsAsDlis(start: Uint8Array): boolean {
  const text = Buffer.from(start.subarray(0, maxGarbage + 100)).toString('latin1');
  // Without a label, the file begins with the header of a logical file in a visible record.
  return labelPattern.test(text) || (text.includes('\xFF\u0001') && text.includes('FILE-HEADER'));
}

/**
 * Whether a file is LIS: the header of a reel, a tape, or a file, perhaps behind a mark of a tape image.
 * @param start its first bytes
 */
export function startsAsLis(start: Uint8Array): boolean {
  const at = startsWithMark(start) ? markBytes : 0;
  const [high = 255, , , attributes = 0, type = 0, zero] = start.subarray(at, at + 6);
  const name = Buffer.from(start.subarray(at + 6, at + 12)).toString('latin1');
  const isHeader = type === 0x80 || type === 0x82 || type === 0x84;
  return isHeader && zero === 0 && high <= 4 && (attributes & 2) === 0 && /^[\x20-\x7e]{6}$/.test(name);
}

/** The bytes of a file in order, in a window that moves over it, without the marks of a tape image. Blocks. */
export class Tape extends Cursor {
  readonly isImage: boolean;
  readonly #source: Source;
  readonly #onRead: (() => void) | undefined;
  /** The byte of the file that is read next. */
  #next = 0;
  /** In an image: bytes to the next mark, and where the last mark is; -1: there is none before the next. */
  #block = 0;
  #lastMark = -1;
  /** Marks of the end of a file since the last block. */
  #ends = 0;
  /** Where parts of the window are in the file. */
  #parts: { readonly at: number; readonly byte: number }[] = [];
  /** The part that has the next byte. */
  #part = 0;
  #damage: Damage | null = null;

  constructor(source: Source, onRead: (() => void) | undefined) {
    super(windowBytes);
    this.#source = source;
    this.#onRead = onRead;
    const start = Buffer.alloc(markBytes + 1);
    this.isImage = startsWithMark(start.subarray(0, source.read(start, 0, start.length, 0)));
  }

  /** Moves to the part of the window that has the next byte. */
  #toPart(): void {
    while ((this.#parts[this.#part + 1]?.at ?? Infinity) <= this.at) this.#part++;
  }

  /** Where the next byte is in the file. */
  get byteOfNext(): number {
    this.#toPart();
    const part = this.#parts[this.#part];
    return part ? part.byte + this.at - part.at : this.#next;
  }

  /** Bytes to the next mark of the image; without an image, all of them. */
  get blockLeft(): number {
    if (!this.isImage) return Infinity;
    this.#toPart();
    const next = this.#parts[this.#part + 1];
    return next ? next.at - this.at : this.end - this.at + this.#block;
  }

  /** Skips bytes of one kind that fill up a block of the image. */
  skipPadding(): void {
    const { blockLeft } = this;
    if (!this.isImage || blockLeft === 0 || this.#parts[this.#part]?.at === this.at) return;
    this.has(blockLeft);
    const rest = this.bytes.subarray(this.at, this.at + blockLeft);
    if (blockLeft < 4 || rest.every((byte) => byte === rest[0])) this.at += rest.length;
  }

  /** Why the file ends where it ends. @param where what is incomplete then */
  endDamage(where: string): Damage {
    return this.#damage ?? new Damage(`the file ends within ${where}`, this.#source.bytes);
  }

  /** The mark that isn't where one should be; null: none. */
  get damage(): Damage | null {
    return this.#damage;
  }

  /** Whether as many bytes follow, which are then in the window. At most 256 kB. */
  has(length: number): boolean {
    while (this.end - this.at < length) if (!this.#fill()) return false;
    return true;
  }

  #fill(): boolean {
    if (this.at > 0) {
      const first = this.#parts.findLastIndex(({ at }) => at <= this.at);
      this.#parts = this.#parts.slice(Math.max(0, first)).map(({ at, byte }) => ({ at: at - this.at, byte }));
      this.bytes.copyWithin(0, this.at, this.end);
      this.end -= this.at;
      this.at = 0;
    }
    this.#onRead?.();
    const before = this.end;
    while (this.end < this.bytes.length && (!this.isImage || this.#block > 0 || this.#mark())) {
      const wanted = Math.min(this.bytes.length - this.end, this.isImage ? this.#block : Infinity);
      const length = this.#source.read(this.bytes, this.end, wanted, this.#next);
      if (length === 0) break;
      const last = this.#parts.at(-1);
      if (!last || this.isImage) this.#parts.push({ at: this.end, byte: this.#next });
      this.end += length;
      this.#next += length;
      this.#block -= length;
    }
    return this.end > before;
  }

  /** Reads marks up to one with a block behind it. @returns false at the end of the tape, or at damage */
  #mark(): boolean {
    const mark = Buffer.alloc(markBytes);
    while (this.#damage === null) {
      const at = this.#next;
      const length = this.#source.read(mark, 0, markBytes, at);
      // Behind two ends of files, or at the end of the file, the tape ends.
      if (length === 0 || (this.#ends >= 2 && mark.every((byte) => byte === 0))) return false;
      const [type, before, next] = [mark.readUInt32LE(0), mark.readUInt32LE(4), mark.readUInt32LE(8)];
      // Positions have 32 bits, in files of any size.
      const size = (next - at - markBytes) >>> 0;
      const isMark = length === markBytes && type <= 1 && (type === 0 ? size > 0 : size === 0);
      const isNext = this.#lastMark < 0 || before === this.#lastMark >>> 0;
      if (!isMark || !isNext) {
        if (this.#ends < 2) this.#damage = new Damage('there is no mark of the tape image', at);
        return false;
      }
      this.#lastMark = at;
      this.#next = at + markBytes;
      this.#block = size;
      this.#ends = type === 0 ? 0 : this.#ends + 1;
      if (type === 0) return true;
    }
    return false;
  }
}

const maxRecordBytes = 32 << 20;

/** The logical records of a file in order, joined from the parts that its format makes of them. */
export abstract class Records {
  /** The content of the current record. */
  readonly body = new Cursor(0);
  protected readonly tape: Tape;
  /** Whether the record goes beyond the current part. */
  protected hasSuccessor = false;
  readonly #joined = new Cursor(64 << 10);

  constructor(tape: Tape) {
    this.tape = tape;
  }

  /** Makes the body that of the next part. @returns false at the end of the file @throws Damage */
  protected abstract part(isFirst: boolean): boolean;

  /** Moves to the next record. @returns false behind the last one @throws Damage */
  next(): boolean {
    if (!this.part(true)) return false;
    if (!this.hasSuccessor) return true;
    const { body } = this;
    const { byte } = body;
    const joined = this.#joined;
    let length = 0;
    for (let isLast = false; !isLast;) {
      const size = body.left;
      if (length + size > maxRecordBytes) throw new Damage('a logical record is larger than 32 MB', byte);
      if (length + size > joined.bytes.length) {
        const larger = new Cursor(Math.max(joined.bytes.length * 2, length + size));
        joined.bytes.copy(larger.bytes, 0, 0, length);
        joined.set(larger, 0, 0, 0);
      }
      body.bytes.copy(joined.bytes, length, body.at, body.end);
      length += size;
      isLast = !this.hasSuccessor;
      if (!isLast && !this.part(false)) throw this.tape.endDamage('a logical record');
    }
    body.set(joined, 0, length, byte);
    return true;
  }
}

/** The text of a number that 32 bits have; null: it is none. */
export const singleText = (value: number): string | null =>
  Number.isNaN(value) ? null : Math.fround(value) === value ? floatText(value) : String(value);

/** Reads the text of a cell and moves behind it; null: no value. */
export type CellReader = (cursor: Cursor) => string | null;

/** What a frame has of a channel: one value, or an array of them. */
export interface Slot {
  readonly name: string;
  readonly unit: string | null;
  readonly type: SourceColumn['type'];
  /** Sizes of the array, of which the first index varies fastest; empty: one value. */
  readonly dimensions: readonly number[];
  /** What reads a value: of values with bounds, and of complex numbers, each part. */
  readonly parts: readonly { readonly suffix: string; readonly read: CellReader }[];
}

/** The number of elements of an array. */
export const elementsOf = (dimensions: readonly number[]): number =>
  dimensions.reduce((product, size) => product * size, 1);

/** The index of an element, from 1, such as `[2]` and `[1,3]`. */
function indexText(dimensions: readonly number[], element: number): string {
  let rest = element;
  const indexes = dimensions.map((size) => {
    const index = (rest % size) + 1;
    rest = Math.floor(rest / size);
    return index;
  });
  return `[${indexes.join(',')}]`;
}

/** Reads an array as a JSON list; with several dimensions, a list of lists, the innermost of the first. */
function listReader({ dimensions, parts, type }: Slot): CellReader {
  const jsonOf = (cell: string | null): string =>
    cell === null ? 'null' : type === 'number' ? (/\d$/.test(cell) ? cell : 'null') : JSON.stringify(cell);
  const readList = (cursor: Cursor, depth: number): string => {
    if (depth < 0) {
      const [first, ...others] = parts.map(({ read }) => jsonOf(read(cursor)));
      return others.length === 0 ? (first ?? 'null') : `[${[first, ...others].join(',')}]`;
    }
    const items: string[] = [];
    for (let size = dimensions[depth] ?? 0; size > 0; size--) items.push(readList(cursor, depth - 1));
    return `[${items.join(',')}]`;
  };
  return (cursor) => readList(cursor, dimensions.length - 1);
}

/** The columns of a table of frames, and what reads their cells, in the order of the bytes. */
interface FrameColumns {
  readonly columns: readonly SourceColumn[];
  /** Those of each slot. */
  readonly readers: readonly (readonly CellReader[])[];
  /** The number of columns that the arrays would have; null: they have them, or there are no arrays. */
  readonly listed: number | null;
}

/** Columns for slots. Arrays that would make too many columns are lists. */
export function frameColumns(slots: readonly Slot[], arrays: OpenOptions['arrays']): FrameColumns {
  const wanted = slots.reduce((sum, { dimensions, parts }) => sum + elementsOf(dimensions) * parts.length, 0);
  const isListed = arrays === 'list' || wanted > maxColumns;
  const columns: SourceColumn[] = [];
  const readers: CellReader[][] = [];
  for (const slot of slots) {
    const { name, unit, type, dimensions, parts } = slot;
    if (isListed && dimensions.length > 0) {
      columns.push({ name, unit, type: null });
      readers.push([listReader(slot)]);
      continue;
    }
    const slotReaders: CellReader[] = [];
    readers.push(slotReaders);
    for (let element = 0; element < elementsOf(dimensions); element++)
      for (const { suffix, read } of parts) {
        const index = dimensions.length > 0 ? indexText(dimensions, element) : '';
        columns.push({ name: `${name}${index}${suffix}`, unit, type });
        slotReaders.push(read);
      }
  }
  return { columns, readers, listed: isListed && arrays !== 'list' ? wanted : null };
}

// The values of DLIS (RP66 version 1, appendix B).

/** The length of each representation code in bytes, from 1 (appendix B); 0: its values have lengths of their own. */
export const codeSizes = [
  0, 2, 4, 8, 12, 4, 4, 8, 16, 24, 8, 16, 1, 2, 4, 1, 2, 4, 0, 0, 0, 8, 0, 0, 0, 0, 1, 0,
];
export const codeNames =
  'FSHORT FSINGL FSING1 FSING2 ISINGL VSINGL FDOUBL FDOUB1 FDOUB2 CSINGL CDOUBL SSHORT SNORM SLONG USHORT UNORM ULONG UVARI IDENT ASCII DTIME ORIGIN OBNAME OBJREF ATTREF STATUS UNITS'.split(
    ' ',
  );

/** The name of an object, perhaps with its type, and with a label of an attribute (B.23 to B.25). */
export interface ObjectName {
  readonly origin: number;
  readonly copy: number;
  readonly id: string;
  readonly type?: string;
  readonly label?: string;
}

export type Value = number | string | readonly number[] | ObjectName;

/** Whether a value is the name of an object. */
export const isName = (value: Value | undefined): value is ObjectName =>
  typeof value === 'object' && 'origin' in value;
/** A name as text: the origin, the copy, and the identifier. */
export const nameKey = ({ origin, copy, id }: ObjectName): string => `${origin}.${copy}.${id}`;
const nameText = (name: ObjectName): string =>
  [name.type, nameKey(name), name.label].filter((part) => part !== undefined && part !== '').join(' ');

/** B.18: an integer of 1, 2, or 4 bytes. */
export function uvari(cursor: Cursor): number {
  const at = cursor.take(1);
  const first = cursor.bytes[at] ?? 0;
  if (first < 0x80) return first;
  cursor.at = at;
  if (first < 0xc0) return cursor.view.getUint16(cursor.take(2)) - 0x8000;
  return cursor.view.getUint32(cursor.take(4)) - 0xc0000000;
}

/** B.15. */
export const ushort = (cursor: Cursor): number => cursor.bytes[cursor.take(1)] ?? 0;
/** B.19. */
export const ident = (cursor: Cursor): string => cursor.text(ushort(cursor));

/** B.23. */
export function objectName(cursor: Cursor): ObjectName {
  const origin = uvari(cursor);
  const copy = ushort(cursor);
  return { origin, copy, id: ident(cursor) };
}

/** B.1: 12 bits of a fraction with a sign, and 4 of an exponent. */
function lowFloat(cursor: Cursor): number {
  const bits = cursor.view.getInt16(cursor.take(2));
  return ((bits >> 4) / 2 ** 11) * 2 ** (bits & 15);
}

/** B.5: a sign, an exponent of 16 with an excess of 64, and a fraction of 24 bits. */
function ibmFloat(cursor: Cursor): number {
  const bits = cursor.view.getUint32(cursor.take(4));
  const size = (bits & 0xff_ff_ff) * 2 ** (4 * (((bits >>> 24) & 0x7f) - 64) - 24);
  return bits >= 0x80000000 ? -size : size;
}

/** B.6: 16 bits at a time, the low byte first. An exponent of 0 is 0, or with a sign no value. */
function vaxFloat(cursor: Cursor): number {
  const at = cursor.take(4);
  const high = cursor.view.getUint16(at, true);
  const exponent = (high >> 7) & 0xff;
  const isNegative = high >= 0x8000;
  if (exponent === 0) return isNegative ? Number.NaN : 0;
  const fraction = ((high & 0x7f) | 0x80) * 2 ** 16 + cursor.view.getUint16(at + 2, true);
  const size = fraction * 2 ** (exponent - 128 - 24);
  return isNegative ? -size : size;
}

const zones = ['', '', 'Z'];

/** B.21 as ISO 8601; a local time has no zone. Null: no time. */
function dateTime(cursor: Cursor): string | null {
  const at = cursor.take(8);
  const [year = 0, zoneAndMonth = 0, ...others] = cursor.bytes.subarray(at, at + 6);
  const milliseconds = cursor.view.getUint16(at + 6);
  const [month, zone] = [zoneAndMonth & 15, zones[zoneAndMonth >> 4]];
  const [day = 0, hour = 0, minute = 0, second = 0] = others;
  const two = (part: number): string => String(part).padStart(2, '0');
  const date = `${1900 + year}-${two(month)}-${two(day)}`;
  const text = `${date}T${two(hour)}:${two(minute)}:${two(second)}.${String(milliseconds).padStart(3, '0')}`;
  const parsed = new Date(`${text}Z`);
  const isTime = zone !== undefined && milliseconds < 1000 && !Number.isNaN(parsed.getTime());
  if (isTime && parsed.toISOString() === `${text}Z`) return text + zone;
  // All zeros are no time; any other text that isn't a time is seen where it is read as one.
  return month === 0 && day === 0 ? null : text;
}

const float = (cursor: Cursor): number => cursor.view.getFloat32(cursor.take(4));
const double = (cursor: Cursor): number => cursor.view.getFloat64(cursor.take(8));

/** What reads the number of a code with one number. */
const numberReaders: Readonly<Record<number, (cursor: Cursor) => number>> = {
  1: lowFloat,
  2: float,
  5: ibmFloat,
  6: vaxFloat,
  7: double,
  12: (cursor) => cursor.view.getInt8(cursor.take(1)),
  13: (cursor) => cursor.view.getInt16(cursor.take(2)),
  14: (cursor) => cursor.view.getInt32(cursor.take(4)),
  15: ushort,
  16: (cursor) => cursor.view.getUint16(cursor.take(2)),
  17: (cursor) => cursor.view.getUint32(cursor.take(4)),
  18: uvari,
  22: uvari,
  26: ushort,
};

/** Of codes with several numbers: the code of each, and what its column is called behind the channel's name. */
const partsOfCodes: Readonly<Record<number, readonly [code: number, ...suffixes: string[]]>> = {
  3: [2, '', '.bound'],
  4: [2, '', '.minus', '.plus'],
  8: [7, '', '.bound'],
  9: [7, '', '.minus', '.plus'],
  10: [2, '.real', '.imaginary'],
  11: [7, '.real', '.imaginary'],
};

const textReaders: Readonly<Record<number, (cursor: Cursor) => string | null>> = {
  19: ident,
  20: (cursor) => cursor.text(uvari(cursor)),
  21: dateTime,
  27: ident,
};

const nameReaders: Readonly<Record<number, (cursor: Cursor) => ObjectName>> = {
  23: objectName,
  24: (cursor) => ({ type: ident(cursor), ...objectName(cursor) }),
  25: (cursor) => ({ type: ident(cursor), ...objectName(cursor), label: ident(cursor) }),
};

/** A value of an attribute. @throws Damage for an unknown code, and a value that is longer than its record */
export function valueOf(cursor: Cursor, code: number): Value {
  const parts = partsOfCodes[code];
  if (parts) {
    const [partCode, ...suffixes] = parts;
    return suffixes.map(() => numberReaders[partCode]?.(cursor) ?? Number.NaN);
  }
  const read = numberReaders[code] ?? textReaders[code] ?? nameReaders[code];
  if (!read) throw new Damage(`there is no representation code ${code}`, cursor.byte);
  return read(cursor) ?? '';
}

/** A value as text for a header. */
export const valueText = (value: Value): string =>
  isName(value) ? nameText(value) : Array.isArray(value) ? value.join(' ± ') : String(value);

/** What reads the cells of a sample, by the code of its channel. */
export function partsOf(code: number): Slot['parts'] {
  const compound = partsOfCodes[code];
  if (compound) {
    const [partCode, ...suffixes] = compound;
    return suffixes.flatMap((suffix) => partsOf(partCode).map((part) => ({ ...part, suffix })));
  }
  const single = (read: CellReader): Slot['parts'] => [{ suffix: '', read }];
  const [numbers, texts, names] = [numberReaders[code], textReaders[code], nameReaders[code]];
  if (code === 2)
    return single((cursor) => {
      const value = cursor.view.getFloat32(cursor.take(4));
      return Number.isNaN(value) ? null : floatText(value);
    });
  if (code === 7)
    return single((cursor) => {
      const value = double(cursor);
      return Number.isNaN(value) ? null : String(value);
    });
  if (numbers && code <= 6) return single((cursor) => singleText(numbers(cursor)));
  if (numbers) return single((cursor) => String(numbers(cursor)));
  if (texts) return single((cursor) => texts(cursor) || null);
  return single((cursor) => (names ? nameText(names(cursor)) : null));
}

/** The type of a column, by the code of its channel. */
export const slotType = (code: number): Slot['type'] =>
  code === 21 ? 'time' : textReaders[code] || nameReaders[code] ? 'text' : 'number';

/** Moves behind a sample of a code. @throws Damage for one that is longer than its record */
export function skipValue(cursor: Cursor, code: number): void {
  const size = codeSizes[code] ?? 0;
  if (size > 0) cursor.take(size);
  else valueOf(cursor, code);
}

// The values of LIS.

/** What the bits of a fraction are multiplied by, for each exponent with an excess of 128. */
const lisScales = Float64Array.from({ length: 256 }, (_, exponent) => 2 ** (exponent - 128 - 23));

/** A sign, an exponent, and a fraction; of negative numbers, all bits are complements. */
function lisFloat(bits: number): number {
  const exponent = (bits >>> 23) & 0xff;
  const fraction = bits & 0x7f_ff_ff;
  return bits < 0x80000000
    ? fraction * (lisScales[exponent] ?? 0)
    : (fraction - 2 ** 23) * (lisScales[255 - exponent] ?? 0);
}

/** The length of each code of LIS with a number, and what reads it. */
const lisNumbers: Readonly<
  Record<number, { readonly size: number; readonly read: (cursor: Cursor) => number }>
> = {
  49: { size: 2, read: lowFloat },
  50: {
    size: 4,
    read: (cursor) => {
      const at = cursor.take(4);
      return cursor.view.getInt16(at + 2) * 2 ** (cursor.view.getInt16(at) - 15);
    },
  },
  56: { size: 1, read: (cursor) => cursor.view.getInt8(cursor.take(1)) },
  66: { size: 1, read: ushort },
  68: { size: 4, read: (cursor) => lisFloat(cursor.view.getUint32(cursor.take(4))) },
  70: { size: 4, read: (cursor) => cursor.view.getInt32(cursor.take(4)) / 2 ** 16 },
  73: { size: 4, read: (cursor) => cursor.view.getInt32(cursor.take(4)) },
  79: { size: 2, read: (cursor) => cursor.view.getInt16(cursor.take(2)) },
};

/** The length of a number of a code of LIS; text and masks have any; null: there is no such code. */
export const lisSize = (code: number): number | null =>
  code === 65 || code === 77 ? 0 : (lisNumbers[code]?.size ?? null);

/** A value of a code of LIS: a number, text, or the bits of a mask in hexadecimal digits; null: none. */
export function lisValue(cursor: Cursor, code: number, size: number): number | string | null {
  const numbers = lisNumbers[code];
  if (numbers && size >= numbers.size) return numbers.read(cursor);
  if (code !== 77) return cursor.text(size);
  const at = cursor.take(size);
  return cursor.bytes.toString('hex', at, at + size);
}

/** What reads the cells of a sample of a code of LIS. @param size of a text or a mask */
export function lisParts(code: number, size: number): Slot['parts'] {
  const numbers = lisNumbers[code];
  const read: CellReader = !numbers
    ? (cursor) => String(lisValue(cursor, code, size) ?? '').trim() || null
    : code === 68
      ? (cursor) => singleText(lisFloat(cursor.view.getUint32(cursor.take(4))))
      : code === 49 || code === 50
        ? (cursor) => singleText(numbers.read(cursor))
        : (cursor) => String(numbers.read(cursor));
  return [{ suffix: '', read }];
}

/** Increments the count of a name. */
export const count = (counts: Map<string, number>, name: string, by = 1): void => {
  counts.set(name, (counts.get(name) ?? 0) + by);
};

const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((total, some) => total + some, 0);

/** Counts by name, as in `3: 2 STATIC, 1 FDATA`. */
export const countsText = (counts: ReadonlyMap<string, number>): string =>
  `${sumOf(counts)}: ${[...counts].map(([name, some]) => `${some} ${name}`).join(', ')}`;

/** The sizes of an array behind the code of its channel. */
export const sizesText = ({ dimensions }: Slot): string =>
  dimensions.length > 0 ? `, ${dimensions.join(' × ')}` : '';

const plainWarning = (code: SourceWarning['code'], message: string, some = 1): SourceWarning => ({
  code,
  message,
  place: null,
  table: null,
  count: some,
});

/** The warning about damage; null: there is none. @param what is read nevertheless, or isn’t */
export const damageWarnings = (damage: Damage | null, what: string): SourceWarning[] =>
  damage
    ? [
        plainWarning(
          'cut_short',
          `The file is damaged: ${damage.reason} (byte ${damage.byte}). ${what} Get the whole file from its source.`,
        ),
      ]
    : [];

/** Warnings about parts of a file that aren’t read. @param encrypted records by their type */
export const partWarnings = (
  encrypted: ReadonlyMap<string, number>,
  problems: readonly string[],
): SourceWarning[] => [
  ...(encrypted.size > 0
    ? [
        plainWarning(
          'records_encrypted',
          `Encrypted records are skipped: ${countsText(encrypted)}.`,
          sumOf(encrypted),
        ),
      ]
    : []),
  ...(problems.length > 0
    ? [
        plainWarning(
          'records_damaged',
          `Parts of the file can’t be read: ${problems.join('; ')}.`,
          problems.length,
        ),
      ]
    : []),
];

/** The warning about arrays that are lists because of their number of elements. */
export const listedWarnings = ({ listed }: FrameColumns): SourceWarning[] =>
  listed === null
    ? []
    : [plainWarning('arrays_as_lists', `Arrays are lists, because they would make ${listed} columns.`)];

/** A table of frames. */
export interface FrameTable extends SourceTable {
  readonly header: readonly HeaderEntry[];
  readonly warnings: readonly SourceWarning[];
  readonly readRows: (tape: Tape) => Generator<SourceRow>;
}

/** What a pass over a file finds. */
export interface TapeContent {
  readonly tables: readonly FrameTable[];
  /** Warnings about the file, other than its damage. */
  readonly warnings: readonly SourceWarning[];
  /** What ends the file before its end; null: nothing. */
  readonly damage: Damage | null;
}

/** Cells of a batch of rows: wide rows come in small batches. */
const batchCells = 5000;

/**
 * Opens a file of frames.
 * @param read passes over the file
 * @throws AppError file_unsuitable without tables, with the place of damage; file_unreadable, cancelled
 */
export const openTape = (
  path: string,
  options: OpenOptions,
  format: SourceFormat,
  read: (tape: Tape, signal: AbortSignal, arrays: OpenOptions['arrays']) => TapeContent,
): Promise<SourceFile> =>
  orClose(openSource(path, options.fileName), (source) => {
    const { fileName, onRead, signal, arrays } = options;
    let content: TapeContent = { tables: [], warnings: [], damage: null };
    // Damage before anything can be read is that of the file.
    orDamage(
      () => (content = read(new Tape(source, onRead), signal, arrays)),
      (damage) => (content = { ...content, damage }),
    );
    const { tables, warnings, damage } = content;
    if (tables.length === 0) {
      const [problem] = warnings;
      const reason = damage
        ? `it is damaged: ${damage.reason}, before any frames of data`
        : `it has no frames of data that can be read${problem ? `: ${problem.message}` : ''}`;
      throw unsuitable(fileName, reason, damage ? { byte: damage.byte } : undefined);
    }
    return {
      format,
      placeKind: 'frame',
      tables: tables.map((table) => ({ ...table, header: limitedHeader(table.header) })),
      header: [],
      warnings: [
        ...damageWarnings(damage, 'What is before it is read.'),
        ...warnings,
        ...tables.flatMap((table, at) => table.warnings.map((warning) => ({ ...warning, table: at }))),
      ],
      async *readRows(index, rowsSignal) {
        const table = tables[index];
        if (!table) return;
        const size = Math.max(1, Math.floor(batchCells / Math.max(1, table.columns.length)));
        for (const batch of batched(table.readRows(new Tape(source, onRead)), size)) {
          rowsSignal.throwIfAborted();
          yield batch;
        }
      },
      close: async () => source.close(),
    };
  });

const maxHeaderEntries = 5000;
const maxValueLength = 1000;

/** A header with at most {@link maxHeaderEntries} entries, and long values cut. */
function limitedHeader(entries: readonly HeaderEntry[]): HeaderEntry[] {
  const shown = entries.slice(0, maxHeaderEntries).map((entry) => {
    const { value } = entry;
    return value.length > maxValueLength ? { ...entry, value: `${value.slice(0, maxValueLength)} …` } : entry;
  });
  const omitted = entries.length - shown.length;
  const rest = {
    group: 'File',
    name: 'Omitted entries',
    value: String(omitted),
    unit: null,
    description: null,
  };
  return omitted > 0 ? [...shown, rest] : shown;
}
