import { invalidInput } from '../../../../shared/errors/errors.ts';
import {
  chosenEncoding,
  guessOf,
  codeUnits,
  type Encoding,
  detectWholeEncoding,
  lineOfFirstLetter,
  type Source,
} from '../reading/source.ts';
import { readerOptions } from '../reading/layout.ts';
import { quotedCells, RecordReader } from '../reading/records.ts';
import type { OpenOptions, SourceWarning } from './source.ts';

/** Values between blanks; quotes can enclose blanks. */
function splitBlanks(line: string): string[] {
  const text = line.trim();
  if (text === '') return [];
  if (!text.includes('"') && !text.includes("'")) return text.split(/\s+/);
  return (text.match(/"[^"]*"(?!\S)|'[^']*'(?!\S)|\S+/g) ?? []).map((cell) =>
    cell.replace(/^(["'])(.*)\1$/, '$2'),
  );
}

/** Trimmed values between delimiters; quotes can enclose a delimiter. */
const splitDelimited = (line: string, delimiter: string): string[] =>
  (line.includes('"') ? quotedCells(line, delimiter, '"').cells : line.split(delimiter)).map((cell) =>
    cell.trim(),
  );

/** The values of a data line. @param separator `blank`, or the delimiter itself */
export const splitLine = (line: string, separator: string): string[] =>
  separator === 'blank' ? splitBlanks(line) : splitDelimited(line, separator);

/** A line, without its line end. */
export interface TextLine {
  readonly text: string;
  /** Its number, from 1. */
  readonly number: number;
  /** Whether it has bytes that are invalid in the encoding, for which the text has U+FFFD. */
  readonly isDamaged: boolean;
  /** Whether the file ends without a line end behind it. */
  readonly isOpen: boolean;
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * A text file, whose encoding and line ends are detected.
 * @throws AppError file_unreadable, invalid_input for an unknown encoding
 */
export function openText(source: Source, { encoding: chosen }: OpenOptions) {
  const { fileName } = source;
  const sample = source.sample();
  const encoding = chosen === undefined ? detectWholeEncoding(source) : chosenEncoding(chosen, sample);
  if (encoding.name.startsWith('UTF-32'))
    throw invalidInput('Files in UTF-32 aren’t supported. Save the file as UTF-8 first.', {
      field: 'encoding',
    });
  // A lone CR in a file with LF stays in its line.
  const lineEnd = codeUnits(sample, encoding).includes(LF) ? LF : CR;
  return {
    fileName,
    /** Those about its encoding, which may be a guess. */
    warnings: encodingWarnings(source, encoding),
    /**
     * Its lines, from the first one, as often as needed.
     * @throws AppError file_unreadable, file_unsuitable for a line of over 4 MB, cancelled
     */
    *lines(): Generator<TextLine> {
      const form = { delimiter: '', crEnds: lineEnd === CR, jsonLines: true };
      const reader = new RecordReader(source.read, readerOptions(fileName, encoding, form));
      for (const record of reader.all()) {
        const text = reader.text(record);
        const isDamaged = reader.hasBadBytes(record, text);
        yield { text, number: record.line, isDamaged, isOpen: record.ending === 'none' };
      }
    },
  };
}

export type TextFile = ReturnType<typeof openText>;

/**
 * The warning about an encoding that is a guess, with the first line that depends on it.
 * @param source whose encoding it is
 * @returns none for another encoding
 * @throws AppError file_unreadable
 */
export function encodingWarnings(source: Source, encoding: Encoding): readonly SourceWarning[] {
  const guess = guessOf(encoding);
  return guess ? [{ ...guess, place: lineOfFirstLetter(source), table: null, count: 0 }] : [];
}

/** The warning about a line above the rows with invalid bytes. @param line the first one */
export const damagedHeader = (line: number): SourceWarning => ({
  code: 'bad_bytes',
  message: `Line ${line} above the rows has bytes that are invalid in the encoding. Select another encoding, or repair the file.`,
  place: line,
  table: null,
  count: 1,
});
