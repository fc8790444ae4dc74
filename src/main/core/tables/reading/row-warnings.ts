import { countInWords } from '../../../../shared/lists.ts';
import type { FileWarning } from '../../../../shared/upload/upload.ts';
import type { WarningCode } from '../../../../shared/upload/warnings.ts';
import type { Finding } from './gathering.ts';
import type { Escapes } from './rows.ts';
import type { Scan } from './scan.ts';

/** A number of rows as text. */
export const rowsInWords = (count: number): string => countInWords(count, 'row', 'rows');

/** The findings in the form of rows, in the order of their warnings, with the code and the sentence about the rows. */
const findingWords = [
  [
    'too_many_cells',
    'ragged_rows',
    'with more cells than the header will be rejected. Put values that contain the delimiter in quotes.',
  ],
  [
    'too_few_cells',
    'ragged_rows',
    'with fewer cells than the header will be rejected. Check whether they are cut off; if not, fill short rows.',
  ],
  [
    'filled_rows',
    'filled_rows',
    'with fewer cells than the header. The missing cells at the end are read as blank. If these rows are cut off, reject short rows.',
  ],
  [
    'total_rows',
    'total_rows',
    'that may be totals of other rows: the first cell is a word such as Total. They count as rows; delete them in the file if they are no records.',
  ],
  [
    'unclosed_quote',
    'unclosed_quote',
    "with a quotation mark that isn't closed will be rejected. Close or double it.",
  ],
  [
    'bad_quotes',
    'bad_quotes',
    'with ambiguous quotation marks will be rejected. Double the marks inside quoted cells.',
  ],
  [
    'odd_quotes',
    'odd_quotes',
    'with a single quotation mark inside a quoted cell. Check the preview of these rows.',
  ],
  [
    'repeated_names',
    'repeated_names',
    'with the same name twice in an object. The last value is used; check that the others aren’t needed.',
  ],
  [
    'bad_bytes',
    'bad_bytes',
    'with bytes that are invalid in the encoding will be rejected. Select another encoding, or repair the file.',
  ],
  ['nul_bytes', 'nul_bytes', 'with NUL bytes, often left by a crash, will be rejected.'],
  ['bad_json', 'bad_json', "that aren't a JSON object will be rejected. Write one object per line."],
] as const satisfies readonly (readonly [finding: string, code: WarningCode, words: string])[];

export type RowFinding = (typeof findingWords)[number][0];

/** Problems in the form of rows, each with its count and first line. */
export function rowWarnings(findings: Partial<Record<RowFinding, Finding>>): FileWarning[] {
  return findingWords.flatMap(([what, code, words]) => {
    const finding = findings[what];
    return finding ? [{ code, message: `${rowsInWords(finding.count)} ${words}`, ...finding }] : [];
  });
}

/** What became of cells whose escape of a formula was removed. */
export const escapesText = ({ count, textColumns }: Escapes): string =>
  textColumns.size > 0
    ? `${countInWords(count, 'cell is a formula of a text, such as ="00123", or begins', 'cells are formulas of texts, such as ="00123", or begin')} with an apostrophe before =, +, -, or @: the text inside is read, as spreadsheets show it.`
    : `${countInWords(count, 'cell begins', 'cells begin')} with an apostrophe before =, +, -, or @, as exports escape formulas: read without it.`;

/** The warning about cells whose escape of a formula was removed; none: there are no such cells. */
export const escapeWarnings = ({ escapes }: Pick<Scan, 'escapes'>): FileWarning[] =>
  escapes === null
    ? []
    : [
        {
          code: 'escaped_formulas',
          message: `${escapesText(escapes)} If these signs are part of the values, set apostrophes to keep.`,
          count: escapes.count,
          line: escapes.line,
        },
      ];

/** The message about lines that begin with # and are skipped. */
export const commentText = (count: number): string =>
  count === 1
    ? 'A line that begins with # is skipped as a comment.'
    : `${count} lines that begin with # are skipped as comments.`;

/** Warnings about records that begin with #. */
export function hashWarnings({ comments, hashRows }: Pick<Scan, 'comments' | 'hashRows'>): FileWarning[] {
  const warnings: FileWarning[] = [];
  if (comments) warnings.push({ code: 'comment_lines', message: commentText(comments.count), ...comments });
  if (hashRows) {
    const message = `${rowsInWords(hashRows.count)} that begin with # are read as rows, because they have as many cells as the header, and numbers or times where other rows have them. If they are comments, set lines with # to comments.`;
    warnings.push({ code: 'hash_rows', message, ...hashRows });
  }
  return warnings;
}
