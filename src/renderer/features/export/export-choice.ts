import type { CsvStyle } from '../../../shared/export/csv-style.ts';
import { exportPresets, presetOptions } from '../../../shared/export/presets.ts';
import type {
  ColumnNames,
  ExportFormat,
  ExportOptions,
  ExportUnits,
  PartitionKey,
} from '../../../shared/export/export.ts';
import { localZone } from '../../format/zoned.ts';
import { choiceOf, type CsvChoice, styleOf } from './csv-options.tsx';

/** What the file is for: a preset, or options of the user's own. */
export const exportUses = [...exportPresets, 'custom'] as const;
export type ExportUse = (typeof exportUses)[number];

/** How Parquet is divided into files, as well and period; `none`: one file. */
export const partitionChoices = ['none', 'asset_id', 'day', 'month'] as const;
type PartitionChoice = (typeof partitionChoices)[number];

/** The state of the export form. */
export interface ExportChoice {
  readonly use: ExportUse;
  readonly format: ExportFormat;
  readonly csv: CsvChoice;
  /** An IANA zone; `raw`: unchanged. */
  readonly times: string;
  /** Whether a table has time and well first, and units in its header. */
  readonly isReadable: boolean;
  readonly units: ExportUnits;
  /** Whether null values such as -999.25 stay numbers in a table. */
  readonly keepsNulls: boolean;
  /** For Parquet. */
  readonly columnNames: ColumnNames;
  readonly partition: PartitionChoice;
  /** Whether the names of wells follow their asset ids; never in a file to upload again. */
  readonly hasWellNames: boolean;
}

export interface ChoiceContext {
  /** The tab's time zone; null: raw times. */
  readonly zone: string | null;
  readonly units: ReadonlyMap<string, string>;
  /** The CSV style of the settings. */
  readonly userStyle: CsvStyle;
}

/** The first choice: for Excel, unless the settings have a CSV style of another kind. */
export const firstChoice = ({ zone, userStyle }: Omit<ChoiceContext, 'units'>): ExportChoice => {
  const csv = choiceOf(userStyle);
  return {
    use: csv === 'own' || csv === 'tabs' ? 'custom' : 'excel',
    format: 'csv',
    csv,
    times: zone ?? 'raw',
    isReadable: true,
    units: 'stored',
    keepsNulls: false,
    columnNames: 'dotted',
    partition: 'none',
    hasWellNames: false,
  };
};

/** The options that an export has by its form. */
export function optionsOf(choice: ExportChoice, { zone, units, userStyle }: ChoiceContext): ExportOptions {
  const { use, format, csv, times, isReadable, hasWellNames, columnNames } = choice;
  const unitsByField = Object.fromEntries(units);
  const converted = choice.units === 'stored' || use === 'reimport' ? {} : { units: choice.units };
  const kept = choice.keepsNulls ? { nullValues: 'keep' as const } : {};
  if (use !== 'custom')
    return {
      ...presetOptions(use, { timeZone: zone ?? 'UTC', units: unitsByField, decimal: userStyle.decimal }),
      ...kept,
      ...(hasWellNames && use !== 'reimport' && { wellNames: true }),
      ...converted,
    };
  return {
    format,
    ...kept,
    ...(hasWellNames && { wellNames: true }),
    ...(format === 'csv' && { csv: styleOf(csv, userStyle) }),
    ...(isTable(format) && isReadable && { layout: { timeAndWellFirst: true, units: unitsByField } }),
    ...(times !== 'raw' && { timeZone: times }),
    ...(format === 'parquet' && columnNames !== 'dotted' && { columnNames }),
    ...converted,
  };
}

/** By what the export is divided into files; undefined: one file. */
export function partitionOf({ use, format, partition }: ExportChoice): PartitionKey[] | undefined {
  if (use !== 'custom' || format !== 'parquet' || partition === 'none') return undefined;
  return partition === 'asset_id' ? ['asset_id'] : ['asset_id', partition];
}

/** Whether a format has a header for people, with an order of columns and units. */
export const isTable = (format: ExportFormat): boolean => format === 'csv' || format === 'xlsx';

/** Whether times are text: Parquet has instants, a workbook dates, and LAS depths. */
export const isText = (format: ExportFormat): boolean =>
  format === 'csv' || format === 'ndjson' || format === 'json';

/** The time zones to select from: the tab's first. */
export const zonesFor = (zone: string | null): readonly string[] => [
  ...new Set([...(zone === null ? [] : [zone]), 'UTC', localZone()]),
];
