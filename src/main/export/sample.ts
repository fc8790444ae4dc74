import type { ExportSample } from '../../shared/export/export.ts';
import { recordsAsCsv } from './records/as-csv.ts';
import { csvForm } from './records/csv.ts';
import { addJson } from './records/json-lines.ts';
import { Lines } from './records/lines.ts';
import { createPathTree, RecordScanner } from './records/scan.ts';
import { createWellNamer, withNameFields, withWellField } from './records/well-names.ts';
import { checkZone, createZoneWriter } from './records/zone.ts';

const tabs = csvForm({ delimiter: '\t', newline: 'LF', bom: false, decimal: '.', escapeFormulas: false });

/**
 * The text that an export would write for a few records: CSV, the cells of a workbook with tabs between them, otherwise one JSON
 * record per line.
 * @throws AppError `bad_answer` when they aren't an array of objects; `invalid_input` for an unknown time zone
 */
export function sampleText(sample: ExportSample): string {
  const { format, csv, layout, timeZone, wellNames, names } = sample;
  if (timeZone !== undefined) checkZone(timeZone);
  const records = wellNames ? createWellNamer(names)(sample.records).toString() : sample.records;
  const wellPath = /"metadata"\s*:\s*\{[^}]*"asset_id"/.test(records) ? 'metadata.asset_id' : 'asset_id';
  const fields = wellNames ? withNameFields(withWellField(sample.fields, wellPath)) : sample.fields;
  if (format === 'csv') return recordsAsCsv(records, { fields, timeZone, layout, form: csvForm(csv) });
  if (format === 'xlsx') {
    const sheetLayout = { ...layout, times: 'spreadsheet' as const };
    return recordsAsCsv(records, { fields, timeZone: timeZone ?? 'UTC', layout: sheetLayout, form: tabs });
  }
  const page = new RecordScanner({ tree: createPathTree(), keyField: null }).scanArray(records);
  const zone = timeZone === undefined ? null : createZoneWriter(timeZone);
  const lines = new Lines();
  for (let record = 0; record < page.count; record += 1) {
    addJson(lines, page, record, { omittedFields: new Set(), zone });
    lines.text('\n');
  }
  return Buffer.from(lines.take()).toString();
}
