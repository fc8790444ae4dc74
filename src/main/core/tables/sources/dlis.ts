import { isDeepStrictEqual } from 'node:util';
import { countInWords } from '../../../../shared/lists.ts';
import {
  headerEntry,
  indexKind,
  Tally,
  type HeaderEntry,
  type SourceAdapter,
  type SourceIndex,
  type SourceRow,
  type SourceWarning,
} from './source.ts';
import {
  type Arrays,
  type CellReader,
  channelEntry,
  Counts,
  Cursor,
  Damage,
  damageWarnings,
  dlisCodes,
  elementsOf,
  frameColumns,
  framesText,
  type FrameTable,
  labelPattern,
  maxGarbage,
  type ObjectName,
  openTape,
  orDamage,
  partWarnings,
  Records,
  type Slot,
  startsAsDlis,
  structureEntries,
  type Tape,
  type TapeContent,
  type Value,
} from './tape.ts';

// DLIS: API Recommended Practice 66, version 1. Sections are those of the standard. A file has a label and visible
// records of segments, which make logical records: tables of objects (EFLR, chapter 3.2), which describe the logical file
// and its channels, and frames of data (IFLR, 3.3).

/** An attribute of an object (3.2.2.1). Without values, it is absent. */
interface Attribute {
  readonly label: string;
  readonly count: number;
  readonly code: number;
  readonly units: string | null;
  readonly values: readonly Value[];
}

const isName = (value: Value | undefined): value is ObjectName => typeof value === 'object' && 'key' in value;
const valueText = (value: Value): string =>
  isName(value) ? value.text : Array.isArray(value) ? value.join(' ± ') : String(value);

interface DlisObject extends ObjectName {
  readonly attributes: ReadonlyMap<string, Attribute>;
}

/** What components are (3.2.2.1). A redundant set is a copy of an earlier one. */
const roles = { absent: 0, attribute: 1, invariant: 2, object: 3, redundant: 5, replacement: 6, set: 7 };
const maxAttributeValues = 100_000;

/** Characteristics that a component has take the place of those of the template. */
function attributeOf(cursor: Cursor, descriptor: number, local: Attribute): Attribute {
  const label = descriptor & 0x10 ? cursor.ident() : local.label;
  const count = descriptor & 0x08 ? cursor.uvari() : local.count;
  const code = descriptor & 0x04 ? cursor.ushort() : local.code;
  const units = descriptor & 0x02 ? cursor.ident() : local.units;
  const isSame = count === local.count && code === local.code;
  if (!(descriptor & 0x01)) return { label, count, code, units, values: isSame ? local.values : [] };
  if (count > maxAttributeValues)
    throw new Damage(`the attribute ${label} claims ${count} values`, cursor.byte);
  const values = Array.from({ length: count }, () => {
    const representation = dlisCodes[code];
    if (!representation) throw new Damage(`there is no representation code ${code}`, cursor.byte);
    return representation.read(cursor) ?? '';
  });
  return { label, count, code, units, values };
}

/** That of the standard, whose code is IDENT. */
const globalAttribute: Attribute = { label: '', count: 1, code: 19, units: null, values: [] };

/** Reads the table of objects of a record (3.2), as far as it can. */
function readSet(cursor: Cursor) {
  let [role, type, name] = [0, '', ''];
  const template: (Attribute & { readonly isInvariant: boolean })[] = [];
  const objects: DlisObject[] = [];
  let attributes: Map<string, Attribute> | null = null;
  let column = 0;
  const { byte } = cursor;
  const readAll = (): null => {
    const descriptor = cursor.ushort();
    role = descriptor >> 5;
    if (role < roles.redundant) throw new Damage('there is no set of objects', byte);
    if (descriptor & 0x10) type = cursor.ident();
    if (descriptor & 0x08) name = cursor.ident();
    while (cursor.left > 0) {
      const component = cursor.ushort();
      const kind = component >> 5;
      if (kind === roles.object) {
        attributes = new Map(template.map((attribute) => [attribute.label, attribute]));
        objects.push({ ...cursor.objectName(), attributes });
        column = 0;
      } else if (kind > roles.object)
        throw new Damage(`the set ${type} has a component that isn’t one`, byte);
      else if (!attributes)
        template.push({
          ...attributeOf(cursor, component, globalAttribute),
          isInvariant: kind === roles.invariant,
        });
      else {
        while (template[column]?.isInvariant === true) column++;
        const local = template[column++];
        if (!local) throw new Damage(`an object of the set ${type} has too many attributes`, byte);
        if (kind === roles.absent) attributes.set(local.label, { ...local, count: 0, values: [] });
        else attributes.set(local.label, attributeOf(cursor, component & ~0x10, local));
      }
    }
    return null;
  };
  const damage = orDamage(readAll);
  // The last object isn’t complete then.
  if (damage) objects.pop();
  return { role, type, name, objects, damage };
}

/** The names of records by their type (appendix A), which encrypted ones show too. */
const explicitTypes = 'FHLR OLR AXIS CHANNL FRAME STATIC SCRIPT UPDATE UDI LNAME SPEC DICT'.split(' ');
const implicitTypes: Readonly<Record<number, string>> = { 0: 'FDATA', 1: 'NOFORMAT', 127: 'EOD' };
const typeName = ({ isExplicit, type }: LogicalRecords): string =>
  (isExplicit ? explicitTypes[type] : implicitTypes[type]) ?? `${isExplicit ? 'EFLR' : 'IFLR'} type ${type}`;

const labelBytes = 80;

const isLabel = ({ bytes, at }: Tape): boolean => labelPattern.test(bytes.toString('latin1', at, at + 15));
const isVisibleHeader = (bytes: Buffer, at: number): boolean => bytes[at + 2] === 0xff && bytes[at + 3] === 1;

/** The logical records of a file in order, joined from their segments (2.2.2). The fields are those of the current one. */
class LogicalRecords extends Records {
  isExplicit = false;
  type = 0;
  isEncrypted = false;
  /** Segments whose checksum or trailing length differs from their content. */
  readonly mismatches = new Tally();
  /** The identifier of the storage set (2.3.2). */
  readonly storageSet: string;
  #visibleLeft = 0;

  /** @throws Damage for a label that isn't complete */
  constructor(tape: Tape) {
    super(tape);
    tape.has(maxGarbage + labelBytes);
    const start = tape.bytes.toString('latin1', 0, Math.min(tape.end, maxGarbage + labelBytes));
    const at = labelPattern.exec(start)?.index ?? -1;
    const label = at < 0 ? '' : start.slice(at, at + labelBytes);
    this.storageSet = label.slice(20).trim();
    if (at < 0) return;
    if (label.length < labelBytes) throw new Damage('the storage unit label isn’t complete', 0);
    tape.at = at + labelBytes;
    tape.has(maxGarbage + 4);
    for (let skip = 0; skip <= maxGarbage; skip++)
      if (isVisibleHeader(tape.bytes, tape.at + skip)) {
        tape.at += skip;
        return;
      }
  }

  /** Moves to the next visible record (2.3.6). @returns false at the end of the file */
  #visible(): boolean {
    const tape = this.tape;
    while (this.#visibleLeft === 0) {
      if (!tape.hasNext(4, 'the header of a visible record')) return false;
      // Blocks of a tape can be filled up, and another storage unit can follow, with its label.
      tape.skipPadding();
      if (tape.bytes[tape.at + 4] === 0x56 && tape.has(labelBytes) && isLabel(tape)) tape.at += labelBytes;
      if (!tape.has(4)) continue;
      const { at } = tape;
      if (!isVisibleHeader(tape.bytes, at)) throw new Damage('there is no visible record', tape.byteOfNext);
      const length = tape.view.getUint16(at);
      if (length < 4) throw new Damage(`a visible record has ${length} bytes`, tape.byteOfNext);
      tape.at += 4;
      this.#visibleLeft = length - 4;
    }
    return true;
  }

  /** Makes the body that of the next segment. @returns false at the end of the file */
  protected override part(isFirst: boolean): boolean {
    if (!this.#visible()) return false;
    const tape = this.tape;
    if (!tape.has(4)) throw tape.endDamage('the header of a segment');
    const byte = tape.byteOfNext;
    const length = tape.view.getUint16(tape.at);
    const left = this.#visibleLeft;
    if (length < 4 || length > left)
      throw new Damage(`a segment has ${length} bytes, and its visible record ${left} after its start`, byte);
    if (!tape.has(length)) throw tape.endDamage('a segment');
    const start = tape.at;
    const attributes = tape.bytes[start + 2] ?? 0;
    const type = tape.bytes[start + 3] ?? 0;
    const isExplicit = (attributes & 0x80) !== 0;
    const missing = isFirst ? 'no first segment' : 'no last segment';
    if (isFirst === ((attributes & 0x40) !== 0)) throw new Damage(`a logical record has ${missing}`, byte);
    if (!isFirst && (type !== this.type || isExplicit !== this.isExplicit))
      throw new Damage('the segments of a logical record have different types', byte);
    this.isExplicit = isExplicit;
    this.type = type;
    this.isEncrypted = (attributes & 0x10) !== 0;
    this.hasSuccessor = (attributes & 0x20) !== 0;
    this.body.set(tape, start + 4, this.#bodyEnd(start, length, attributes, byte), byte);
    tape.at = start + length;
    this.#visibleLeft -= length;
    return true;
  }

  /** The end of a segment's body, before padding, checksum, and trailing length (2.2.2.4). */
  #bodyEnd(start: number, length: number, attributes: number, byte: number): number {
    const { bytes, view } = this.tape;
    let end = start + length;
    if (attributes & 0x02) {
      end -= 2;
      if (end < start + 4 || view.getUint16(end) !== length) this.mismatches.add(byte);
    }
    if (attributes & 0x04) {
      end -= 2;
      if (end < start + 4 || view.getUint16(end) !== checksumOf(bytes, start, end)) this.mismatches.add(byte);
    }
    // Padding is encrypted with the body.
    if (attributes & 0x01 && !this.isEncrypted) end -= bytes[end - 1] ?? 0;
    if (end < start + 4) throw new Damage('the trailer of a segment is longer than the segment', byte);
    return end;
  }
}

/** Appendix E. */
function checksumOf(bytes: Buffer, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at + 1 < end; at += 2) {
    sum += (bytes[at + 1] ?? 0) * 256 + (bytes[at] ?? 0);
    if (sum > 0xffff) sum = (sum & 0xffff) + 1;
    sum *= 2;
    if (sum > 0xffff) sum = (sum & 0xffff) + 1;
  }
  return sum;
}

const maxFrameBytes = 4 << 20;

/** Frames of one type in a logical file (5.7), and what was read of them. */
class Frame {
  readonly object: DlisObject;
  readonly slots: readonly Slot[];
  /** Bytes of a frame behind its number; null: they differ. */
  readonly size: number | null;
  /** Why the frames can't be read; null: they can. */
  readonly problem: string | null;
  readonly hasIndex: boolean;
  rows = 0;
  /** Frames whose number doesn't follow the number before. */
  readonly gaps = new Tally();
  /** What ends the rows before the end of the file; null: nothing. */
  damage: Damage | null = null;
  firstNumber = 0;
  lastNumber = 0;
  readonly #index: Cursor | null;
  firstIndex: string | null = null;

  constructor(object: DlisObject, channels: readonly (DlisObject | string)[]) {
    this.object = object;
    const slots = channels.map((channel) => (typeof channel === 'string' ? channel : slotOf(channel)));
    this.problem = slots.find((slot) => typeof slot === 'string') ?? null;
    this.slots = slots.filter((slot) => typeof slot !== 'string');
    const sizes = this.slots.map((slot) => slot.code.size * elementsOf(slot));
    const smallest = this.slots.reduce((sum, slot, at) => sum + (sizes[at] || elementsOf(slot)), 0);
    this.size = this.slots.every(({ code }) => code.size > 0) ? smallest : null;
    if (smallest > maxFrameBytes) this.problem ??= `its frames have ${smallest} bytes`;
    else if (channels.length === 0) this.problem ??= 'it has no channels';
    this.hasIndex = textOfAttribute(object, 'INDEX-TYPE') !== null;
    const [indexSize = 0] = sizes;
    this.#index =
      this.hasIndex && indexSize > 0 && indexSize <= 8 ? new Cursor(Buffer.alloc(indexSize)) : null;
  }

  /** Counts the frames of a record, up to the first damage. */
  take(body: Cursor): void {
    if (this.problem === null && !this.damage) this.damage = orDamage(() => this.#count(body));
  }

  #count(body: Cursor): null {
    while (body.left > 0) {
      const number = this.numberOf(body);
      const { at } = body;
      if (this.size === null)
        for (const slot of this.slots)
          for (let element = elementsOf(slot); element > 0; element--) slot.code.read(body);
      else body.at += this.size;
      if (this.rows === 0) this.firstNumber = number;
      else if (number !== this.lastNumber + 1) this.gaps.add(this.rows + 1);
      this.lastNumber = number;
      this.rows++;
      const index = this.#index;
      if (!index) continue;
      body.bytes.copy(index.bytes, 0, at, at + index.bytes.length);
      if (this.rows === 1) this.firstIndex = this.lastIndex;
    }
    return null;
  }

  /** Reads the number of a frame, and checks that the frame is complete. @throws Damage */
  numberOf(body: Cursor): number {
    const number = body.uvari();
    const { left, byte } = body;
    if (this.size !== null && left < this.size)
      throw new Damage(`a frame of ${this.object.id} has ${left} bytes instead of ${this.size}`, byte);
    return number;
  }

  /** The index of the last frame; null: it has none, or none of a fixed length. */
  get lastIndex(): string | null {
    const index = this.#index;
    if (!index || this.rows === 0) return null;
    index.set(index, 0, index.bytes.length, 0);
    return this.slots[0]?.code.parts[0]?.read(index) ?? null;
  }
}

const attributeValues = (object: DlisObject, label: string): readonly Value[] =>
  object.attributes.get(label)?.values ?? [];

/** An attribute with one value as text; null: it is absent or empty. */
function textOfAttribute(object: DlisObject, label: string): string | null {
  const text = attributeValues(object, label).map(valueText).join(', ').trim();
  return text === '' ? null : text;
}

/** The slot of a channel (5.5), or why it has none. */
function slotOf(channel: DlisObject): Slot | string {
  const [number] = attributeValues(channel, 'REPRESENTATION-CODE');
  const code = typeof number === 'number' ? dlisCodes[number] : undefined;
  if (!code) return `its channel ${channel.id} has no representation code of the standard`;
  const sizes = attributeValues(channel, 'DIMENSION').filter((size) => typeof size === 'number');
  if (sizes.length === 0) return `its channel ${channel.id} has no dimension`;
  const dimensions = sizes.length === 1 && sizes[0] === 1 ? [] : sizes;
  return { name: channel.id, unit: textOfAttribute(channel, 'UNITS'), code, dimensions };
}

/** The objects of which more than their header entry is needed. */
const keptTypes = new Set(['FILE-HEADER', 'ORIGIN', 'CHANNEL', 'FRAME', 'LONG-NAME']);
const maxEntries = 20_000;

/** A logical file (2.2.3), and what its records are. */
class LogicalFile {
  readonly number: number;
  readonly encrypted = new Counts();
  /** Records of frames that no object describes, by the name of their type. */
  readonly undescribed = new Counts();
  unformatted = 0;
  /** The first damage of a set of objects. */
  damage: Damage | null = null;
  readonly #objects = new Map<string, DlisObject>();
  /** Objects that are described twice, in different ways. */
  readonly #unclear = new Set<string>();
  readonly #frames = new Map<string, Frame>();
  readonly #entries = new Map<string, (HeaderEntry & { readonly longName?: ObjectName })[]>();
  #entryCount = 0;

  constructor(number: number) {
    this.number = number;
  }

  take(records: LogicalRecords): void {
    const { body, isExplicit, type, isEncrypted } = records;
    if (isEncrypted) this.encrypted.add(typeName(records));
    else if (isExplicit && type < explicitTypes.length) this.#takeSet(body);
    else if (!isExplicit && type === 0) this.frameOf(body)?.take(body);
    else if (!isExplicit && type === 1) this.unformatted++;
  }

  #takeSet(body: Cursor): void {
    const { role, type, name, objects, damage } = readSet(body);
    this.damage ??= damage;
    if (role === roles.redundant) return;
    if (keptTypes.has(type))
      for (const object of objects) {
        const key = objectKey(type, object);
        const before = role === roles.replacement ? undefined : this.#objects.get(key);
        if (!before) this.#objects.set(key, object);
        else if (!isDeepStrictEqual(before, object)) this.#unclear.add(key);
      }
    else if (this.#entryCount < maxEntries) {
      const entries = objects.map((object) => entryOf(type, object));
      this.#entryCount += entries.length;
      const key = JSON.stringify([type, name]);
      const before = role === roles.replacement ? [] : (this.#entries.get(key) ?? []);
      this.#entries.set(key, [...before, ...entries]);
    }
  }

  objects(type: string): DlisObject[] {
    const start = `${type} `;
    return [...this.#objects].flatMap(([key, object]) => (key.startsWith(start) ? [object] : []));
  }

  /** The frame that a record of data names, behind which the body is then; null: no object describes it. */
  frameOf(body: Cursor): Frame | null {
    const name = orDamage(() => body.objectName());
    if (name instanceof Damage) {
      this.damage ??= name;
      return null;
    }
    const frame = this.#frameNamed(name);
    if (!frame) this.undescribed.add(name.id);
    return frame;
  }

  #frameNamed(name: ObjectName): Frame | null {
    const before = this.#frames.get(name.key);
    if (before) return before;
    const object = this.#objects.get(objectKey('FRAME', name));
    if (!object) return null;
    const channels = attributeValues(object, 'CHANNELS')
      .filter(isName)
      .map((channel) => {
        const channelKey = objectKey('CHANNEL', channel);
        if (this.#unclear.has(channelKey))
          return `its channel ${channel.id} is described twice, in different ways`;
        return this.#objects.get(channelKey) ?? `its channel ${channel.id} isn’t described`;
      });
    if (this.#unclear.has(objectKey('FRAME', name)))
      channels.push('it is described twice, in different ways');
    const frame = new Frame(object, channels);
    this.#frames.set(name.key, frame);
    return frame;
  }

  /** All frames, in the order in which they are described. */
  get frames(): Frame[] {
    return this.objects('FRAME').flatMap((object) => this.#frameNamed(object) ?? []);
  }

  /** The text of a long name, which can be an object (5.4.1). */
  longName(value: Value | undefined): string | null {
    if (value === undefined) return null;
    if (!isName(value)) return valueText(value);
    const object = this.#objects.get(objectKey('LONG-NAME', value));
    if (!object) return value.id;
    return [...object.attributes.values()].flatMap(({ values }) => values.map(valueText)).join(' ');
  }

  get id(): string | null {
    return this.objects('FILE-HEADER').map((object) => textOfAttribute(object, 'ID'))[0] ?? null;
  }

  /** An entry for each attribute of the objects of a type; groups have numbers. */
  attributeEntries(type: string, group: string): HeaderEntry[] {
    return this.objects(type).flatMap((object, at) =>
      entriesOf(at === 0 ? group : `${group} ${at + 1}`, object),
    );
  }

  /** An entry for each object of other types. */
  get objectEntries(): HeaderEntry[] {
    return [...this.#entries.values()].flat().map(({ longName, ...entry }) => ({
      ...entry,
      description: longName ? this.longName(longName) : entry.description,
    }));
  }
}

const objectKey = (type: string, name: ObjectName): string => `${type} ${name.key}`;

/** An entry for each attribute of an object. */
const entriesOf = (group: string, { attributes }: DlisObject): HeaderEntry[] =>
  [...attributes.values()].flatMap(({ label, values, units }) =>
    values.length > 0
      ? [headerEntry(group, label, values.map(valueText).join(', ').trim(), units || null)]
      : [],
  );

const maxValuesShown = 50;

/** An entry for an object: its values, or what its attributes say. */
function entryOf(type: string, object: DlisObject): HeaderEntry & { readonly longName?: ObjectName } {
  const [longName] = attributeValues(object, 'LONG-NAME');
  const listText = (values: readonly Value[]): string =>
    values.slice(0, maxValuesShown).map(valueText).join(', ') + (values.length > maxValuesShown ? ', …' : '');
  const values = object.attributes.get('VALUES') ?? object.attributes.get('TEXT');
  const description = textOfAttribute(object, 'DESCRIPTION');
  const described = new Set(['LONG-NAME', 'DESCRIPTION']);
  const text = values
    ? listText(values.values)
    : [...object.attributes.values()]
        .filter(
          ({ label, values: [first] }) => first !== undefined && !described.has(label) && !isName(first),
        )
        .map((attribute) => `${attribute.label}: ${listText(attribute.values)}`)
        .join('; ');
  // `PARAMETER` as the title of a group.
  const group = type.charAt(0).toUpperCase() + type.slice(1).toLowerCase().replaceAll('-', ' ');
  const entry = headerEntry(group, object.id, text, values?.units || null, description);
  if (longName === undefined) return entry;
  return isName(longName) ? { ...entry, longName } : { ...entry, description: valueText(longName) };
}

/** What a file has, read in one pass over its records. */
function outlineOf(tape: Tape) {
  const records = new LogicalRecords(tape);
  const files: LogicalFile[] = [];
  const damage = records.visit(() => {
    // A file can be cut out of a larger one, without its header.
    if ((records.isExplicit && records.type === 0) || files.length === 0)
      files.push(new LogicalFile(files.length + 1));
    files.at(-1)?.take(records);
  });
  const { storageSet, mismatches } = records;
  return { files, damage, storageSet, mismatches };
}
type Outline = ReturnType<typeof outlineOf>;

const frameNumber = { name: 'FRAMENO', unit: null, type: 'number' } as const;

function indexOf({ object, hasIndex, slots }: Frame): SourceIndex {
  const [first] = slots;
  if (!hasIndex || !first || first.dimensions.length > 0) return { ...frameNumber, kind: 'other' };
  const kind = indexKind(textOfAttribute(object, 'INDEX-TYPE') ?? '');
  return { name: first.name, unit: first.unit, kind };
}

/** The name of a table: the well, the run, and the frame. */
function tableName(file: LogicalFile, { object }: Frame, isOne: boolean): string {
  const [origin] = file.objects('ORIGIN');
  const well = origin ? textOfAttribute(origin, 'WELL-NAME') : null;
  const run = origin ? textOfAttribute(origin, 'RUN-NUMBER') : null;
  const start = well ?? (isOne ? null : file.id?.trim());
  return [start, run === null ? null : `run ${run}`, object.id].filter((part) => part).join(', ');
}

/** The frames of a logical file, and the records that aren't read. */
const structureOf = (file: LogicalFile): HeaderEntry[] =>
  structureEntries(file.number, file.id?.trim() ?? '', [
    ...file.frames.map((frame) => {
      const { rows, slots, firstIndex, lastIndex, problem } = frame;
      const numbers = rows > 0 && slots.length > 0 ? [frame.firstNumber, frame.lastNumber].map(String) : [];
      const range = frame.hasIndex ? [firstIndex, lastIndex] : numbers;
      const text = framesText(countInWords(rows, 'row', 'rows'), slots.length, indexOf(frame), range);
      return [`frame ${frame.object.id}`, problem ?? text] as const;
    }),
    ['encrypted records', file.encrypted.summary],
    ['records without a frame', file.undescribed.summary],
    ['unformatted records', file.unformatted > 0 ? String(file.unformatted) : ''],
  ]);

function channelEntries(file: LogicalFile, { object, slots }: Frame): HeaderEntry[] {
  const names = attributeValues(object, 'CHANNELS').filter(isName);
  const channels = new Map(file.objects('CHANNEL').map((channel) => [channel.key, channel]));
  return slots.map((slot, at) => {
    const channel = channels.get(names[at]?.key ?? '');
    const description = channel ? file.longName(attributeValues(channel, 'LONG-NAME')[0]) : null;
    return channelEntry(slot, '', description);
  });
}

const headerOf = ({ storageSet, files }: Outline, file: LogicalFile, frame: Frame): HeaderEntry[] => [
  ...files.flatMap(structureOf),
  ...file.attributeEntries('ORIGIN', 'Origin'),
  headerEntry('File', 'STORAGE-SET', storageSet),
  ...file.attributeEntries('FILE-HEADER', 'File'),
  ...entriesOf('Frame', frame.object).filter(({ name }) => name !== 'CHANNELS'),
  ...channelEntries(file, frame),
  ...file.objectEntries,
];

const gapsMessage = (some: number, place: number): string =>
  `Frames are missing or out of order: the numbers of ${some} don’t follow the frame before, the first at frame ${place}. All frames are read.`;
const mismatchMessage = (some: number, byte: number): string =>
  `Checksums or lengths behind segments don’t fit: ${some}, the first at byte ${byte}. Values there may be wrong.`;

function fileWarnings({ files, mismatches }: Outline): SourceWarning[] {
  const problems = files.flatMap((file) => [
    ...file.frames.flatMap(({ object, problem }) =>
      problem === null ? [] : [`the frame ${object.id} is skipped: ${problem}`],
    ),
    ...[...file.undescribed].map(
      ([name, some]) => `${some} frames of ${name}, which isn’t described, are skipped`,
    ),
  ]);
  return [
    ...files.flatMap(({ damage }) =>
      damageWarnings(damage, 'Descriptions after it in that record are missing.'),
    ),
    ...partWarnings(files, problems),
    ...mismatches
      .warnings('records_damaged', null, mismatchMessage)
      .map((warning) => ({ ...warning, place: null })),
  ];
}

/** Reads the rows of a table in a second pass. */
function* rowsOf(tape: Tape, file: LogicalFile, frame: Frame, readers: CellReader[]): Generator<SourceRow> {
  const records = new LogicalRecords(tape);
  const { body } = records;
  let [number, place] = [0, 0];
  while (place < frame.rows && records.next()) {
    const { isExplicit, type, isEncrypted } = records;
    if ((isExplicit && type === 0) || number === 0) number++;
    if (number !== file.number || isExplicit || type !== 0 || isEncrypted) continue;
    if (file.frameOf(body) !== frame) continue;
    while (body.left > 0 && place < frame.rows) {
      place++;
      const frameNo = frame.numberOf(body);
      const cells: (string | null)[] = frame.hasIndex ? [] : [String(frameNo)];
      for (const read of readers) cells.push(read(body));
      yield { cells, place };
    }
  }
}

function tableOf(outline: Outline, file: LogicalFile, frame: Frame, arrays: Arrays): FrameTable {
  const content = frameColumns(frame.slots, arrays);
  const { rows, damage, gaps, hasIndex } = frame;
  return {
    name: tableName(file, frame, outline.files.length === 1),
    columns: hasIndex ? content.columns : [frameNumber, ...content.columns],
    rows,
    index: indexOf(frame),
    header: headerOf(outline, file, frame),
    warnings: [
      ...damageWarnings(damage, `The ${rows} rows before it are read.`),
      ...gaps.warnings('records_damaged', null, gapsMessage),
      ...content.warnings,
    ],
    readRows: (tape) => rowsOf(tape, file, frame, content.readers.flat()),
  };
}

function readContent(tape: Tape, arrays: Arrays): TapeContent {
  const outline = outlineOf(tape);
  const tables = outline.files.flatMap((file) =>
    file.frames.flatMap((frame) => (frame.problem === null ? [tableOf(outline, file, frame, arrays)] : [])),
  );
  // Without tables, a damaged description is why.
  const described = tables.length > 0 ? null : (outline.files.find((file) => file.damage)?.damage ?? null);
  return { tables, warnings: fileWarnings(outline), damage: outline.damage ?? described };
}

/** DLIS (RP66 version 1), also in an image of a tape. */
export const dlis: SourceAdapter = {
  format: 'dlis',
  recognize: startsAsDlis,
  open: (source, options) => openTape(source, options, readContent),
};
