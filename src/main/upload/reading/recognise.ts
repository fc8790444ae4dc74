import type { ReadingOptions } from '../../../shared/upload/upload.ts';
import { detectDialect, readFrom } from './dialect.ts';
import { chosenEncoding, decoderOf, detectEncoding, unitWidth } from './encoding.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { isJsonLines, jsonLayout, pathsOf } from './json-lines.ts';
import { findLayout } from './layout.ts';
import type { Layout } from './layout.ts';
import type { Source } from './source.ts';
import { refuseBinary, refuseOtherText } from './unsuitable.ts';

/** So much of the start is looked at for what kind of text it is. */
const startBytes = 64 << 10;

export type Chosen = Pick<ReadingOptions, 'encoding' | 'delimiter' | 'headerRow' | 'unitRow'>;

/**
 * Finds out from its start how a file is written; what a person has chosen stands.
 * @throws AppError file_unsuitable for what is no table in text, with the kind and the place; invalid_input for a
 * choice that can't be
 */
export function recognise(fileName: string, source: Source, chosen: Chosen): Layout {
  const sample = source.sample();
  const whole = sample.length >= source.bytes;
  const encoding = chosen.encoding ? chosenEncoding(chosen.encoding, sample) : detectEncoding(sample, whole);
  refuseBinary(fileName, sample, unitWidth(encoding) === 2);
  const start = textStart(sample, encoding);
  if (isJsonLines(fileName, start))
    return jsonLayout(encoding, pathsOf(fileName, readFrom(sample), encoding).keys());
  refuseOtherText(fileName, start);
  if (chosen.delimiter !== undefined && !/^[\t\x20-\x7e]$/.test(chosen.delimiter))
    throw invalidInput('The delimiter must be a tab or a printable ASCII character.', { field: 'delimiter' });
  if (chosen.delimiter === '"')
    throw invalidInput('A quotation mark can’t be the delimiter.', { field: 'delimiter' });
  const { dialect, rows } = detectDialect(fileName, sample, whole, encoding, chosen);
  return findLayout(fileName, encoding, dialect, rows, chosen);
}

function textStart(sample: Buffer, encoding: Layout['encoding']): string {
  const start = Buffer.from(sample.subarray(encoding.bom, startBytes + encoding.bom));
  // A first line of JSON must be whole to be known.
  const even = start.subarray(0, start.length - (start.length % unitWidth(encoding)));
  if (encoding.name === 'UTF-16BE') even.swap16();
  return decoderOf(encoding)(even, 0, even.length);
}
