import type { CsvStyle } from './csv-style.ts';
import type { ExportOptions } from './export.ts';

export const exportPresets = ['excel', 'pandas', 'reimport'] as const;
type ExportPreset = (typeof exportPresets)[number];

interface PresetContext {
  /** The time zone of the times that a person reads. */
  readonly timeZone: string;
  readonly units: Readonly<Record<string, string>>;
  /** The user's decimal separator. */
  readonly decimal: CsvStyle['decimal'];
}

/** The options of a preset. */
export function presetOptions(preset: ExportPreset, context: PresetContext): ExportOptions {
  switch (preset) {
    case 'excel':
      return {
        format: 'xlsx',
        // For a file that is to be CSV.
        csv: {
          bom: true,
          escapeFormulas: true,
          ...(context.decimal === ',' ? { delimiter: ';', decimal: ',' } : {}),
        },
        layout: { timeAndWellFirst: true, units: { ...context.units }, times: 'spreadsheet' },
        timeZone: context.timeZone,
      };
    case 'pandas':
      // One offset for the whole file: pandas reads a column with several offsets as objects, not as times.
      return { format: 'csv', csv: { newline: 'LF' }, layout: { timeAndWellFirst: true }, timeZone: 'UTC' };
    case 'reimport':
      // NDJSON keeps the type of each value; a CSV can't distinguish null from absent, or 12 from "12".
      return { format: 'ndjson' };
  }
}
