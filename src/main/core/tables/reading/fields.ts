import Papa from 'papaparse';
import type { ParseResult } from 'papaparse';
import type { RecordReader, RawRecord } from './records.ts';
import { decoderOf, type Encoding, isDamaged } from './encoding.ts';

/** Problems of whole records. Maps of converted tables have their numbers, from 1: append further ones. */
export const recordProblems = ['unclosed_quote', 'bad_quotes', 'bad_bytes', 'nul_bytes', 'bad_json'] as const;
export type RecordProblem = (typeof recordProblems)[number];

/** A record's cells; `problem` if they are unreliable. */
export interface Row {
  readonly cells: readonly string[];
  readonly problem: RecordProblem | null;
  /** An undoubled quotation mark inside a quoted cell; the content is still unambiguous. */
  readonly oddQuotes: boolean;
  /** Of JSON: an object with the same name twice, of whose values the last is used. */
  readonly repeatedNames?: boolean;
}

/**
 * Splits records into cells. Records without quotes are split at the delimiter; papaparse parses the others, one at a
 * time, so that damage in one can't affect the next.
 */
export function createFieldReader(encoding: Encoding, delimiter: string): FieldReader {
  const decode = decoderOf(encoding);
  const parser = new Papa.Parser({ delimiter, newline: '\n', quoteChar: '"' });
  const quoted = (text: string): { cells: readonly string[] | null; odd: boolean } => {
    // The line end shows papaparse that the record is complete; without the empty last row, the result is this record.
    const { data, errors } = parser.parse(`${text}\n`, 0, true) as ParseResult<string[]>;
    return { cells: data.length === 1 ? (data[0] ?? null) : null, odd: errors.length > 0 };
  };

  return {
    text: (reader, record) => recordText(decode, reader, record),
    row(reader, record) {
      const text = recordText(decode, reader, record);
      const problem = record.damage ?? bytesProblem(text, reader, record, encoding);
      if (!record.hasQuotes || record.damage !== null)
        return { cells: text.split(delimiter), problem, oddQuotes: false };
      const { cells, odd } = quoted(record.hasBlanks ? withoutBlanksBeforeQuotes(text, delimiter) : text);
      if (cells === null) return { cells: text.split(delimiter), problem: 'bad_quotes', oddQuotes: false };
      return { cells, problem, oddQuotes: odd };
    },
  };
}

/** The text of a record that its reader returned last. */
export const recordText = (
  decode: ReturnType<typeof decoderOf>,
  { buffer, base }: RecordReader,
  { start, end }: RawRecord,
): string => decode(buffer, start - base, end - base);

/** Whether a record begins with a number sign outside of quotes, like a comment. */
export const startsWithHash = (
  [first = '']: readonly string[],
  hasQuotes: boolean,
  text: () => string,
): boolean => first.startsWith('#') && !(hasQuotes && /^[ \t]*"/.test(text()));

export interface FieldReader {
  text(reader: RecordReader, record: RawRecord): string;
  row(reader: RecordReader, record: RawRecord): Row;
}

/** The encoding problem of a record; null: none. */
export function bytesProblem(
  text: string,
  reader: RecordReader,
  record: RawRecord,
  encoding: Encoding,
): RecordProblem | null {
  if (text.includes('\0')) return 'nul_bytes';
  // The file itself can contain U+FFFD; only then are the bytes examined.
  if (!text.includes('\uFFFD')) return null;
  const bytes = reader.buffer.subarray(record.start - reader.base, record.end - reader.base);
  return isDamaged(bytes, encoding) ? 'bad_bytes' : null;
}

function skipBlanks(text: string, from: number, delimiter: string): number {
  let at = from;
  while ((text[at] === ' ' || text[at] === '\t') && text[at] !== delimiter) at++;
  return at;
}

/** Whether a cell ends at a position, except for blanks; a blank that is the delimiter ends it. */
export function endsBehind(text: string, from: number, delimiter: string): boolean {
  const behind = skipBlanks(text, from, delimiter);
  return behind === text.length || text[behind] === delimiter;
}

/**
 * The position after the closing quote of a cell; -1: none.
 * @param isStrict whether each quote inside the cell must be doubled
 */
function closingEnd(text: string, open: number, delimiter: string, isStrict: boolean): number {
  for (let quote = text.indexOf('"', open + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    if (text[quote + 1] === '"') quote++;
    else if (endsBehind(text, quote + 1, delimiter)) return quote + 1;
    else if (isStrict) return -1;
  }
  return -1;
}

/**
 * The text of a record without the blanks between a delimiter and the quote that opens a cell. A quote after blanks
 * opens a cell only if it encloses all of it.
 */
function withoutBlanksBeforeQuotes(text: string, delimiter: string): string {
  let result = '';
  let copied = 0;
  for (let at = 0; ;) {
    const open = skipBlanks(text, at, delimiter);
    const isAfterBlanks = open > at;
    const isQuoted = text[open] === '"' && !(isAfterBlanks && endsBehind(text, open + 1, delimiter));
    const end = isQuoted ? closingEnd(text, open, delimiter, isAfterBlanks) : -1;
    // Without a closing quote, the rest is one cell.
    if (isQuoted && end < 0 && !isAfterBlanks) break;
    if (end >= 0 && isAfterBlanks) {
      result += text.slice(copied, at);
      copied = open;
    }
    const next = text.indexOf(delimiter, Math.max(end, at));
    if (next < 0) break;
    at = next + 1;
  }
  return copied === 0 ? text : result + text.slice(copied);
}
