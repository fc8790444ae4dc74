import { counted } from './counted.ts';

export const exporting = {
  heading: 'Export all matching records',
  texts: {
    find: 'Exports all records that match, not only those shown. Limit and skip are ignored.',
    answer: 'Exports all records that match the query of these results. Limit and skip are ignored.',
    whole: 'Exports the full result in its current order.',
  },
  use: 'Preset',
  uses: {
    excel: 'Excel',
    csv: 'CSV file',
    las: 'LAS file',
    pandas: 'pandas',
    reimport: 'Upload again',
    custom: 'Custom',
  },
  presetTexts: {
    excel: (zone: string) =>
      `Excel workbook with times as dates in ${zone}, time and well first, units, and a sheet about the export.`,
    csv: (zone: string) =>
      `CSV in the style of the settings, with times in ${zone}, time and well first, and units in the header.`,
    las: () => 'LAS 2.0 with a row for each depth, and the units of the channels.',
    pandas: () => 'CSV with ISO 8601 times in UTC, time and well first, and plain column names.',
    reimport: () => 'NDJSON with all values, types, and times as stored. Uploads skip null and blank values.',
  },
  sample: 'Preview',
  noSample: 'Run the query to see a preview of the file.',
  partition: 'Files',
  partitions: {
    none: 'One file',
    asset_id: 'Folder: a file for each well',
    day: 'Folder: a file for each well and day',
    month: 'Folder: a file for each well and month',
  },
  folderText: 'The folder is listed under Mirrors, where you can update it.',
  wellNames: 'Well names beside asset IDs',
  plainNames: 'Plain names above the field names',
  depthUnit: 'Unit of the stored depths',
  depthUnitOpen: 'Select a unit',
  depthUnitNote:
    'LAS files need a depth unit, and this dataset doesn’t specify one. Your choice is saved for this dataset.',
  calculated: (names: readonly string[]) =>
    `${names.length === 1 ? 'Calculated column' : 'Calculated columns'} ${names.join(', ')}`,
  calculatedNotes: {
    noResult: 'Run the query first. Calculated columns use the columns of its result.',
    stored: 'Not included: this file contains stored values only.',
    ordered: 'Records are written in order of time or depth, because values depend on earlier rows.',
  },
  keepNulls: 'Keep null values such as -999.25 as numbers',
  readable: 'Time and well first, units in the header',
  format: 'Format',
  formats: {
    csv: 'CSV',
    xlsx: 'Excel workbook',
    ndjson: 'NDJSON',
    json: 'JSON',
    parquet: 'Parquet',
    las: 'LAS',
  },
  csvStyle: 'CSV style',
  csvStyles: {
    own: 'From settings',
    plain: 'Standard CSV (RFC 4180)',
    excel: 'Excel: adds a byte order mark and escapes formulas',
    decimalComma: 'Excel with decimal commas: semicolon-delimited',
    tabs: 'Tab-delimited, LF line endings',
  },
  only: (fields: readonly string[]) =>
    `Exports ${counted(fields.length, 'field', 'fields')}: ${fields.join(', ')}.`,
  fileName: 'File name',
  fileNameMissing: 'Enter a file name.',
  times: 'Times',
  raw: 'Unchanged (as stored)',
  iso: (zone: string) => `ISO 8601, ${zone}`,
  dates: (zone: string) => `Dates in ${zone}`,
  unitSystem: 'Units',
  unitSystems: { stored: 'As stored', us: 'US oil field', metric: 'Metric', si: 'SI' },
  columnNames: 'Column names',
  columnStyles: { dotted: 'With dots', underscore: 'With underscores' },
  start: 'Start export',
  starting: 'Starting…',
};
