import * as z from 'zod';

/** The formats that Wellbench reads, by the names that summaries and plans have. */
export const fileFormat = z.enum([
  'csv',
  'ndjson',
  'json',
  'xlsx',
  'xls',
  'las',
  'witsml',
  'parquet',
  'text',
  'wits0',
  'dlis',
  'lis',
]);
export type FileFormat = z.infer<typeof fileFormat>;

/** The formats that are read as they are. */
export type DirectFormat = 'csv' | 'ndjson';

/** The formats that are converted before they are read. */
export type SourceFormat = Exclude<FileFormat, DirectFormat>;

/** Whether a format is read as it is, without conversion. */
export const isDirectFormat = (format: FileFormat): format is DirectFormat =>
  format === 'csv' || format === 'ndjson';

/** A line of text as it is read and cut into columns: a tab counts as eight blanks. */
export const expandTabs = (text: string): string => text.replaceAll('\t', '        ');

export const compression = z.enum(['gzip', 'zip']);
export type Compression = z.infer<typeof compression>;

export const fileTable = z.object({
  name: z.string(),
  /** Null: they were not counted. */
  rows: z.int().nullable(),
  columns: z.int(),
  isHidden: z.boolean(),
});
export type FileTable = z.infer<typeof fileTable>;

/** The options that concern one table of a file. */
type OfOneTable = Partial<Record<'headerRow' | 'unitRow' | 'footerRows' | 'columnEdges', unknown>>;

/** How a file is read to get another of its tables. */
export function readingOfOther<Reading extends OfOneTable>(
  reading: Reading,
  table: string,
): Omit<Reading, keyof OfOneTable> & { readonly table: string } {
  const { headerRow: _, unitRow: __, footerRows: ___, columnEdges: ____, ...ofFile } = reading;
  return { ...ofFile, table };
}

/**
 * How a file is read to get one of its tables: by its name, or by its number where another table has that name.
 * @param number of the table, from 1
 */
export function readingOfTable<Reading extends OfOneTable>(
  tables: readonly Pick<FileTable, 'name'>[],
  number: number,
  reading: Reading,
): ReturnType<typeof readingOfOther<Reading>> {
  const names = tables.map(({ name }) => name.trim().toLowerCase());
  const name = names[number - 1] ?? '';
  const isUnique = names.filter((other) => other === name).length === 1;
  const table = isUnique && name !== '' ? (tables[number - 1]?.name ?? '') : String(number);
  return readingOfOther(reading, table);
}

/** An entry of a file's header, such as the name of a well. */
const fileHeaderEntry = z.object({
  group: z.string(),
  name: z.string(),
  value: z.string(),
  unit: z.string().nullable(),
  description: z.string().nullable(),
});
export type FileHeaderEntry = z.infer<typeof fileHeaderEntry>;

/** What the numbers count by which messages say where rows stand in a file, and in which of its tables. */
export const rowPlaces = z.object({
  kind: z.enum(['line', 'row', 'element', 'frame']),
  /** Null: the file has one table. */
  table: z.string().nullable(),
});
export type RowPlaces = z.infer<typeof rowPlaces>;

export const linePlaces: RowPlaces = { kind: 'line', table: null };

/** What a file is, and which of its tables is read. */
export const fileFacts = z.object({
  format: fileFormat,
  compression: compression.nullable(),
  tables: z.array(fileTable),
  /** The name of the table that is read. */
  table: z.string(),
  /** The place of that table among them, counted from 1: names can repeat. */
  tableNumber: z.int(),
  /** The column that orders it, where the format says so. */
  index: z
    .object({
      name: z.string(),
      unit: z.string().nullable(),
      /** A vertical depth orders rows, but isn't the depth of a record. */
      kind: z.enum(['time', 'depth', 'vertical_depth', 'other']),
    })
    .nullable(),
  header: z.array(fileHeaderEntry),
  places: rowPlaces,
  /** Of text in columns: the positions between them, in characters from the start of a line; null: unknown. */
  columnEdges: z.array(z.int()).nullable(),
});
export type FileFacts = z.infer<typeof fileFacts>;

/** The name of the index column if it is a vertical depth; else null. */
export const verticalIndex = (index: FileFacts['index']): string | null =>
  index?.kind === 'vertical_depth' ? index.name : null;

/** A place in words: "line 40"; "sheet Drilling, row 12". */
export function placeOfRow({ kind, table }: RowPlaces, place: number): string {
  const placeText = `${kind} ${place}`;
  if (table === null) return placeText;
  return `${kind === 'row' ? 'sheet' : 'table'} ${table}, ${placeText}`;
}

/** Kinds of files for dialogs, with the extensions that they usually have. The content decides what a file is. */
export const fileKinds = [
  { name: 'CSV and other text tables', extensions: ['csv', 'tsv', 'psv', 'txt', 'dev', 'prn', 'asc'] },
  { name: 'Excel workbooks', extensions: ['xlsx', 'xlsm', 'xls'] },
  { name: 'LAS files', extensions: ['las'] },
  { name: 'DLIS and LIS files', extensions: ['dlis', 'lis'] },
  { name: 'WITSML logs', extensions: ['xml', 'witsml'] },
  { name: 'WITS files', extensions: ['wits', 'wits0'] },
  { name: 'JSON files', extensions: ['json', 'geojson', 'ndjson', 'jsonl'] },
  { name: 'Parquet files', extensions: ['parquet'] },
  { name: 'Compressed files', extensions: ['gz', 'zip'] },
] as const;

export const fileExtensions: readonly string[] = fileKinds.flatMap(({ extensions }) => [...extensions]);
