import * as z from 'zod';
import { fileFacts, type DirectFormat, type FileFacts } from '../../../../shared/upload/formats.ts';
import { rawLine } from '../../../../shared/upload/preview.ts';
import { explanation, fileWarning } from '../../../../shared/upload/upload.ts';
import { layout } from '../model/plan.ts';

/** The version of conversions. Raise it with every change that alters their result; files are then converted again. */
export const converterVersion = 15;

/** The files of a conversion in its folder. `facts.json` is written last. */
export const conversionFiles = { table: 'table.csv', places: 'places.bin', facts: 'facts.json' } as const;

/** The result of a conversion. */
export const convertedTable = z.object({
  facts: fileFacts,
  /** The first lines of text in columns. */
  lines: z.array(rawLine),
  /** How the table is read; null: it is an unpacked file, whose format is detected. */
  layout: layout.nullable(),
  /** Indexes of columns whose values are text according to the file, although some look like numbers. */
  textColumns: z.array(z.int()),
  /** Whether its last rows can be totals or remarks. */
  canHaveFooter: z.boolean(),
  warnings: z.array(fileWarning),
  /** What the lines of the table were taken for. */
  explanation,
  /** The size of `table.csv`. */
  tableBytes: z.int(),
  /** The digest of the file before conversion or unpacking. */
  original: z.object({ bytes: z.int(), sha256: z.string() }),
});
export type ConvertedTable = z.infer<typeof convertedTable>;

/** Facts about a file that is read without conversion: it has one table. */
export const directFacts = (format: DirectFormat, name: string): FileFacts => ({
  format,
  compression: null,
  tables: [{ name, rows: null, columns: 0, isHidden: false }],
  table: name,
  tableNumber: 1,
  index: null,
  header: [],
  places: { kind: 'line', table: null },
  columnEdges: null,
});
