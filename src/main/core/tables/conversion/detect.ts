import { unsuitable } from '../../../../shared/errors/errors.ts';
import type { Compression, FileFormat, SourceFormat } from '../../../../shared/upload/formats.ts';
import { detectEncoding, textStart, openSource, type NamedFile, type Source } from '../reading/source.ts';
import { isJsonLines } from '../reading/recognize.ts';
import { startsAsDlis, startsAsLis } from '../sources/tape.ts';
import { packedFile, zipEntries } from '../sources/zip.ts';
import { detectDialect, usualWidth } from '../reading/layout.ts';

export interface DetectedFile {
  readonly format: FileFormat;
  readonly compression: Compression | null;
  /** The name of the file without the extension of its compression. */
  readonly name: string;
  /** Whether a CSV file has several tables or repeated headers, which a scan of the whole file finds. */
  readonly hasTables?: boolean;
}

const startBytes = 64 << 10;

const gzipSign = [0x1f, 0x8b];
const zipSign = [0x50, 0x4b, 3, 4];

const beginsWith = (start: Uint8Array, ...bytes: readonly number[]): boolean =>
  bytes.every((byte, index) => start[index] === byte);
const isArchive = (start: Uint8Array): boolean =>
  beginsWith(start, ...zipSign) || beginsWith(start, ...gzipSign);

/** What a zip archive with such an entry is, for the error; null: a workbook, which is read. */
const zipKinds: readonly { readonly entry: RegExp; readonly what: string | null }[] = [
  { entry: /^xl\/workbook\.xml$/i, what: null },
  { entry: /^xl\/workbook\.bin$/i, what: 'a binary Excel workbook (save it as .xlsx first)' },
  { entry: /^word\/document\.xml$/i, what: 'a Word document' },
  { entry: /^ppt\/presentation\.xml$/i, what: 'a PowerPoint presentation' },
  { entry: /^content\.xml$/i, what: 'an OpenDocument file (save it as .xlsx first)' },
];

interface Start {
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly compression: Compression | null;
  /** Whether the file is a workbook, which is also a zip archive; in an archive, it may be another archive. */
  readonly isWorkbook: boolean;
}

/** Whether an archive is a workbook. @throws AppError file_unsuitable for documents */
function isWorkbook(source: Source): boolean {
  const entries = zipEntries(source);
  const kind = zipKinds.find(({ entry }) => entries.some(({ name }) => entry.test(name)));
  if (kind && kind.what !== null) throw unsuitable(source.fileName, `it is ${kind.what}`);
  return kind !== undefined;
}

/** The start of a file, or of the only file in a compressed one. @throws AppError file_unsuitable */
async function startOf(source: Source): Promise<Start> {
  const head = Buffer.alloc(startBytes);
  const bytes = head.subarray(0, source.read(head, 0, startBytes, 0));
  const isZip = beginsWith(bytes, ...zipSign);
  const isXlsx = isZip && isWorkbook(source);
  if (isXlsx || !isArchive(bytes))
    return { bytes, name: source.fileName, compression: null, isWorkbook: isXlsx };
  const compression = isZip ? 'zip' : 'gzip';
  const { name, read } = packedFile(source, compression);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of read()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= startBytes) break;
  }
  const unpacked = Buffer.concat(chunks).subarray(0, startBytes);
  return { bytes: unpacked, name, compression, isWorkbook: beginsWith(unpacked, ...zipSign) };
}

const binarySigns: readonly (readonly number[])[] = [
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x50, 0x41, 0x52, 0x31],
];

async function formatOf({ bytes, name, isWorkbook: isXlsx }: Start): Promise<FileFormat> {
  const isBinary =
    isXlsx ||
    binarySigns.some((sign) => beginsWith(bytes, ...sign)) ||
    startsAsDlis(bytes) ||
    startsAsLis(bytes);
  let text = '';
  if (!isBinary) {
    text = textStart(bytes, detectEncoding(bytes, bytes.length < startBytes));
    if (isJsonLines(name, text)) return 'ndjson';
    if (looksDelimited(text)) return 'csv';
  }
  const { adapters } = await import('../sources/readers.ts');
  const sourceFormat: SourceFormat | undefined = adapters.find((adapter) =>
    adapter.recognize(bytes, name),
  )?.format;
  if (sourceFormat === 'text' && (isOneColumn(text) || isQuotedTable(name, bytes))) return 'csv';
  // The text reader reports any other format.
  return sourceFormat ?? 'csv';
}

/**
 * Detects the format of a file by its content.
 * @throws AppError file_unreadable; file_unsuitable for archives without a table
 */
export async function detectFile({ path, fileName }: NamedFile): Promise<DetectedFile> {
  using source = openSource(path, fileName);
  const start = await startOf(source);
  const format = await formatOf(start);
  // Of archives in an archive, workbooks are read.
  if (start.compression !== null && isArchive(start.bytes) && format !== 'xlsx')
    throw unsuitable(fileName, 'it is an archive in an archive (unpack it first)');
  return { format, compression: start.compression, name: start.name };
}

/** Marks of formats that aren't delimited text. */
const signs = /^[^\S\n\r\u2028\u2029]*(?:[<[{~]|&&)/m;
const delimited = /[,;|\t]/;
const linesLookedAt = 20;

const linesOf = (text: string): string[] =>
  text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));

/** Whether a text must be delimited: most of its first lines have a delimiter. Then no other reader is loaded. */
export function looksDelimited(text: string): boolean {
  if (signs.test(text)) return false;
  const lines = linesOf(text).slice(0, linesLookedAt);
  return lines.filter((line) => delimited.test(line)).length * 2 > lines.length;
}

/**
 * Whether a text without delimiters is one column whose cells have blanks, such as dates with times or names of wells:
 * a header of one word, and at most one blank per row.
 */
export function isOneColumn(text: string): boolean {
  const [first = '', ...others] = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  return !/\s/.test(first.trim()) && others.every((line) => !/\t|\S {2,}\S/.test(line));
}

/** Minimum share of records, from 0 to 1, with the same number of cells in a delimited table. */
const minShare = 0.8;

/** Whether a text is a delimited table once its quotes are parsed: cells with line breaks hide its delimiters. */
export function isQuotedTable(fileName: string, start: Uint8Array): boolean {
  if (!start.includes(0x22)) return false;
  const encoding = detectEncoding(start, false);
  const { rows } = detectDialect(fileName, start, false, encoding, {});
  const { width, share } = usualWidth(rows);
  return width >= 2 && share >= minShare;
}
