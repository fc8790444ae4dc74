import { isUtf8 } from 'node:buffer';
import { unsuitable } from '../../../../shared/errors/errors.ts';
import { countInWords } from '../../../../shared/lists.ts';
import { floatText } from '../../records/float-text.ts';
import { maxColumns } from '../reading/layout.ts';
import type { Source } from '../reading/source.ts';
import {
  batched,
  headerEntry,
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

/** The result of work, or the damage that it meets. @throws what else `work` throws */
export function orDamage<T>(work: () => T): T | Damage {
  try {
    return work();
  } catch (error) {
    if (error instanceof Damage) return error;
    throw error;
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

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
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

  /**
   * The next bytes as text, without zeros behind it. Most is ASCII; newer programs write UTF-8, older ones Windows-1252.
   * @throws Damage if the record has fewer
   */
  text(length: number): string {
    const at = this.take(length);
    let { at: end } = this;
    while (end > at && this.bytes[end - 1] === 0) end--;
    const text = this.bytes.subarray(at, end);
    return text.toString(isUtf8(text) ? 'utf8' : 'latin1');
  }

  /** B.15. */
  ushort(): number {
    return this.bytes[this.take(1)] ?? 0;
  }

  /** B.18: an integer of 1, 2, or 4 bytes. */
  uvari(): number {
    const first = this.ushort();
    if (first < 0x80) return first;
    this.at--;
    if (first < 0xc0) return this.view.getUint16(this.take(2)) - 0x8000;
    return this.view.getUint32(this.take(4)) - 0xc0000000;
  }

  /** B.19. */
  ident(): string {
    return this.text(this.ushort());
  }

  /** B.23. */
  objectName(type = ''): ObjectName {
    const [origin, copy, id] = [this.uvari(), this.ushort(), this.ident()];
    const key = `${origin}.${copy}.${id}`;
    return { id, key, text: type === '' ? key : `${type} ${key}` };
  }
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

/** Whether a file is LIS: a header of a reel, tape, or file, perhaps in an image. @param start its first bytes */
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

  constructor(source: Source) {
    super(Buffer.alloc(windowBytes));
    this.#source = source;
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

  /** Whether bytes follow, or the file ends. @throws Damage if it ends within them */
  hasNext(length: number, where: string): boolean {
    if (this.has(length)) return true;
    if (this.left === 0 && !this.#damage) return false;
    throw this.endDamage(where);
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
  readonly body = new Cursor(Buffer.alloc(0));
  protected readonly tape: Tape;
  /** Whether the record goes beyond the current part. */
  protected hasSuccessor = false;
  /** The parts of a record, one after the other. It is used again, because new memory for each record is garbage soon. */
  #joined = new Cursor(Buffer.alloc(0));

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
    let length = 0;
    for (let isLast = false; !isLast;) {
      const needed = length + body.left;
      if (needed > maxRecordBytes) throw new Damage('a logical record is larger than 32 MB', byte);
      if (needed > this.#joined.bytes.length)
        this.#joined = new Cursor(Buffer.concat([this.#joined.bytes.subarray(0, length)], 2 * needed));
      length += body.bytes.copy(this.#joined.bytes, length, body.at, body.end);
      isLast = !this.hasSuccessor;
      if (!isLast && !this.part(false)) throw this.tape.endDamage('a logical record');
    }
    body.set(this.#joined, 0, length, byte);
    return true;
  }

  /**
   * @returns the damage that ends the file before its end; null: none
   * @throws what else `take` throws
   */
  visit(take: () => void): Damage | null {
    return orDamage(() => {
      while (this.next()) take();
      return null;
    });
  }
}

/** The text of a number that 32 bits have; null: it is none. */
export const singleText = (value: number): string | null =>
  Number.isNaN(value) ? null : Math.fround(value) === value ? floatText(value) : String(value);
const doubleText = (value: number): string | null => (Number.isNaN(value) ? null : String(value));

/** Reads the text of a cell and moves behind it; null: no value. */
export type CellReader = (cursor: Cursor) => string | null;

export interface ObjectName {
  readonly id: string;
  /** The origin, the copy, and the identifier. */
  readonly key: string;
  /** The key, perhaps with the type of the object before it, and a label of an attribute behind it. */
  readonly text: string;
}

export type Value = number | string | readonly number[] | ObjectName;

/** How values of a representation code are read. */
export interface Code {
  readonly name: string;
  /** Bytes of a value; 0: values have lengths of their own. */
  readonly size: number;
  readonly type: 'text' | 'number' | 'time';
  /** Reads a value and moves behind it; null: it has none. */
  readonly read: (cursor: Cursor) => Value | null;
  /** What reads the cells of a value: of values with bounds, and of complex numbers, each part. */
  readonly parts: readonly { readonly suffix: string; readonly read: CellReader }[];
}

/** What a frame has of a channel: one value, or an array of them. */
export interface Slot {
  readonly name: string;
  readonly unit: string | null;
  readonly code: Code;
  /** Sizes of the array, of which the first index varies fastest; empty: one value. */
  readonly dimensions: readonly number[];
}

/** The number of elements of an array. */
export const elementsOf = ({ dimensions }: Slot): number =>
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
function listReader({ dimensions, code: { parts, type } }: Slot): CellReader {
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

/** A choice of how arrays are shown. */
export type Arrays = OpenOptions['arrays'];

/** Columns for slots, and what reads their cells, in the order of the bytes. Arrays with too many elements are lists. */
export function frameColumns(slots: readonly Slot[], arrays: Arrays) {
  const wanted = slots.reduce((sum, slot) => sum + elementsOf(slot) * slot.code.parts.length, 0);
  const isListed = arrays === 'list' || wanted > maxColumns;
  const columns: SourceColumn[] = [];
  const readers = slots.map((slot) => {
    const { name, unit, code, dimensions } = slot;
    if (isListed && dimensions.length > 0) {
      columns.push({ name, unit, type: null });
      return [listReader(slot)];
    }
    return Array.from({ length: elementsOf(slot) }, (_, element) =>
      code.parts.map(({ suffix, read }) => {
        const index = dimensions.length > 0 ? indexText(dimensions, element) : '';
        columns.push({ name: `${name}${index}${suffix}`, unit, type: code.type });
        return read;
      }),
    ).flat();
  });
  const message = `Arrays are read as lists, because they would make ${wanted} columns.`;
  const isForced = isListed && arrays !== 'list';
  return { columns, readers, warnings: isForced ? fileWarning('arrays_as_lists', message) : [] };
}

/** A code with a number, or with several. @param suffixes what their columns are called behind the channel’s name */
const numbers = (
  name: string,
  size: number,
  read: (cursor: Cursor) => number,
  text: (value: number) => string | null = String,
  suffixes: readonly string[] = [''],
): Code => ({
  name,
  size: size * suffixes.length,
  type: 'number',
  read: suffixes.length === 1 ? read : (cursor) => suffixes.map(() => read(cursor)),
  parts: suffixes.map((suffix) => ({ suffix, read: (cursor) => text(read(cursor)) })),
});

const texts = (
  name: string,
  size: number,
  read: (cursor: Cursor) => string | null,
  type: Code['type'] = 'text',
): Code => ({ name, size, type, read, parts: [{ suffix: '', read: (cursor) => read(cursor) || null }] });

const names = (name: string, read: (cursor: Cursor) => ObjectName): Code => ({
  ...texts(name, 0, (cursor) => read(cursor).text),
  read,
});

// The values of DLIS (RP66 version 1, appendix B), and of LIS.

const int8 = (cursor: Cursor): number => cursor.view.getInt8(cursor.take(1));
const int16 = (cursor: Cursor): number => cursor.view.getInt16(cursor.take(2));
const int32 = (cursor: Cursor): number => cursor.view.getInt32(cursor.take(4));
const uint32 = (cursor: Cursor): number => cursor.view.getUint32(cursor.take(4));
const float = (cursor: Cursor): number => cursor.view.getFloat32(cursor.take(4));
const double = (cursor: Cursor): number => cursor.view.getFloat64(cursor.take(8));
/** B.1: 12 bits of a fraction with a sign, and 4 of an exponent. */
function lowFloat(cursor: Cursor): number {
  const bits = int16(cursor);
  return ((bits >> 4) / 2 ** 11) * 2 ** (bits & 15);
}

/** B.5: a sign, an exponent of 16 with an excess of 64, and a fraction of 24 bits. */
function ibmFloat(cursor: Cursor): number {
  const bits = uint32(cursor);
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
  const [year = 0, zoneAndMonth = 0, day = 0, ...clock] = cursor.bytes.subarray(at, at + 6);
  const milliseconds = cursor.view.getUint16(at + 6);
  const [month, zone] = [zoneAndMonth & 15, zones[zoneAndMonth >> 4]];
  const two = (part: number): string => String(part).padStart(2, '0');
  const date = `${1900 + year}-${two(month)}-${two(day)}`;
  const text = `${date}T${clock.map(two).join(':')}.${String(milliseconds).padStart(3, '0')}`;
  const parsed = new Date(`${text}Z`);
  const isTime = zone !== undefined && milliseconds < 1000 && !Number.isNaN(parsed.getTime());
  if (isTime && parsed.toISOString() === `${text}Z`) return text + zone;
  // All zeros are no time; any other text that isn't a time is seen where it is read as one.
  return month === 0 && day === 0 ? null : text;
}

const bound = ['', '.bound'];
const bounds = ['', '.minus', '.plus'];
const complex = ['.real', '.imaginary'];

/** The representation codes of DLIS by their number. */
export const dlisCodes: readonly (Code | undefined)[] = [
  undefined,
  numbers('FSHORT', 2, lowFloat, singleText),
  numbers('FSINGL', 4, float, singleText),
  numbers('FSING1', 4, float, singleText, bound),
  numbers('FSING2', 4, float, singleText, bounds),
  numbers('ISINGL', 4, ibmFloat, singleText),
  numbers('VSINGL', 4, vaxFloat, singleText),
  numbers('FDOUBL', 8, double, doubleText),
  numbers('FDOUB1', 8, double, doubleText, bound),
  numbers('FDOUB2', 8, double, doubleText, bounds),
  numbers('CSINGL', 4, float, singleText, complex),
  numbers('CDOUBL', 8, double, doubleText, complex),
  numbers('SSHORT', 1, int8),
  numbers('SNORM', 2, int16),
  numbers('SLONG', 4, int32),
  numbers('USHORT', 1, (cursor) => cursor.ushort()),
  numbers('UNORM', 2, (cursor) => cursor.view.getUint16(cursor.take(2))),
  numbers('ULONG', 4, uint32),
  numbers('UVARI', 0, (cursor) => cursor.uvari()),
  texts('IDENT', 0, (cursor) => cursor.ident()),
  texts('ASCII', 0, (cursor) => cursor.text(cursor.uvari())),
  texts('DTIME', 8, dateTime, 'time'),
  numbers('ORIGIN', 0, (cursor) => cursor.uvari()),
  names('OBNAME', (cursor) => cursor.objectName()),
  names('OBJREF', (cursor) => cursor.objectName(cursor.ident())),
  names('ATTREF', (cursor) => {
    const name = cursor.objectName(cursor.ident());
    const label = cursor.ident();
    return label === '' ? name : { ...name, text: `${name.text} ${label}` };
  }),
  numbers('STATUS', 1, (cursor) => cursor.ushort()),
  texts('UNITS', 0, (cursor) => cursor.ident()),
];

/** What the bits of a fraction are multiplied by, for each exponent with an excess of 128. */
const lisScales = Float64Array.from({ length: 256 }, (_, exponent) => 2 ** (exponent - 128 - 23));

/** A sign, an exponent, and a fraction; of negative numbers, all bits are complements. */
function lisFloat(cursor: Cursor): number {
  const bits = int32(cursor);
  const exponent = (bits >>> 23) & 0xff;
  const fraction = bits & 0x7f_ff_ff;
  return bits >= 0
    ? fraction * (lisScales[exponent] ?? 0)
    : (fraction - 2 ** 23) * (lisScales[255 - exponent] ?? 0);
}

/** An exponent with an excess of 15 in 16 bits, and a fraction in 16 bits. */
function longExponent(cursor: Cursor): number {
  const scale = 2 ** (int16(cursor) - 15);
  return int16(cursor) * scale;
}

const lisNumbers: Readonly<Record<number, Code>> = {
  49: numbers('code 49', 2, lowFloat, singleText),
  50: numbers('code 50', 4, longExponent, singleText),
  56: numbers('code 56', 1, int8),
  66: numbers('code 66', 1, (cursor) => cursor.ushort()),
  68: numbers('code 68', 4, lisFloat, singleText),
  70: numbers('code 70', 4, (cursor) => int32(cursor) / 2 ** 16),
  73: numbers('code 73', 4, int32),
  79: numbers('code 79', 2, int16),
};

/** Text of LIS, without blanks around it. */
export const lisText = (size: number): Code => texts('code 65', size, (cursor) => cursor.text(size).trim());

/** A code of LIS; null: there is no such code. @param size of text, and of a mask, whose bits are hexadecimal digits */
export function lisCode(code: number, size: number): Code | null {
  if (code === 65) return lisText(size);
  if (code !== 77) return lisNumbers[code] ?? null;
  return texts('code 77', size, (cursor) => {
    const at = cursor.take(size);
    return cursor.bytes.toString('hex', at, at + size);
  });
}

export class Counts extends Map<string, number> {
  add(name: string, by = 1): void {
    this.set(name, (this.get(name) ?? 0) + by);
  }

  get total(): number {
    return [...this.values()].reduce((total, some) => total + some, 0);
  }

  /** `3 (2 STATIC, 1 FDATA)`; empty: there are none. */
  get summary(): string {
    const parts = [...this].map(([name, some]) => `${some} ${name}`);
    return this.size > 0 ? `${this.total} (${parts.join(', ')})` : '';
  }
}

/** The entries about a logical file: its data, and the records that aren’t read. Without a value, one is omitted. */
export function structureEntries(
  number: number,
  name: string,
  parts: readonly (readonly [name: string, value: string])[],
): HeaderEntry[] {
  const title = `Logical file ${number}`;
  return [
    headerEntry('Structure', title, name),
    ...parts.flatMap(([part, value]) =>
      value === '' ? [] : [headerEntry('Structure', `${title}, ${part}`, value)],
    ),
  ];
}

/** Frames in words. @param rows how many there are @param range the first and the last index */
export function framesText(
  rows: string,
  channels: number,
  { name, unit }: Pick<SourceColumn, 'name' | 'unit'>,
  [first = null, last = null]: readonly (string | null)[],
): string {
  const range = first && last ? `, ${name} ${first} to ${last}${unit ? ` ${unit}` : ''}` : '';
  return `${rows}, ${countInWords(channels, 'channel', 'channels')}${range}`;
}

/** The entry about a channel: its code, and the sizes of its array. */
export const channelEntry = (slot: Slot, more = '', description: string | null = null): HeaderEntry => {
  const sizes = slot.dimensions.length > 0 ? `, ${slot.dimensions.join(' × ')}` : '';
  return headerEntry('Channels', slot.name, slot.code.name + sizes + more, slot.unit, description);
};

const fileWarning = (code: SourceWarning['code'], message: string, some = 0): SourceWarning[] => [
  { code, message, place: null, table: null, count: some },
];

/** The warning about damage; none if it is null. @param what is read nevertheless, or isn’t */
export const damageWarnings = (damage: Damage | null, what: string): SourceWarning[] => {
  if (!damage) return [];
  const message = `The file is damaged: ${damage.reason} (byte ${damage.byte}). ${what} Get the whole file from its source.`;
  return fileWarning('cut_short', message);
};

/** Warnings about parts of a file that aren’t read: encrypted records, and others. */
export function partWarnings(
  files: readonly { readonly encrypted: Counts }[],
  problems: readonly string[],
): SourceWarning[] {
  const encrypted = new Counts();
  for (const file of files) for (const [name, some] of file.encrypted) encrypted.add(name, some);
  const skipped = `The file has encrypted records, which are skipped: ${encrypted.summary}.`;
  const unread = `Parts of the file can’t be read: ${problems.join('; ')}.`;
  return [
    ...(encrypted.size > 0 ? fileWarning('records_encrypted', skipped, encrypted.total) : []),
    ...(problems.length > 0 ? fileWarning('records_damaged', unread, problems.length) : []),
  ];
}

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
export function openTape(
  source: Source,
  { arrays }: OpenOptions,
  read: (tape: Tape, arrays: Arrays) => TapeContent,
): SourceFile {
  const content = orDamage(() => read(new Tape(source), arrays));
  // Damage before anything can be read is that of the file.
  const { tables, warnings, damage } =
    content instanceof Damage ? { tables: [], warnings: [], damage: content } : content;
  if (tables.length === 0) {
    const [problem] = warnings;
    const reason = damage
      ? `it is damaged: ${damage.reason}, before any frames of data`
      : `it has no frames of data that can be read${problem ? `: ${problem.message}` : ''}`;
    throw unsuitable(source.fileName, reason, damage ? { byte: damage.byte } : undefined);
  }
  return {
    placeKind: 'frame',
    tables: tables.map((table) => ({ ...table, header: limitedHeader(table.header) })),
    header: [],
    warnings: [
      ...damageWarnings(damage, 'The data before it is read.'),
      ...warnings,
      ...tables.flatMap((table, at) => table.warnings.map((warning) => ({ ...warning, table: at }))),
    ],
    async *readRows(index) {
      const table = tables[index];
      if (!table) return;
      const size = Math.max(1, Math.floor(batchCells / Math.max(1, table.columns.length)));
      yield* batched(table.readRows(new Tape(source)), size);
    },
  };
}

const maxHeaderEntries = 5000;
const maxValueLength = 1000;

/** A header with at most {@link maxHeaderEntries} entries, and long values cut. */
function limitedHeader(entries: readonly HeaderEntry[]): HeaderEntry[] {
  const shown = entries.slice(0, maxHeaderEntries).map((entry) => ({
    ...entry,
    value: entry.value.length > maxValueLength ? `${entry.value.slice(0, maxValueLength)} …` : entry.value,
  }));
  const omitted = entries.length - shown.length;
  const rest = headerEntry('File', 'Omitted entries', String(omitted));
  return omitted > 0 ? [...shown, rest] : shown;
}
