import * as z from 'zod';

/** A cell of comma-separated text, quoted where it has to be. */
export const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? quotedCell(text) : text);

/** A cell of delimited text in quotes. @param quote a mark or an apostrophe */
export const quotedCell = (text: string, quote = '"'): string =>
  quote + text.replaceAll(quote, quote + quote) + quote;

/** What spreadsheets run as a formula. Behind apostrophes it is one too, so that each escape can be undone. */
const formula = /^'*[=+\-@\t\r]/;

/** A text with an apostrophe before it if a spreadsheet would run it as a formula. */
export const escapedFormula = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** A formula that is only a text, which keeps the zeros of codes in spreadsheets: `="00123"`. */
const textFormula = /^="(?:[^"]|"")*"$/;

/** Whether a cell is a formula of a text. */
export const isTextFormula = (text: string): boolean => text.startsWith('="') && textFormula.test(text);

/** The text of {@link escapedFormula}, and that of `="00123"`, as spreadsheets show it. */
export function unescapedFormula(text: string): string {
  if (isTextFormula(text)) return text.slice(2, -1).replaceAll('""', '"');
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}

/** How CSV is written; default: RFC 4180. */
export const csvStyle = z
  .object({
    delimiter: z.enum([',', ';', '\t', '|']).default(','),
    newline: z.enum(['CRLF', 'LF']).default('CRLF'),
    /** A byte order mark, by which Excel detects UTF-8. */
    bom: z.boolean().default(false),
    decimal: z.enum(['.', ',']).default('.'),
    /** An apostrophe before texts that a spreadsheet would run as a formula. */
    escapeFormulas: z.boolean().default(false),
  })
  .refine(({ delimiter, decimal }) => delimiter !== decimal, {
    message: 'Select another delimiter. A comma can’t be both the delimiter and the decimal separator.',
    path: ['delimiter'],
  });
export type CsvStyle = z.infer<typeof csvStyle>;

/** The columns of a CSV and the times in it; default: as stored. */
export const csvLayout = z.object({
  /** Whether columns of time, depth, and well come first, and ids and other bookkeeping last. */
  timeAndWellFirst: z.boolean().default(false),
  /** Units by field, such as `data.rop`; they follow the names in the header. */
  units: z.record(z.string(), z.string()).default({}),
  /**
   * For Excel workbooks: the names that the user gave to fields. A row above the names of the columns has what engineers
   * call them. Absent: no such row.
   */
  names: z.record(z.string(), z.string()).optional(),
  /**
   * How times in a time zone are written. `spreadsheet`: `2026-11-21 06:58:01`, which Excel reads as a time; the
   * header names the time zone.
   */
  times: z.enum(['iso', 'spreadsheet']).default('iso'),
});
export type CsvLayout = z.infer<typeof csvLayout>;
