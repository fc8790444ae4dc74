import { tapeImage } from './dlis-files.ts';

// Writes LIS files (Log Information Standard of 1979) from descriptions.

const concat = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);
const text = (value: string, length: number): Buffer =>
  Buffer.from(value.padEnd(length).slice(0, length), 'latin1');
const int16 = (value: number): Buffer => Buffer.from([(value >> 8) & 0xff, value & 0xff]);
const int32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
};

/** A number as code 68: the complement of a negative one is that of all its bits. */
export function lisFloat(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  if (value === 0) return buffer;
  const size = Math.abs(value);
  const exponent = Math.floor(Math.log2(size)) + 1;
  const fraction = Math.round((size / 2 ** exponent) * 2 ** 23);
  const bits = (exponent + 128) * 2 ** 23 + fraction;
  if (value > 0) buffer.writeUInt32BE(bits);
  else {
    // The sign is set, the exponent is complemented, and the fraction is that of two's complement.
    const complement = (2 ** 23 - fraction) % 2 ** 23;
    buffer.writeUInt32BE(0x80000000 + (127 - exponent) * 2 ** 23 + complement);
  }
  return buffer;
}

export const lisValue = { float: lisFloat, int16, int32, text };

export interface LisRecord {
  readonly type: number;
  readonly body: Uint8Array;
}

export interface LisChannel {
  readonly name: string;
  readonly unit?: string;
  readonly code: number;
  /** Bytes of a frame, of all samples; negative: suppressed. */
  readonly size: number;
  readonly samples?: number;
}

type Entry = readonly [type: number, code: number, value: Uint8Array];
export const entries = {
  direction: (value: 1 | 255): Entry => [4, 66, Buffer.from([value])],
  spacing: (value: number, unit: string): Entry[] => [
    [8, 68, lisFloat(value)],
    [9, 65, text(unit, 4)],
  ],
  absent: (value: number): Entry => [12, 68, lisFloat(value)],
  depthInRecord: (unit: string): Entry[] => [
    [13, 66, Buffer.from([1])],
    [14, 65, text(unit, 4)],
    [15, 66, Buffer.from([73])],
  ],
};

/** The format of data. */
export const format = (channels: readonly LisChannel[], some: readonly Entry[] = []): LisRecord => ({
  type: 64,
  body: concat(
    ...some.flatMap(([type, code, value]) => [Buffer.from([type, value.length, code]), value]),
    Buffer.from([0, 0, 66]),
    ...channels.map(({ name, unit = '', code, size, samples = 1 }) =>
      concat(
        text(name, 4),
        text('', 14),
        text(unit, 4),
        Buffer.alloc(6),
        int16(size),
        Buffer.from([0, 0, 0, samples, code, 0, 0, 0, 0, 0]),
      ),
    ),
  ),
});

export const data = (...parts: readonly Uint8Array[]): LisRecord => ({ type: 0, body: concat(...parts) });

/** A table of information: each row has the columns MNEM, PUNI, and VALU. */
export const information = (
  name: string,
  rows: readonly (readonly [name: string, value: string, unit?: string])[],
): LisRecord => {
  const block = (type: number, mnemonic: string, value: string, unit = ''): Buffer =>
    concat(Buffer.from([type, 65, value.length, 0]), text(mnemonic, 4), text(unit, 4), Buffer.from(value));
  return {
    type: 34,
    body: concat(
      block(73, 'TYPE', name),
      ...rows.map(([row, value, unit]) => concat(block(0, 'MNEM', row), block(69, 'VALU', value, unit))),
    ),
  };
};

export const comment = (value: string): LisRecord => ({ type: 232, body: Buffer.from(value) });

const reel = (type: number, name: string): LisRecord => ({
  type,
  body: text(`${'SERVCE'.padEnd(12)}26/11/29  TEST  ${name}`, 126),
});
const fileHeader = (name: string): LisRecord => ({ type: 128, body: text(`${name.padEnd(10)}  SUBLVL`, 56) });

export interface LisLayout {
  /** Maximum bytes of a physical record. */
  readonly physical?: number;
  /** Writes the numbers of records and files, and a checksum. */
  readonly trailers?: boolean;
  readonly image?: boolean;
}

/** The blocks of records, each a physical record. */
function blocksOf(records: readonly LisRecord[], { physical = 1024, trailers = false }: LisLayout): Buffer[] {
  return records.flatMap(({ type, body }) => {
    const content = concat(Buffer.from([type, 0]), body);
    const size = physical - 4 - (trailers ? 6 : 0);
    const count = Math.max(1, Math.ceil(content.length / size));
    return Array.from({ length: count }, (_, at) => {
      const part = content.subarray(at * size, (at + 1) * size);
      const trailer = trailers ? concat(int16(at), int16(1), int16(0x5555)) : Buffer.alloc(0);
      const flags = (trailers ? 0x1600 : 0) | (at > 0 ? 2 : 0) | (at < count - 1 ? 1 : 0);
      return concat(int16(4 + part.length + trailer.length), int16(flags), part, trailer);
    });
  });
}

/** A file of logical files, which are lists of records. */
export function lisFile(files: readonly (readonly LisRecord[])[], layout: LisLayout = {}): Buffer {
  const records = [
    reel(132, 'Reel one'),
    reel(130, 'Tape one'),
    ...files.flatMap((some, at) => [
      fileHeader(`FILE  .00${at + 1}`),
      ...some,
      { type: 129, body: text('', 56) },
    ]),
    reel(131, 'Tape one'),
    reel(133, 'Reel one'),
  ];
  const blocks = blocksOf(records, layout);
  return layout.image === true ? tapeImage(blocks) : Buffer.concat(blocks);
}
