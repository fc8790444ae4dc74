// Writes DLIS files (RP66 version 1) from descriptions.

const concat = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);
const byte = (value: number): Buffer => Buffer.from([value & 0xff]);
const unorm = (value: number): Buffer => Buffer.from([(value >> 8) & 0xff, value & 0xff]);
const number = (size: number, write: (buffer: Buffer) => void): Buffer => {
  const buffer = Buffer.alloc(size);
  write(buffer);
  return buffer;
};

const uvari = (value: number): Buffer =>
  value < 0x80
    ? byte(value)
    : value < 0x4000
      ? unorm(value + 0x8000)
      : number(4, (buffer) => buffer.writeUInt32BE(value + 0xc0000000));
const ident = (text: string): Buffer => concat(byte(Buffer.byteLength(text)), Buffer.from(text));
const ascii = (text: string): Buffer => concat(uvari(Buffer.byteLength(text)), Buffer.from(text));
export const obname = (id: string, origin = 1, copy = 0): Buffer =>
  concat(uvari(origin), byte(copy), ident(id));

/** Encodes values of representation codes, which have the names of the standard. */
export const dlisValue = {
  FSINGL: (value: number) => number(4, (buffer) => buffer.writeFloatBE(value)),
  FDOUBL: (value: number) => number(8, (buffer) => buffer.writeDoubleBE(value)),
  SLONG: (value: number) => number(4, (buffer) => buffer.writeInt32BE(value)),
  UVARI: uvari,
  USHORT: byte,
  UNORM: unorm,
  IDENT: ident,
  ASCII: ascii,
  UNITS: ident,
};

export const dlisCodes = Object.fromEntries(
  'FSHORT FSINGL FSING1 FSING2 ISINGL VSINGL FDOUBL FDOUB1 FDOUB2 CSINGL CDOUBL SSHORT SNORM SLONG USHORT UNORM ULONG UVARI IDENT ASCII DTIME ORIGIN OBNAME OBJREF ATTREF STATUS UNITS'
    .split(' ')
    .map((name, at) => [name, at + 1]),
);

interface Value {
  readonly code: string;
  readonly bytes: readonly Uint8Array[];
  readonly unit?: string;
}
export const texts = (...values: readonly string[]): Value => ({ code: 'ASCII', bytes: values.map(ascii) });
const idents = (...values: readonly string[]): Value => ({ code: 'IDENT', bytes: values.map(ident) });

/** An object: its name, and its attributes; null: absent. */
export interface DlisObject {
  readonly name: Uint8Array;
  readonly values: Readonly<Record<string, Value | null>>;
}

/** The body of a record with a set of objects, whose template has all labels. */
export function setBody(type: string, objects: readonly DlisObject[]): Buffer {
  const labels = [...new Set(objects.flatMap(({ values }) => Object.keys(values)))];
  const attribute = (value: Value | null | undefined): Buffer => {
    if (!value) return byte(0);
    const unit = value.unit === undefined ? Buffer.alloc(0) : ident(value.unit);
    const format = 0x2d | (value.unit === undefined ? 0 : 2);
    return concat(
      byte(format),
      uvari(value.bytes.length),
      byte(dlisCodes[value.code] ?? 0),
      unit,
      ...value.bytes,
    );
  };
  return concat(
    byte(0xf0),
    ident(type),
    ...labels.map((label) => concat(byte(0x34), ident(label), byte(20))),
    ...objects.flatMap(({ name, values }) => [
      byte(0x70),
      name,
      ...labels.map((label) => attribute(values[label])),
    ]),
  );
}

export interface DlisRecord {
  readonly body: Uint8Array;
  readonly type: number;
  readonly isExplicit?: boolean;
  readonly isEncrypted?: boolean;
}

export interface DlisChannel {
  readonly name: string;
  readonly code: string;
  readonly unit?: string;
  /** Absent: one value. */
  readonly dimensions?: readonly number[];
  /** The bytes of the sample in each frame. */
  readonly samples: readonly Uint8Array[];
  readonly longName?: string;
  readonly copy?: number;
}

export interface DlisFrame {
  readonly name: string;
  readonly channels: readonly DlisChannel[];
  /** Absent: the number of the frame is the index. */
  readonly indexType?: string;
  /** The numbers of the frames; absent: from 1. */
  readonly numbers?: readonly number[];
}

export interface DlisLogicalFile {
  readonly id?: string;
  readonly well?: string;
  readonly run?: string;
  readonly frames: readonly DlisFrame[];
  /** Records between the descriptions and the data. */
  readonly records?: readonly DlisRecord[];
}

const set = (type: number, name: string, ...objects: readonly DlisObject[]): DlisRecord => ({
  type,
  isExplicit: true,
  body: setBody(name, objects),
});
export const explicitSet = set;

/** The records of a logical file. */
export function logicalRecords({
  id = 'File',
  well,
  run,
  frames,
  records = [],
}: DlisLogicalFile): DlisRecord[] {
  const channels = frames.flatMap((frame) => frame.channels);
  return [
    set(0, 'FILE-HEADER', {
      name: obname('0'),
      values: { 'SEQUENCE-NUMBER': texts('1'), ID: texts(id.padEnd(65)) },
    }),
    set(1, 'ORIGIN', {
      name: obname('O'),
      values: {
        'FILE-ID': texts(id),
        'WELL-NAME': well === undefined ? null : texts(well),
        'RUN-NUMBER': run === undefined ? null : texts(run),
      },
    }),
    set(
      3,
      'CHANNEL',
      ...channels.map(({ name, code, unit, dimensions = [1], longName, copy = 0 }) => ({
        name: obname(name, 1, copy),
        values: {
          'LONG-NAME': longName === undefined ? null : texts(longName),
          'REPRESENTATION-CODE': { code: 'USHORT', bytes: [byte(dlisCodes[code] ?? 0)] },
          UNITS: unit === undefined ? null : { code: 'UNITS', bytes: [ident(unit)] },
          DIMENSION: { code: 'UVARI', bytes: dimensions.map(uvari) },
        },
      })),
    ),
    set(
      4,
      'FRAME',
      ...frames.map((frame) => ({
        name: obname(frame.name),
        values: {
          CHANNELS: { code: 'OBNAME', bytes: frame.channels.map(({ name, copy }) => obname(name, 1, copy)) },
          'INDEX-TYPE': frame.indexType === undefined ? null : idents(frame.indexType),
        },
      })),
    ),
    ...records,
    ...frames.flatMap(({ name, channels: some, numbers = [] }) =>
      (some[0]?.samples ?? []).map((_, row) => ({
        type: 0,
        body: concat(
          obname(name),
          uvari(numbers[row] ?? row + 1),
          ...some.map(({ samples }) => samples[row] ?? Buffer.alloc(0)),
        ),
      })),
    ),
  ];
}

/** A checksum of a segment (appendix E), in 32 bits and folded at the end, unlike that of the reader. */
function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    let total = sum + ((bytes[at + 1] ?? 0) << 8) + (bytes[at] ?? 0);
    total = (total & 0xffff) + (total >> 16);
    total = total * 2;
    sum = (total & 0xffff) + (total >> 16);
  }
  return sum;
}

export interface DlisLayout {
  /** Maximum bytes of a visible record; absent: 8192. */
  readonly visible?: number;
  /** Maximum bytes of the body of a segment. */
  readonly segment?: number;
  readonly checksums?: boolean;
  readonly lengths?: boolean;
  /** Pad bytes of each segment. */
  readonly padding?: number;
  /** Writes an image of a tape, with a block for each visible record. */
  readonly image?: boolean;
}

export const dlisLabel = (set = 'Test'): Buffer =>
  Buffer.from(`   1V1.00RECORD 8192${set.padEnd(60)}`, 'latin1');

/** Segments of a record, as they are written one after another. */
function segmentsOf(record: DlisRecord, layout: DlisLayout): Buffer[] {
  const { segment = 8000, checksums = false, lengths = false } = layout;
  const { body, type, isExplicit = false, isEncrypted = false } = record;
  const count = Math.max(1, Math.ceil(body.length / segment));
  return Array.from({ length: count }, (_, at) => {
    const part = body.subarray(at * segment, (at + 1) * segment);
    // Checksums are of pairs of bytes.
    const padding = (layout.padding ?? 0) + (checksums ? (part.length + (layout.padding ?? 0)) % 2 : 0);
    const flags =
      (isExplicit ? 0x80 : 0) |
      (at > 0 ? 0x40 : 0) |
      (at < count - 1 ? 0x20 : 0) |
      (isEncrypted ? 0x10 : 0) |
      (checksums ? 4 : 0) |
      (lengths ? 2 : 0) |
      (padding > 0 ? 1 : 0);
    const length = 4 + part.length + padding + (checksums ? 2 : 0) + (lengths ? 2 : 0);
    const start = concat(
      unorm(length),
      byte(flags),
      byte(type),
      part,
      ...(padding > 0 ? [Buffer.alloc(padding - 1, 0xaa), byte(padding)] : []),
    );
    return concat(start, ...(checksums ? [unorm(checksum(start))] : []), ...(lengths ? [unorm(length)] : []));
  });
}

/** A file of records. */
export function fileOfRecords(records: readonly DlisRecord[], layout: DlisLayout = {}): Buffer {
  const { visible = 8192, image = false } = layout;
  const blocks: Buffer[] = [dlisLabel()];
  let open: Buffer[] = [];
  const close = (): void => {
    const content = concat(...open);
    if (content.length > 0) blocks.push(concat(unorm(content.length + 4), Buffer.from([0xff, 1]), content));
    open = [];
  };
  for (const segment of records.flatMap((record) => segmentsOf(record, layout))) {
    if (concat(...open).length + segment.length + 4 > visible) close();
    open.push(segment);
  }
  close();
  return image ? tapeImage(blocks) : Buffer.concat(blocks);
}

/** The image of a tape with blocks, with a mark of the end of a file behind the first, and two at the end. */
export function tapeImage(blocks: readonly Uint8Array[]): Buffer {
  const parts: Buffer[] = [];
  let [at, last] = [0, 0];
  const mark = (type: number, next: number): void => {
    parts.push(
      number(12, (buffer) => {
        buffer.writeUInt32LE(type, 0);
        buffer.writeUInt32LE(last, 4);
        buffer.writeUInt32LE(next, 8);
      }),
    );
    last = at;
    at += 12;
  };
  for (const [index, block] of blocks.entries()) {
    mark(0, at + 12 + block.length);
    parts.push(Buffer.from(block));
    at += block.length;
    if (index === 0) mark(1, at + 12);
  }
  mark(1, at + 12);
  mark(1, at + 12);
  return Buffer.concat(parts);
}

/** A DLIS file of logical files. */
export const dlisFile = (files: readonly DlisLogicalFile[], layout: DlisLayout = {}): Buffer =>
  fileOfRecords(files.flatMap(logicalRecords), layout);

/** A channel of numbers. */
export const numbersChannel = (
  name: string,
  values: readonly number[],
  unit?: string,
  code: 'FSINGL' | 'FDOUBL' | 'SLONG' = 'FSINGL',
): DlisChannel => ({
  name,
  code,
  samples: values.map((value) => dlisValue[code](value)),
  ...(unit === undefined ? {} : { unit }),
});
