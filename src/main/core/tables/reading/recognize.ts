import type { ReadingOptions } from '../../../../shared/upload/upload.ts';
import { detectDialect, readFrom } from './dialect.ts';
import { chosenEncoding, detectEncoding, textStart, unitWidth } from './encoding.ts';
import { invalidInput, unsuitable } from '../../../../shared/errors/errors.ts';
import { columnsOfLines, isJsonLines, jsonLayout } from './ndjson.ts';
import { findLayout, type Layout } from './layout.ts';
import type { Source } from './source.ts';

const convert = (tool: string): string => `convert it to LAS, for example with ${tool}`;

/** A reel, tape, or file header record of LIS, possibly after a tape mark, which starts with zeros. */
function isLis(start: string): boolean {
  const at = start.startsWith('\0'.repeat(8)) ? 12 : 0;
  const type = start.charCodeAt(at + 4);
  const isHeader = type === 0x80 || type === 0x82 || type === 0x84;
  const name = start.slice(at + 6, at + 12);
  return isHeader && start[at + 5] === '\0' && start.charCodeAt(at) <= 4 && /^[\x20-\x7e]{6}$/.test(name);
}

/** Kinds of binary files and what to do, by their first 128 bytes as one character each. */
const binaryKinds: readonly (readonly [what: string, ...signs: (string | ((start: string) => boolean))[]])[] =
  [
    [`a LIS file (${convert('the Python package dlisio')})`, isLis],
    [
      `a DLIS file (${convert('the Python package dlisio')})`,
      (start) => /^[ \d]{4}V\d\.\d{2}RECORD/.test(start),
    ],
    ['a PDF document (get the data as LAS, CSV, or Excel)', '%PDF'],
    ['a zip archive or an Excel workbook (save the sheet as CSV first)', 'PK\x03\x04'],
    ['a binary Office file, such as an old Excel workbook (save the sheet as CSV first)', '\xd0\xcf\x11\xe0'],
    ['a PNG image', '\x89PNG'],
    ['a JPEG image', '\xff\xd8\xff'],
    ['a GIF image', 'GIF8'],
    ['a TIFF image', 'II*\0', 'MM\0*'],
    ['a gzip archive (unpack it first)', '\x1f\x8b'],
    ['a 7-Zip archive (unpack it first)', '7z\xbc\xaf'],
    ['a RAR archive (unpack it first)', 'Rar!'],
    ['an xz archive (unpack it first)', '\xfd7zXZ'],
    ['a bzip2 archive (unpack it first)', (start) => /^BZh[1-9]1AY&SY/.test(start)],
    ['a Zstandard archive (unpack it first)', '\x28\xb5\x2f\xfd'],
    ['a Parquet file', 'PAR1'],
    ['an encrypted Parquet file (write it without encryption)', 'PARE'],
    ['an Arrow file (convert it to Parquet, for example with DuckDB)', 'ARROW1'],
    [
      'an ORC file (convert it to Parquet, for example with DuckDB)',
      (start) => start.startsWith('ORC') && start.includes('\0'),
    ],
    ['an Avro file (convert it to Parquet, for example with DuckDB)', 'Obj\x01'],
    ['an HDF5 file (export the table as CSV, for example with HDFView)', '\x89HDF'],
    ['an SQLite database (export the table as CSV, for example with sqlite3)', 'SQLite format 3'],
    [
      'an Access database (export the table as CSV in Access)',
      '\0\x01\0\0Standard Jet DB',
      '\0\x01\0\0Standard ACE DB',
    ],
    ['text in UTF-32 (save it as UTF-8 first)', '\xff\xfe\0\0'],
  ];

/** The position after the lines at the start of a text that are blank or remarks. */
function contentStart(text: string): number {
  const line = /[^\S\n\r]*(?:#[^\n\r]*)?(?:\r\n|\n|\r)/y;
  let at = 0;
  while (line.test(text)) at = line.lastIndex;
  return at;
}

/** Kinds of text that aren't tables, from their first line that is neither blank nor a remark. */
const textKinds: readonly (readonly [what: string, sign: RegExp])[] = [
  ['a LAS file (export its curves as CSV first)', /^\s*~v/i],
  [
    'a web page with a table, as some programs write .xls files (open it in Excel, and save it as .xlsx)',
    /^\s*<(?:!doctype html|html|table)(?=[\s\S]*<t[dh][\s>])/i,
  ],
  [
    'a workbook in the XML of Excel 2003 (open it in Excel, and save it as .xlsx)',
    /^\s*<\?xml(?=[\s\S]{0,2000}(?:progid="Excel\.Sheet"|urn:schemas-microsoft-com:office:spreadsheet))/i,
  ],
  ['a web page, perhaps a sign-in page (download the data itself)', /^\s*<(?:!doctype html|html)/i],
  [
    'an XML file without a WITSML log (export it as CSV first)',
    /^\s*<(?:\?xml|!--|[A-Za-z_][\w.-]*(?::[\w.-]+)?(?:\s+[\w:.-]+\s*=\s*["']|\s*\/?>))/i,
  ],
  ['an RTF document (save it as text first)', /^\{\\rtf/],
  [
    'a JSON file that isn’t a list of records (export it as CSV, or as NDJSON with one object a line)',
    /^\s*(?:\[\s*[[{]|\{\s*"(?:[^"\\]|\\.)*"\s*:)/,
  ],
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
  for (const [what, ...signs] of binaryKinds)
    if (signs.some((sign) => (typeof sign === 'string' ? start.startsWith(sign) : sign(start))))
      throw unsuitable(file, `it is ${what}`, { byte: 0 });
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
  for (const [what, sign] of textKinds) {
    const match = sign.exec(content);
    if (!match) continue;
    const end = from + Math.max(1, match[0].trimEnd().length);
    throw unsuitable(file, `it is ${what}`, start.slice(0, end).split(/\r\n|\r|\n/).length);
  }
}
