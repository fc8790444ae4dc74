// Files of every format → tables → rows. Other modules import this file alone.
//
// A file is detected, and converted once if its format isn't read directly. `scan` reads a whole table for its layout and
// the facts of its columns; later passes read its rows with that layout.

export { detectFile, type DetectedFile } from './conversion/detect.ts';
export { createConversions, type Conversion, type Conversions } from './conversion/conversions.ts';
export { converterVersion, directFacts, tableNamed } from './conversion/converted-table.ts';

export {
  hashFile,
  openSource,
  encodeText,
  type FileStamp,
  type NamedFile,
  type Source,
} from './reading/source.ts';
export { storedLayout, type Column, type Layout } from './reading/layout.ts';
export { cellOf, plainKinds, readRows, type FileRow, type PlainCells } from './reading/rows.ts';
export {
  maxDistinct,
  previewFile,
  scan,
  type Preview,
  type PreviewRow,
  type Scan,
  type ScanRequest,
} from './reading/scan.ts';

export {
  areExceptions,
  columnType,
  mayBeDays,
  notationOf,
  numberEnds,
  valueCount,
  type ColumnFacts,
  type ColumnType,
  type Finding,
  type JudgedType,
  type Notation,
} from './reading/columns.ts';
export { explanationOfFile, fileWarnings, inspectionOfFile, scanWarnings } from './reading/warnings.ts';
