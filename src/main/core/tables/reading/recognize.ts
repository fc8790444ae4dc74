import type { ReadingOptions } from '../../../../shared/upload/upload.ts';
import { detectDialect, readFrom } from './dialect.ts';
import { chosenEncoding, detectEncoding, textStart, unitWidth } from './encoding.ts';
import { invalidInput, unsuitable } from '../../../../shared/errors/errors.ts';
import { columnsOfLines, isJsonLines, jsonLayout } from './ndjson.ts';
import { findLayout, type Layout } from './layout.ts';
import { binaryKinds, contentStart, textKinds } from './refused-kinds.ts';
import type { Source } from './source.ts';

type Chosen = Pick<
  ReadingOptions,
  'encoding' | 'delimiter' | 'headerRow' | 'unitRow' | 'hashLines' | 'apostrophes'
>;

/**
 * Detects the text format of a file from its start, except where the user set it.
 * @throws AppError file_unsuitable for anything but a table in text, with the kind and the place; invalid_input for an
 * invalid setting
 */
export function recognize(fileName: string, source: Source, chosen: Chosen): Layout {
  const sample = source.sample();
  const whole = sample.length >= source.bytes;
  const encoding = chosen.encoding ? chosenEncoding(chosen.encoding, sample) : detectEncoding(sample, whole);
  refuseBinary(fileName, sample, unitWidth(encoding) === 2);
  const start = textStart(sample, encoding);
  if (isJsonLines(fileName, start))
    return jsonLayout(encoding, columnsOfLines(fileName, readFrom(sample), encoding).paths);
  refuseOtherText(fileName, start);
  if (chosen.delimiter !== undefined && !/^[\t\x20-\x7e]$/.test(chosen.delimiter))
    throw invalidInput('The delimiter must be a tab or a printable ASCII character.', { field: 'delimiter' });
  if (chosen.delimiter === '"')
    throw invalidInput('A quotation mark can’t be the delimiter.', { field: 'delimiter' });
  const hasEscapes = source.placeOf === null && chosen.apostrophes !== 'keep';
  const { dialect, ...sampled } = detectDialect(fileName, sample, whole, encoding, chosen, hasEscapes);
  return findLayout(fileName, encoding, dialect, sampled, chosen);
}

/** Bytes that identify a binary file. */
const signBytes = 128;

/** Bytes of a file that are searched for control characters. */
const binarySample = 64 << 10;

/**
 * Rejects files that aren't text: known binary formats by their first bytes, others by NUL and control characters.
 * `wide`: the file is UTF-16, where every other byte can be zero.
 * @throws AppError file_unsuitable with the kind or the byte
 */
function refuseBinary(file: string, sample: Uint8Array, wide: boolean): void {
  if (sample.length === 0) throw unsuitable(file, 'it is empty');
  const start = Buffer.from(sample.subarray(0, signBytes)).toString('latin1');
  const kind = binaryKinds.find(({ isIt }) => isIt(start));
  if (kind) throw unsuitable(file, `it is ${kind.what}`, { byte: 0 });
  if (wide) return;
  const firstBytes = sample.subarray(0, binarySample);
  let controls = 0;
  for (let byte = 0; byte < firstBytes.length; byte++) {
    const value = firstBytes[byte] ?? 0;
    if (value === 0)
      throw unsuitable(file, 'it contains NUL bytes, like a binary file', {
        line: lineAt(firstBytes, byte),
        byte,
      });
    if (value < 0x20 && (value < 0x09 || value > 0x0d) && value !== 0x1b && value !== 0x1a) controls++;
  }
  if (controls > firstBytes.length / 50)
    throw unsuitable(file, 'it contains control characters, like a binary file');
}

const lineAt = (bytes: Uint8Array, at: number): number =>
  bytes.subarray(0, at).filter((byte) => byte === 0x0a).length + 1;

/** Rejects text that isn't a table of delimited columns. @throws AppError file_unsuitable with the kind and the line */
function refuseOtherText(file: string, start: string): void {
  if (start.trim() === '') throw unsuitable(file, 'it contains only whitespace');
  const from = contentStart(start);
  const content = start.slice(from);
  const kind = textKinds.find(({ sign }) => sign.test(content));
  if (!kind) return;
  const sign = kind.sign.exec(content)?.[0].trimEnd().length ?? 1;
  const lines = start.slice(0, from + sign).split(/\r\n|\r|\n/).length;
  throw unsuitable(file, `it is ${kind.what}`, lines);
}
