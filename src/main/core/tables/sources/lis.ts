import { factorOf, unitPair } from '../../../../shared/channels/units.ts';
import { append, countInWords } from '../../../../shared/lists.ts';
import { headerEntry, indexOfFirst, type HeaderEntry, type SourceAdapter, type SourceRow } from './source.ts';
import {
  type Arrays,
  type CellReader,
  channelEntry,
  type Code,
  Counts,
  type Cursor,
  Damage,
  damageWarnings,
  frameColumns,
  framesText,
  type FrameTable,
  lisCode,
  lisText,
  openTape,
  orDamage,
  partWarnings,
  Records,
  singleText,
  type Slot,
  startsAsLis,
  structureEntries,
  type Tape,
  type TapeContent,
} from './tape.ts';

// LIS: the Log Information Standard of 1979. Sections are those of its description. A file has physical records, which make
// logical records: headers, tables of information, formats of data (3.3.2), and the data.

const trailers = new Set([129, 131, 133, 137, 138, 139, 141]);

/** The logical records of a file in order, joined from physical records (chapter 2). */
class LisRecords extends Records {
  /** The type of the current one. */
  type = 0;

  override next(): boolean {
    if (!super.next()) return false;
    this.type = this.body.bytes[this.body.take(2)] ?? 0;
    return true;
  }

  /** Makes the body that of the next physical record. @returns false at the end of the file */
  protected override part(isFirst: boolean): boolean {
    const { tape } = this;
    tape.skipPadding();
    // Behind the end of a file, zeros fill up what is left.
    const isZero = (): boolean =>
      tape.bytes[tape.at] === 0 && (!tape.has(2) || tape.bytes[tape.at + 1] === 0);
    if (trailers.has(this.type)) while (tape.has(1) && isZero()) tape.at++;
    if (!tape.hasNext(4, 'the header of a physical record')) return false;
    const byte = tape.byteOfNext;
    const length = tape.view.getUint16(tape.at);
    const attributes = tape.view.getUint16(tape.at + 2);
    const trailer = [0x3000, 0x0400, 0x0200].reduce((sum, bit) => sum + (attributes & bit ? 2 : 0), 0);
    if (length < 4 + trailer + (isFirst ? 2 : 0) || length > tape.blockLeft)
      throw new Damage(`a physical record has ${length} bytes`, byte);
    const problem = isFirst ? 'has no first physical record' : 'isn’t complete';
    if (isFirst === ((attributes & 2) !== 0)) throw new Damage(`a logical record ${problem}`, byte);
    if (!tape.has(length)) throw tape.endDamage('a physical record');
    this.hasSuccessor = (attributes & 1) !== 0;
    this.body.set(tape, tape.at + 4, tape.at + length - trailer, byte);
    tape.at += length;
    return true;
  }
}

/** A value of a size in a record, behind which the record is then; null: none. */
function valueIn(body: Cursor, number: number, size: number): number | string | null {
  const end = body.take(size) + size;
  body.at = end - size;
  const code = lisCode(number, size);
  const value = size === 0 ? null : (code && code.size <= size ? code : lisText(size)).read(body);
  body.at = end;
  return typeof value === 'object' ? null : value;
}

interface Channel extends Slot {
  /** Bytes in a frame, those of all samples. */
  readonly size: number;
  readonly samples: number;
  /** Whether its values are left out. */
  readonly isSuppressed: boolean;
}

/** A block that describes a channel (3.3.2.2). @throws Damage for one that has no size or code of the description */
function channelOf(body: Cursor): Channel {
  const { byte } = body;
  const name = body.text(4).trim();
  body.take(14);
  const unit = body.text(4).trim() || null;
  const start = body.take(18);
  const reserved = body.view.getInt16(start + 6);
  const [samples = 0, number = 0] = body.bytes.subarray(start + 11, start + 13);
  const size = Math.abs(reserved);
  const code = lisCode(number, size / samples);
  if (!code) throw new Damage(`the channel ${name} has the unknown code ${number}`, byte);
  if (samples === 0) throw new Damage(`the channel ${name} has no samples`, byte);
  const elements = code.size === 0 ? 1 : size / samples / code.size;
  if (!Number.isInteger(elements) || size % samples > 0)
    throw new Damage(`the channel ${name} has ${size} bytes for ${samples} samples of ${code.size}`, byte);
  const dimensions = elements === 1 ? [] : [elements];
  return { name, unit, code, dimensions, size, samples, isSuppressed: reserved < 0 };
}

/** The unit of depths, unless another one is declared. */
const tenths = '.1IN';
const lowFloat = lisCode(49, 2);
const indexFloats = new Set([lowFloat, lisCode(50, 4), lisCode(68, 4)]);

/** From the index of a frame to that of the next one, in its unit; null: not declared. */
function stepOf(
  direction: number,
  spacing: number | undefined,
  from: string,
  unit: string | null,
): number | null {
  const pair = unit === null ? undefined : unitPair(from, unit);
  const factor = from === unit ? 1 : pair && factorOf(pair.from, pair.to);
  if (spacing === undefined || factor === undefined || (direction !== 1 && direction !== 255)) return null;
  return Math.abs(spacing) * factor * (direction === 1 ? -1 : 1);
}

/** A format of data, and what the records of data behind it have (3.3.2). */
class LogPass {
  readonly number: number;
  readonly dataType: number;
  /** The number that stands for no value. */
  readonly absent: number;
  readonly channels: readonly Channel[];
  /** Where its record is, by which it is recognized in a second pass. */
  readonly byte: number;
  readonly index: { readonly name: string; readonly unit: string | null; readonly code: Code };
  /** Whether the index is a depth at the start of each record; otherwise, it is the first channel. */
  readonly hasDepth: boolean;
  readonly step: number | null;
  readonly #frameSize: number;
  readonly #isFloat: boolean;
  frames = 0;
  firstIndex: number | null = null;
  lastIndex: number | null = null;
  /** What ends its frames before the end of the file; null: nothing. */
  damage: Damage | null = null;

  /** @throws Damage for a format that can’t be read */
  constructor(body: Cursor, number: number) {
    this.number = number;
    this.byte = body.byte;
    const { numbers, texts } = entriesOf(body);
    this.dataType = numbers.get(1) ?? 0;
    this.absent = numbers.get(12) ?? -999.25;
    const channels: Channel[] = [];
    while (body.left > 0) channels.push(channelOf(body));
    this.channels = channels.filter(({ size }) => size > 0);
    this.#frameSize = this.channels.reduce((sum, { size }) => sum + size, 0);
    const [first] = this.channels;
    if (!first) throw new Damage('the format of the data has no channels', this.byte);
    this.hasDepth = numbers.get(13) === 1;
    const code = lisCode(numbers.get(15) ?? 0, 0);
    if (this.hasDepth && code?.type !== 'number')
      throw new Damage('the format of the data has no code of its depths', this.byte);
    if (!this.hasDepth && first.samples > 1) throw new Damage('the index has several samples', this.byte);
    this.index = this.hasDepth && code ? { name: 'DEPT', unit: texts.get(14) ?? tenths, code } : first;
    this.step = stepOf(numbers.get(4) ?? 1, numbers.get(8), texts.get(9) ?? tenths, this.index.unit);
    this.#isFloat = indexFloats.has(this.index.code);
  }

  /** The numbers of samples in a frame that channels other than the index have. */
  get rates(): number[] {
    const rates = new Set(this.channelsOf(1).length > 0 ? [1] : []);
    for (const { samples, isSuppressed } of this.channels)
      if (samples > 1 && !isSuppressed) rates.add(samples);
    return rates.size > 0 ? [...rates].toSorted((a, b) => a - b) : [1];
  }

  /** The channels with a number of samples, without the index, with their place in a frame. */
  channelsOf(rate: number): (Channel & { readonly offset: number })[] {
    let end = 0;
    const placed = this.channels.map((channel) => ({
      ...channel,
      offset: (end += channel.size) - channel.size,
    }));
    return placed.filter(
      ({ samples, isSuppressed }, at) => samples === rate && !isSuppressed && (at > 0 || this.hasDepth),
    );
  }

  /** The complete frames of a record: their number, where the first is, its depth, and what is wrong behind them. */
  framesOf(body: Cursor) {
    const { byte } = body;
    const start = this.hasDepth ? this.index.code.read(body) : null;
    const some = Math.floor(body.left / this.#frameSize);
    const rest = body.left - some * this.#frameSize;
    const isUndeclared = this.hasDepth && this.step === null && some > 1;
    const problem = (): string =>
      isUndeclared
        ? 'the depth of a frame isn’t declared'
        : `a frame has ${rest} bytes instead of ${this.#frameSize}`;
    return {
      count: isUndeclared ? 1 : some,
      at: body.at,
      depth: typeof start === 'number' ? start : null,
      damage: isUndeclared || rest > 0 ? new Damage(problem(), byte) : null,
    };
  }

  placeOf({ at }: RecordFrames, frame: number): number {
    return at + frame * this.#frameSize;
  }

  /** The index of a frame of a record; null: it is no number. */
  indexOf(body: Cursor, frames: RecordFrames, frame: number): number | null {
    if (this.hasDepth) return frames.depth === null ? null : frames.depth + frame * (this.step ?? 0);
    body.at = this.placeOf(frames, frame);
    const value = this.index.code.read(body);
    return typeof value === 'number' ? value : null;
  }

  /** Counts the frames of a record, up to the first damage. */
  take(body: Cursor): void {
    this.damage ??= orDamage(() => this.#count(body));
  }

  #count(body: Cursor): Damage | null {
    const frames = this.framesOf(body);
    if (frames.count > 0) {
      if (this.frames === 0) this.firstIndex = this.indexOf(body, frames, 0);
      this.lastIndex = this.indexOf(body, frames, frames.count - 1);
    }
    this.frames += frames.count;
    return frames.damage;
  }

  /** The text of an index, which isn’t one of the file between frames. */
  indexText(index: number | null, isBetween: boolean): string | null {
    if (index === null) return null;
    return this.#isFloat ? singleText(isBetween ? Math.fround(index) : index) : String(index);
  }
}

type RecordFrames = ReturnType<LogPass['framesOf']>;

/** The entries of a format up to the last one, and moves behind them. @throws Damage for unknown ones */
function entriesOf(body: Cursor) {
  const [numbers, texts] = [new Map<number, number>(), new Map<number, string>()];
  for (let type = -1; type !== 0;) {
    const at = body.take(3);
    const [kind = 0, size = 0, code = 0] = body.bytes.subarray(at, at + 3);
    type = kind;
    if (type > 16 || (size > 0 && !lisCode(code, size)))
      throw new Damage(`the format of the data has an unknown entry ${type} of code ${code}`, body.byte);
    const value = valueIn(body, code, size);
    // A later entry of a type takes the place of an earlier one, also one of another kind.
    if (value === null) continue;
    numbers.delete(type);
    texts.delete(type);
    if (typeof value === 'number') numbers.set(type, value);
    else if (value !== '') texts.set(type, value);
  }
  return { numbers, texts };
}

type Fields = Readonly<Record<string, readonly [at: number, length: number]>>;
const reelFields: Fields = {
  SERVICE: [0, 6],
  DATE: [12, 8],
  ORIGIN: [22, 4],
  NAME: [28, 8],
  COMMENTS: [52, 74],
};
const fileFields: Fields = { FILE: [0, 10], 'SUB-LEVEL': [12, 6], VERSION: [18, 8], DATE: [26, 8] };

const fieldsOf = (body: Cursor, group: string, fields: Fields): HeaderEntry[] => {
  const text = body.text(body.left);
  return Object.entries(fields).flatMap(([name, [at, length]]) => {
    const value = text.slice(at, at + length).trim();
    return value === '' ? [] : [headerEntry(group, name, value)];
  });
};

/** The rows of a table of information (3.2): each begins with its name, and has a value. */
function informationOf(body: Cursor): HeaderEntry[] {
  const rows: Map<string, { readonly value: string; readonly unit: string }>[] = [];
  let group = 'Information';
  while (body.left >= 12) {
    const at = body.take(4);
    const [kind, code = 0, size = 0] = body.bytes.subarray(at, at + 3);
    const [name, unit] = [body.text(4).trim(), body.text(4).trim()];
    const value = String(valueIn(body, code, size) ?? '');
    if (kind === 73) group = `Information ${value}`;
    else if (kind === 0 || rows.length === 0) rows.push(new Map([[name, { value, unit }]]));
    else rows.at(-1)?.set(name, { value, unit });
  }
  return rows.map((row) => {
    const named = row.get('MNEM');
    const value = row.get('VALU');
    const [first] = row;
    if (named && value)
      return headerEntry(group, named.value, value.value, value.unit || row.get('TUNI')?.value || null);
    const rest = [...row].slice(1).map(([label, cell]) => `${label}: ${cell.value}`);
    const [name = '', { value: text, unit } = { value: '', unit: '' }] = first ?? [];
    return row.size === 1
      ? headerEntry(group, name, text, unit || null)
      : headerEntry(group, text, rest.join('; '));
  });
}

const informationTypes = new Set([32, 34, 39, 47]);
const textTypes = new Set([224, 225, 227, 232, 234]);

/** A logical file: its headers, tables of information, and data. */
class LogicalFile {
  readonly number: number;
  readonly entries: HeaderEntry[];
  readonly passes: LogPass[] = [];
  readonly encrypted = new Counts();
  readonly problems: string[] = [];
  undescribed = 0;
  /** The pass of the next records of data, by their type. */
  #active = new Map<number, LogPass>();

  constructor(number: number, reel: readonly HeaderEntry[]) {
    this.number = number;
    this.entries = [...reel];
  }

  valueOf(name: string): string | undefined {
    return this.entries.find((entry) => entry.name === name && entry.value !== '')?.value;
  }

  take({ type, body }: LisRecords): void {
    const { entries, problems } = this;
    if (type === 128) append(entries, fieldsOf(body, 'File', fileFields));
    else if (type === 42) this.encrypted.add('table dump');
    else if (type === 64) this.#takeFormat(body);
    else if (type <= 1) {
      const pass = this.#active.get(type);
      if (pass) pass.take(body);
      else this.undescribed++;
    } else if (textTypes.has(type)) entries.push(headerEntry('Comments', '', body.text(body.left).trim()));
    else if (informationTypes.has(type)) {
      const rows = orDamage(() => informationOf(body));
      if (!(rows instanceof Damage)) append(entries, rows);
      else problems.push(`a table of information isn’t complete (byte ${rows.byte})`);
    }
  }

  #takeFormat(body: Cursor): void {
    const pass = orDamage(() => new LogPass(body, this.passes.length + 1));
    if (pass instanceof Damage) {
      this.problems.push(`the data of a format are skipped: ${pass.reason} (byte ${pass.byte})`);
      this.#active.clear();
    } else {
      this.passes.push(pass);
      this.#active.set(pass.dataType, pass);
    }
  }
}

/** What a file has, read in one pass over its records. */
function outlineOf(tape: Tape) {
  const records = new LisRecords(tape);
  const files: LogicalFile[] = [];
  let reel: HeaderEntry[] = [];
  const damage = records.visit(() => {
    const { type, body } = records;
    if (type === 132) reel = fieldsOf(body, 'Reel', reelFields);
    else if (type === 130) append(reel, fieldsOf(body, 'Tape', reelFields));
    if (type >= 129 && type <= 133) return;
    if (type === 128 || files.length === 0) files.push(new LogicalFile(files.length + 1, reel));
    files.at(-1)?.take(records);
  });
  return { files, damage };
}

/** What reads a cell: where it is in a frame, and how far from it that of the next sample is. */
interface Place {
  readonly at: number;
  readonly step: number;
  readonly read: CellReader;
}

/** Reads the rows of a table in a second pass: those of channels with a number of samples in each frame. */
function* rowsOf(tape: Tape, pass: LogPass, rate: number, places: readonly Place[]): Generator<SourceRow> {
  const records = new LisRecords(tape);
  let isActive = false;
  let [frames, place] = [0, 0];
  let last: number | null = null;
  while (frames < pass.frames && records.next()) {
    const { type, body } = records;
    if (type === 64)
      isActive = body.byte === pass.byte || (isActive && new LogPass(body, 0).dataType !== pass.dataType);
    if (!isActive || type !== pass.dataType) continue;
    const recordFrames = pass.framesOf(body);
    for (let frame = 0; frame < recordFrames.count && frames < pass.frames; frame++, frames++) {
      const at = pass.placeOf(recordFrames, frame);
      const index = pass.indexOf(body, recordFrames, frame);
      const before = last ?? (pass.step === null || index === null ? null : index - pass.step);
      last = index;
      for (let sample = 1; sample <= rate; sample++) {
        const isBetween = sample < rate;
        const between =
          before === null || index === null ? null : before + ((index - before) * sample) / rate;
        const text = pass.indexText(isBetween ? between : index, isBetween);
        const cells = places.map((cell) => {
          body.at = at + cell.at + cell.step * (sample - 1);
          return cell.read(body);
        });
        yield { cells: [text, ...cells], place: ++place };
      }
    }
  }
}

/** Numbers that an absent value is in 12 bits of a fraction. */
function lowAbsent(absent: number): string[] {
  const unit = 2 ** (Math.ceil(Math.log2(Math.abs(absent))) - 11);
  return [Math.floor(absent / unit), Math.ceil(absent / unit)].map((steps) => String(steps * unit));
}

function tableOf(
  files: readonly LogicalFile[],
  file: LogicalFile,
  pass: LogPass,
  rate: number,
  arrays: Arrays,
): FrameTable {
  const channels = pass.channelsOf(rate);
  const content = frameColumns(channels, arrays);
  const places = channels.flatMap(({ offset, code, size, samples }, column) =>
    (content.readers[column] ?? []).map((read, element) => ({
      at: offset + element * code.size,
      step: size / samples,
      read,
    })),
  );
  const { name: indexName, unit, code: indexCode } = pass.index;
  const absent = String(pass.absent);
  const lowColumns = new Set(channels.filter(({ code }) => code === lowFloat).map(({ name }) => name));
  const columns = [
    { name: indexName, unit, type: indexCode.type, nulls: [] },
    ...content.columns.map((column) =>
      lowColumns.has(column.name) ? { ...column, nulls: [absent, ...lowAbsent(pass.absent)] } : column,
    ),
  ];
  const run = file.valueOf('RUN') ?? file.valueOf('RUNN');
  const names = [file.valueOf('WN'), run && `run ${run}`, file.valueOf('FILE') ?? `file ${file.number}`];
  const suffix = [
    ...(file.passes.length > 1 ? [`pass ${pass.number}`] : []),
    ...(rate > 1 ? [`${rate} samples`] : []),
  ];
  return {
    name: [...names, ...suffix].filter((part) => part).join(', '),
    columns,
    nulls: ['', absent],
    rows: pass.frames * rate,
    index: indexOfFirst(columns, true) ?? { name: indexName, unit, kind: 'other' },
    header: [
      ...files.flatMap(structureOf),
      ...file.entries,
      ...pass.channels.map((channel) =>
        channelEntry(channel, channel.samples > 1 ? `, ${channel.samples} samples` : ''),
      ),
    ],
    warnings: [
      ...damageWarnings(pass.damage, `The ${pass.frames} frames before it are read.`),
      ...content.warnings,
    ],
    readRows: (tape) => rowsOf(tape, pass, rate, places),
  };
}

/** The data of a logical file, and the records that aren’t read. */
const structureOf = (file: LogicalFile): HeaderEntry[] =>
  structureEntries(file.number, file.valueOf('FILE') ?? '', [
    ...file.passes.map((pass) => {
      const range = [pass.firstIndex, pass.lastIndex].map((index) => pass.indexText(index, false));
      const frames = countInWords(pass.frames, 'frame', 'frames');
      return [`data ${pass.number}`, framesText(frames, pass.channels.length, pass.index, range)] as const;
    }),
    ['encrypted records', file.encrypted.summary],
    ['records without a format', file.undescribed > 0 ? String(file.undescribed) : ''],
  ]);

function readContent(tape: Tape, arrays: Arrays): TapeContent {
  const { files, damage } = outlineOf(tape);
  const tables = files.flatMap((file) =>
    file.passes.flatMap((pass) => pass.rates.map((rate) => tableOf(files, file, pass, rate, arrays))),
  );
  const problems = files.flatMap(({ problems: some, undescribed }) => [
    ...some,
    ...(undescribed > 0 ? [`${undescribed} records of data, whose format isn’t described, are skipped`] : []),
  ]);
  return { tables, warnings: partWarnings(files, problems), damage };
}

/** LIS (Log Information Standard of 1979), also in an image of a tape. */
export const lis: SourceAdapter = {
  format: 'lis',
  recognize: startsAsLis,
  open: (source, options) => openTape(source, options, readContent),
};
