import type { ReadingOptions } from '../../../../shared/upload/upload.ts';
import { detectDialect, readFrom } from './dialect.ts';
import { chosenEncoding, detectEncoding, textStart, unitWidth } from './encoding.ts';
import { invalidInput } from '../../../../shared/errors/errors.ts';
import { unsuitable } from '../model/unsuitable.ts';
import { columnsOfLines, isJsonLines, jsonLayout } from './ndjson.ts';
import { findLayout, type Layout } from './layout.ts';
import type { Source } from './source.ts';

interface TextKind {
  /** Its name, and what to do. */
  readonly what: string;
  /** Matches a file from its first line that is neither blank nor a remark. */
  readonly sign: RegExp;
}

const convert = (tool: string): string => `convert it to LAS, for example with ${tool}`;

interface BinaryKind {
  readonly what: string;
  /** @param start the first 128 bytes, one character for each */
  readonly isIt: (start: string) => boolean;
}

const beginsWith =
  (...signs: readonly string[]): BinaryKind['isIt'] =>
  (start) =>
    signs.some((sign) => start.startsWith(sign));

/** A reel, tape, or file header record of LIS, possibly after a tape mark, which starts with zeros. */
function isLis(start: string): boolean {
  const at = start.startsWith('\0'.repeat(8)) ? 12 : 0;
  const type = start.charCodeAt(at + 4);
  const isHeader = type === 0x80 || type === 0x82 || type === 0x84;
  const name = start.slice(at + 6, at + 12);
  return isHeader && start[at + 5] === '\0' && start.charCodeAt(at) <= 4 && /^[\x20-\x7e]{6}$/.test(name);
}

/** Kinds of binary files by their first bytes, one character for each. */
const binaryKinds: readonly BinaryKind[] = [
  {
    what: `a DLIS file (${convert('the Python package dlisio')})`,
    isIt: (start) => /^[ \d]{4}V\d\.\d{2}RECORD/.test(start),
  },
  {
    what: `a LIS file (${convert('the Python package dlisio')})`,
    isIt: isLis,
  },
  { what: 'a PDF document (get the data as LAS, CSV, or Excel)', isIt: beginsWith('%PDF') },
  {
    what: 'a zip archive or an Excel workbook (save the sheet as CSV first)',
    isIt: beginsWith('PK\x03\x04'),
  },
  {
    what: 'a binary Office file, such as an old Excel workbook (save the sheet as CSV first)',
    isIt: beginsWith('\xd0\xcf\x11\xe0'),
  },
  { what: 'a PNG image', isIt: beginsWith('\x89PNG') },
  { what: 'a JPEG image', isIt: beginsWith('\xff\xd8\xff') },
  { what: 'a GIF image', isIt: beginsWith('GIF8') },
  { what: 'a TIFF image', isIt: beginsWith('II*\0', 'MM\0*') },
  { what: 'a gzip archive (unpack it first)', isIt: beginsWith('\x1f\x8b') },
  { what: 'a 7-Zip archive (unpack it first)', isIt: beginsWith('7z\xbc\xaf') },
  { what: 'a RAR archive (unpack it first)', isIt: beginsWith('Rar!') },
  { what: 'an xz archive (unpack it first)', isIt: beginsWith('\xfd7zXZ') },
  { what: 'a bzip2 archive (unpack it first)', isIt: (start) => /^BZh[1-9]1AY&SY/.test(start) },
  { what: 'a Zstandard archive (unpack it first)', isIt: beginsWith('\x28\xb5\x2f\xfd') },
  { what: 'a Parquet file', isIt: beginsWith('PAR1') },
  { what: 'an encrypted Parquet file (write it without encryption)', isIt: beginsWith('PARE') },
  { what: 'an Arrow file (convert it to Parquet, for example with DuckDB)', isIt: beginsWith('ARROW1') },
  {
    what: 'an ORC file (convert it to Parquet, for example with DuckDB)',
    isIt: (start) => start.startsWith('ORC') && start.includes('\0'),
  },
  { what: 'an Avro file (convert it to Parquet, for example with DuckDB)', isIt: beginsWith('Obj\x01') },
  { what: 'an HDF5 file (export the table as CSV, for example with HDFView)', isIt: beginsWith('\x89HDF') },
  {
    what: 'an SQLite database (export the table as CSV, for example with sqlite3)',
    isIt: beginsWith('SQLite format 3'),
  },
  {
    what: 'an Access database (export the table as CSV in Access)',
    isIt: beginsWith('\0\x01\0\0Standard Jet DB', '\0\x01\0\0Standard ACE DB'),
  },
  { what: 'text in UTF-32 (save it as UTF-8 first)', isIt: beginsWith('\xff\xfe\0\0') },
];

/** The position after the lines at the start of a text that are blank or remarks. */
function contentStart(text: string): number {
  const line = /[^\S\n\r]*(?:#[^\n\r]*)?(?:\r\n|\n|\r)/y;
  let at = 0;
  while (line.test(text)) at = line.lastIndex;
  return at;
}

/** Kinds of text that aren't tables. */
const textKinds: readonly TextKind[] = [
  {
    what: 'a LAS file (export its curves as CSV first)',
    sign: /^\s*~v/i,
  },
  {
    what: 'a web page with a table, as some programs write .xls files (open it in Excel, and save it as .xlsx)',
    sign: /^\s*<(?:!doctype html|html|table)(?=[\s\S]*<t[dh][\s>])/i,
  },
  {
    what: 'a workbook in the XML of Excel 2003 (open it in Excel, and save it as .xlsx)',
    sign: /^\s*<\?xml(?=[\s\S]{0,2000}(?:progid="Excel\.Sheet"|urn:schemas-microsoft-com:office:spreadsheet))/i,
  },
  {
    what: 'a web page, perhaps a sign-in page (download the data itself)',
    sign: /^\s*<(?:!doctype html|html)/i,
  },
  {
    what: 'an XML file without a WITSML log (export it as CSV first)',
    sign: /^\s*<(?:\?xml|!--|[A-Za-z_][\w.-]*(?::[\w.-]+)?(?:\s+[\w:.-]+\s*=\s*["']|\s*\/?>))/i,
  },
  { what: 'an RTF document (save it as text first)', sign: /^\{\\rtf/ },
  {
    what: 'a JSON file that isn’t a list of records (export it as CSV, or as NDJSON with one object a line)',
    sign: /^\s*(?:\[\s*[[{]|\{\s*"(?:[^"\\]|\\.)*"\s*:)/,
  },
];

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
