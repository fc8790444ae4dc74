import type { FileWarning } from '../../../shared/upload/upload.ts';
import type { WarningCode } from '../../../shared/upload/warnings.ts';
import type { Finding, RowFinding } from './gathering.ts';

/** So many rows, in words. */
export const rowsInWords = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);

const findingWords: Record<RowFinding, (rows: string) => readonly [code: WarningCode, message: string]> = {
  too_many_cells: (rows) => [
    'ragged_rows',
    `${rows} with more cells than the header has names. They will be rejected; check for delimiters that should be in quotes.`,
  ],
  too_few_cells: (rows) => [
    'ragged_rows',
    `${rows} with fewer cells than the header has names. They will be rejected; a row may have been cut off.`,
  ],
  unclosed_quote: (rows) => [
    'unclosed_quote',
    `${rows} with a quotation mark that is never closed. They will be rejected; close it or double it.`,
  ],
  bad_quotes: (rows) => [
    'bad_quotes',
    `${rows} with quotation marks that can be read in several ways. They will be rejected; double marks inside a quoted cell.`,
  ],
  odd_quotes: (rows) => [
    'odd_quotes',
    `${rows} with a quotation mark inside a quoted cell that is not doubled. What was meant seems clear; check it.`,
  ],
  bad_bytes: (rows) => [
    'bad_bytes',
    `${rows} with bytes that are not valid in the encoding. They will be rejected; choose another encoding or repair them.`,
  ],
  bad_json: (rows) => [
    'bad_json',
    `${rows} that are no JSON object. They will be rejected; each line must be one object.`,
  ],
  nul_bytes: (rows) => [
    'nul_bytes',
    `${rows} with NUL bytes, as a crash leaves them. They will be rejected.`,
  ],
};

const rowFindings: readonly RowFinding[] = [
  'too_many_cells',
  'too_few_cells',
  'unclosed_quote',
  'bad_quotes',
  'odd_quotes',
  'bad_bytes',
  'nul_bytes',
  'bad_json',
];

/** What is wrong with the form of rows, each with their number and the first line. */
export function rowWarnings(findings: Partial<Record<RowFinding, Finding>>): FileWarning[] {
  return rowFindings.flatMap((what) => {
    const found = findings[what];
    if (!found) return [];
    const [code, message] = findingWords[what](rowsInWords(found.count));
    return [{ code, message, line: found.line, count: found.count }];
  });
}
