import type { FileWarning } from '../../../../shared/upload/upload.ts';
import type { WarningCode } from '../../../../shared/upload/warnings.ts';
import type { Finding, RowFinding } from './gathering.ts';
import type { Scan } from './scan.ts';

/** A number of rows as text. */
export const rowsInWords = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);

const findingWords: Record<RowFinding, (rows: string) => readonly [code: WarningCode, message: string]> = {
  too_many_cells: (rows) => [
    'ragged_rows',
    `${rows} with more cells than the header will be rejected. Put values that contain the delimiter in quotes.`,
  ],
  too_few_cells: (rows) => [
    'ragged_rows',
    `${rows} with fewer cells than the header will be rejected. Check whether they are cut off; if not, fill short rows.`,
  ],
  filled_rows: (rows) => [
    'filled_rows',
    `${rows} with fewer cells than the header. The missing cells at the end are read as blank. If these rows are cut off, reject short rows.`,
  ],
  total_rows: (rows) => [
    'total_rows',
    `${rows} that may be totals of other rows: the first cell is a word such as Total. They count as rows; delete them in the file if they are no records.`,
  ],
  unclosed_quote: (rows) => [
    'unclosed_quote',
    `${rows} with a quotation mark that isn't closed will be rejected. Close or double it.`,
  ],
  bad_quotes: (rows) => [
    'bad_quotes',
    `${rows} with ambiguous quotation marks will be rejected. Double the marks inside quoted cells.`,
  ],
  odd_quotes: (rows) => [
    'odd_quotes',
    `${rows} with a single quotation mark inside a quoted cell. Check the preview of these rows.`,
  ],
  repeated_names: (rows) => [
    'repeated_names',
    `${rows} with the same name twice in an object. The last value is used; check that the others aren’t needed.`,
  ],
  bad_bytes: (rows) => [
    'bad_bytes',
    `${rows} with bytes that are invalid in the encoding will be rejected. Select another encoding, or repair the file.`,
  ],
  bad_json: (rows) => [
    'bad_json',
    `${rows} that aren't a JSON object will be rejected. Write one object per line.`,
  ],
  nul_bytes: (rows) => ['nul_bytes', `${rows} with NUL bytes, often left by a crash, will be rejected.`],
};

const rowFindings: readonly RowFinding[] = [
  'too_many_cells',
  'too_few_cells',
  'filled_rows',
  'total_rows',
  'unclosed_quote',
  'bad_quotes',
  'odd_quotes',
  'repeated_names',
  'bad_bytes',
  'nul_bytes',
  'bad_json',
];

/** Problems in the form of rows, each with its count and first line. */
export function rowWarnings(findings: Partial<Record<RowFinding, Finding>>): FileWarning[] {
  return rowFindings.flatMap((what) => {
    const finding = findings[what];
    if (!finding) return [];
    const [code, message] = findingWords[what](rowsInWords(finding.count));
    return [{ code, message, line: finding.line, count: finding.count }];
  });
}

/** The message about lines that begin with # and are skipped. */
export const commentText = (count: number): string =>
  count === 1
    ? 'A line that begins with # is skipped as a comment.'
    : `${count} lines that begin with # are skipped as comments.`;

/** Warnings about records that begin with #. */
export function hashWarnings({ comments, hashRows }: Pick<Scan, 'comments' | 'hashRows'>): FileWarning[] {
  const warnings: FileWarning[] = [];
  if (comments) warnings.push({ code: 'comment_lines', message: commentText(comments.count), ...comments });
  if (hashRows)
    warnings.push({
      code: 'hash_rows',
      message: `${rowsInWords(hashRows.count)} that begin with # are read as rows, because they have as many cells as the header, and numbers or times where other rows have them. If they are comments, set lines with # to comments.`,
      ...hashRows,
    });
  return warnings;
}
