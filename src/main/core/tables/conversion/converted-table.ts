import { invalidInput, unsuitable } from '../../../../shared/errors/errors.ts';
import { firstInWords } from '../../../../shared/lists.ts';
import type { SourceTable } from '../sources/source.ts';
import * as z from 'zod';
import { fileFacts, type DirectFormat, type FileFacts } from '../../../../shared/upload/formats.ts';
import { rawLine } from '../../../../shared/upload/preview.ts';
import { explanation, fileWarning } from '../../../../shared/upload/upload.ts';
import { storedLayout } from '../reading/layout.ts';

/** Maximum memory of the process that reads a Parquet file, in megabytes: beside the engine's own, values of 2,048 rows. */
export const maxProcessMb = 1024;

/** Memory of the engine that reads a Parquet file, in megabytes. A row group of any size is read page by page. */
export const engineMb = 512;

const mega = 1 << 20;
const giga = 1 << 30;

/** Maximum number of bytes written for one file, whatever size it declares. */
const maxBytes = 16 * giga;

/** Maximum ratio of content to file size once the content is larger than `freeBytes`. */
const limits = {
  /** Logs and measurements compress to a twentieth; a file of one repeated byte to a thousandth. */
  unpacked: { freeBytes: 64 * mega, ratio: 250 },
  /** A column of one value takes almost no space in a workbook or a Parquet file. */
  converted: { freeBytes: 256 * mega, ratio: 1000 },
} as const;

/**
 * Prevents a small file from filling the disk.
 * @param bytes written so far
 * @param from bytes of the file
 * @throws AppError file_unsuitable
 */
export function checkGrowth(file: string, what: keyof typeof limits, bytes: number, from: number): void {
  const { freeBytes, ratio } = limits[what];
  const isBomb = bytes > freeBytes && bytes > from * ratio;
  if (!isBomb && bytes <= maxBytes) return;
  const reason = isBomb
    ? `its content is more than ${ratio} times larger than the file, like a decompression bomb`
    : 'its content is larger than 16 GB';
  throw unsuitable(file, reason);
}

/** The version of conversions. Raise it with every change that alters their result; files are then converted again. */
export const converterVersion = 25;

/** The files of a conversion in its folder. `facts.json` is written last. */
export const conversionFiles = { table: 'table.csv', places: 'places.bin', facts: 'facts.json' } as const;

export const convertedTable = z.object({
  facts: fileFacts,
  /** The first lines of text in columns. */
  lines: z.array(rawLine),
  /** How the table is read; null: it is an unpacked file, whose format is detected. */
  layout: storedLayout.nullable(),
  warnings: z.array(fileWarning),
  explanation,
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

const namesShown = 20;

/**
 * The index of the table with a name or number.
 * @param wanted a name, in any case, or a number from 1; names take precedence
 * @throws AppError invalid_input with the list of tables
 */
export function tableNamed(tables: readonly Pick<SourceTable, 'name'>[], wanted: string): number {
  const index = indexNamed(tables, wanted);
  if (index >= 0) return index;
  const names = tables.map(({ name }, at) => `${at + 1} “${name}”`);
  throw invalidInput(
    `The file has no table “${wanted}”. Select one of these: ${firstInWords(names, namesShown)}.`,
    { field: 'table' },
    { tables: tables.map(({ name }) => name) },
  );
}

/** The index of the table with a name or number, as in {@link tableNamed}; -1: none. */
export function indexNamed(tables: readonly Pick<SourceTable, 'name'>[], wanted: string): number {
  const exact = tables.findIndex(({ name }) => name === wanted);
  if (exact >= 0) return exact;
  const alike = tables.findIndex(({ name }) => name.trim().toLowerCase() === wanted.trim().toLowerCase());
  if (alike >= 0) return alike;
  const number = /^\d{1,9}$/.test(wanted) ? Number(wanted) : 0;
  return number >= 1 && number <= tables.length ? number - 1 : -1;
}
