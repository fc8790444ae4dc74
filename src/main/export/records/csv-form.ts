import type { CsvStyle } from '../../../shared/export/csv-style.ts';

/** A way to write CSV, ready to be used for each cell. */
export interface CsvForm {
  readonly delimiter: number;
  readonly lineEnd: string;
  /** What the file begins with. */
  readonly begin: string;
  /** Whether numbers have a comma for their point. */
  readonly decimalComma: boolean;
  readonly escapeFormulas: boolean;
}

export function csvForm({ delimiter, newline, bom, decimal, escapeFormulas }: CsvStyle): CsvForm {
  return {
    delimiter: delimiter.charCodeAt(0),
    lineEnd: newline === 'LF' ? '\n' : '\r\n',
    begin: bom ? '\uFEFF' : '',
    decimalComma: decimal === ',',
    escapeFormulas,
  };
}

/** RFC 4180. */
export const plainCsv: CsvForm = {
  delimiter: 44,
  lineEnd: '\r\n',
  begin: '',
  decimalComma: false,
  escapeFormulas: false,
};

const mustQuote = /["\r\n]/;
const formula = /^[=+\-@\t\r]/;

/** A cell for a text. An empty text is quoted, so that it differs from nothing at all. */
export function cell(text: string, { delimiter, escapeFormulas }: CsvForm = plainCsv): string {
  const safe = escapeFormulas && formula.test(text) ? `'${text}` : text;
  const quoted = safe === '' || mustQuote.test(safe) || safe.includes(String.fromCharCode(delimiter));
  return quoted ? `"${safe.replaceAll('"', '""')}"` : safe;
}
