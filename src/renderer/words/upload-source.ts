import type { FileFormat, FileTable, RowPlaces } from '../../shared/upload/formats.ts';
import { visibleLine } from '../../shared/errors/errors.ts';
import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

export type PlaceKind = RowPlaces['kind'];

const formats: Readonly<Record<FileFormat, string>> = {
  csv: 'CSV or other delimited text',
  ndjson: 'JSON Lines',
  json: 'JSON',
  xlsx: 'Excel workbook',
  xls: 'Excel workbook (.xls)',
  las: 'LAS',
  witsml: 'WITSML log',
  parquet: 'Parquet',
  text: 'Text with aligned columns',
  wits0: 'WITS level 0',
  dlis: 'DLIS',
  lis: 'LIS',
};

const places: Readonly<Record<PlaceKind, { readonly one: string; readonly title: string }>> = {
  line: { one: 'line', title: 'Line' },
  row: { one: 'row', title: 'Row' },
  element: { one: 'element', title: 'Element' },
  frame: { one: 'frame', title: 'Frame' },
};

/** A place in a file: "line 40", "row 12". */
export const placeText = (place: number, kind: PlaceKind = 'line'): string =>
  `${places[kind].one} ${formatCount(place)}`;

/** Strings for formats of files, their tables, and their headers. */
export const source = {
  format: 'Format',
  formats,
  compressed: (format: string, compression: 'gzip' | 'zip') => `${format}, ${compression} compressed`,
  table: 'Table',
  tables: (count: number) => `${formatCount(count)} tables`,
  tableText: ({ name, rows, columns, isHidden }: FileTable) =>
    [
      visibleLine(name),
      ...(rows === null ? [] : [counted(rows, 'row', 'rows')]),
      counted(columns, 'column', 'columns'),
      ...(isHidden ? ['hidden'] : []),
    ].join(' · '),
  index: 'Index',
  indexText: (name: string, unit: string | null, kind: 'time' | 'depth' | 'other') =>
    [unit === null ? name : `${name} [${unit}]`, ...(kind === 'other' ? [] : [kind])].join(', '),
  header: 'File header',
  headerName: 'Name',
  headerValue: 'Value',
  headerDescription: 'Description',
  placeTitle: (kind: PlaceKind) => places[kind].title,
  placeTip: (kind: PlaceKind) => `${places[kind].title} in the file`,
  firstPlaces: (kind: PlaceKind) => `First ${places[kind].one}s`,
};
