import * as z from 'zod';

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
