import * as z from 'zod';
import { fileFacts } from '../../../shared/upload/formats.ts';
import { fileWarning } from '../../../shared/upload/upload.ts';
import { layout } from '../model/plan.ts';

/**
 * The version of what conversions write. A higher number makes files be converted again; it rises with every change that
 * lets a file come out otherwise.
 */
export const converterVersion = 1;

/** The files of a conversion in its folder. `facts.json` is written last. */
export const conversionFiles = { table: 'table.csv', places: 'places.bin', facts: 'facts.json' } as const;

/** What a conversion came to. */
export const convertedTable = z.object({
  facts: fileFacts,
  /** How the table is read; null: it is the unpacked file, and that is detected. */
  layout: layout.nullable(),
  /** Columns whose values are text by what the file says, although some look like numbers; by their place. */
  textColumns: z.array(z.int()),
  /** Whether its last rows can be sums or remarks. */
  canHaveFooter: z.boolean(),
  warnings: z.array(fileWarning),
  /** The size of `table.csv`. */
  tableBytes: z.int(),
  /** The digest of the file that was converted, not of what it held packed. */
  original: z.object({ bytes: z.int(), sha256: z.string() }),
});
export type ConvertedTable = z.infer<typeof convertedTable>;
