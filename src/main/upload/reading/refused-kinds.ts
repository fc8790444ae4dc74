/** A kind of file that Wellbench doesn't read. */
interface RefusedKind {
  /** What it is, with what to do. */
  readonly what: string;
  readonly sign: RegExp;
}

const convert = (tool: string): string => `convert it to LAS, for example with ${tool}`;

/** Kinds of binary files by their first bytes, one character for each. */
export const binaryKinds: readonly RefusedKind[] = [
  { what: `a DLIS file (${convert('the Python package dlisio')})`, sign: /^[ \d]{4}V\d\.\d{2}RECORD/ },
  {
    what: `a LIS file (${convert('the Python package dlisio')})`,
    // A reel, tape, or file header record, perhaps behind a tape mark.
    sign: /^(?:\0{8}[\s\S]{4})?[\0-\x04][\s\S]{3}[\x80\x82\x84]\0[\x20-\x7e]{6}/,
  },
  { what: 'a PDF document (get the data as LAS, CSV, or Excel)', sign: /^%PDF/ },
  { what: 'a zip archive or an Excel workbook (save the sheet as CSV first)', sign: /^PK\x03\x04/ },
  {
    what: 'a binary Office file, such as an old Excel workbook (save the sheet as CSV first)',
    sign: /^\xd0\xcf\x11\xe0/,
  },
  { what: 'a PNG image', sign: /^\x89PNG/ },
  { what: 'a JPEG image', sign: /^\xff\xd8\xff/ },
  { what: 'a GIF image', sign: /^GIF8/ },
  { what: 'a TIFF image', sign: /^(?:II\*\0|MM\0\*)/ },
  { what: 'a gzip archive (unpack it first)', sign: /^\x1f\x8b/ },
  { what: 'a 7-Zip archive (unpack it first)', sign: /^7z\xbc\xaf/ },
  { what: 'a RAR archive (unpack it first)', sign: /^Rar!/ },
  { what: 'an xz archive (unpack it first)', sign: /^\xfd7zXZ/ },
  { what: 'a bzip2 archive (unpack it first)', sign: /^BZh\d/ },
  { what: 'a Zstandard archive (unpack it first)', sign: /^\x28\xb5\x2f\xfd/ },
  { what: 'a Parquet file', sign: /^PAR1/ },
  { what: 'an Arrow file (convert it to Parquet, for example with DuckDB)', sign: /^ARROW1/ },
  { what: 'an ORC file (convert it to Parquet, for example with DuckDB)', sign: /^ORC/ },
  { what: 'an Avro file (convert it to Parquet, for example with DuckDB)', sign: /^Obj\x01/ },
  { what: 'an HDF5 file (export the table as CSV, for example with HDFView)', sign: /^\x89HDF/ },
  {
    what: 'an SQLite database (export the table as CSV, for example with sqlite3)',
    sign: /^SQLite format 3/,
  },
  {
    what: 'an Access database (export the table as CSV in Access)',
    sign: /^\0\x01\0\0Standard (?:Jet|ACE) DB/,
  },
  { what: 'text in UTF-32 (save it as UTF-8 first)', sign: /^\xff\xfe\0\0/ },
];

/** Kinds of text that are no table. */
export const textKinds: readonly RefusedKind[] = [
  {
    what: 'a LAS file (export its curves as CSV first)',
    sign: /^(?:\s*#[^\n\r]*[\n\r]+|\s*[\n\r])*\s*~(?:V|v)/,
  },
  {
    what: 'a web page, perhaps a sign-in page (download the data itself)',
    sign: /^\s*<(?:!doctype html|html)/i,
  },
  { what: 'an XML file without a WITSML log (export it as CSV first)', sign: /^\s*<\?xml/i },
  { what: 'an RTF document (save it as text first)', sign: /^\{\\rtf/ },
  {
    what: 'a JSON file that isn’t a list of records (export it as CSV, or as NDJSON with one object a line)',
    sign: /^\s*(?:\[\s*[[{]|\{\s*"(?:[^"\\]|\\.)*"\s*:)/,
  },
];
