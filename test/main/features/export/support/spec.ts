import { recordTimes } from '../../../../../src/main/core/records/zone.ts';
import type { WriterSpec } from '../../../../../src/main/core/write/spec.ts';
import { csvLayout, csvStyle } from '../../../../../src/shared/csv.ts';

/** The default options of a writer: every field, as stored. */
export const plainSpec = {
  csv: csvStyle.parse({}),
  layout: csvLayout.parse({}),
  nullValues: 'blank',
  fields: [],
  omittedFields: [],
  timeZone: null,
  timeColumns: recordTimes,
  wellNames: null,
  rule: null,
  about: {
    version: '1.2.3',
    dataUrl: 'https://data.example.com',
    dataset: 'demo/wits',
    request: '{"query":{},"sort":{"timestamp":1}}',
    started: '2026-11-24T08:00:00.000Z',
    timeZone: 'UTC',
    columns: {},
  },
} as const satisfies Partial<WriterSpec>;
