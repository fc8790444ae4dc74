import type { ExportSample } from '../../../shared/export/export.ts';
import { changeOf } from '../../../shared/channels/unit-systems.ts';
import { recordsAsCsv } from '../../core/records/as-csv.ts';
import { csvForm } from '../../core/records/csv.ts';
import { addJson } from '../../core/records/json-lines.ts';
import { TextBuffer } from '../../core/records/text-buffer.ts';
import { createPathTree } from '../../core/records/path-tree.ts';
import { RecordScanner } from '../../core/records/scan.ts';
import { createUnitConverter, layoutIn, type UnitChanges } from '../../core/records/unit-changes.ts';
import { createWellNamer, withNameFields, withWellField } from '../../core/records/well-names.ts';
import { checkZone, createZoneWriter } from '../../core/records/zone.ts';

const tabs = csvForm({ delimiter: '\t', newline: 'LF', bom: false, decimal: '.', escapeFormulas: false });

/**
 * The text that an export would write for a few records: CSV, the cells of a workbook with tabs between them, otherwise one JSON
 * record per line.
 * @throws AppError `bad_answer` when they aren't an array of objects; `invalid_input` for an unknown time zone
 */
export function sampleText(sample: ExportSample): string {
  const { format, csv, timeZone, wellNames, names, nullValues } = sample;
  if (timeZone !== undefined) checkZone(timeZone);
  const { records: converted, layout } = inUnits(sample);
  const records = wellNames ? createWellNamer(names)(converted).toString() : converted;
  const wellPath = /"metadata"\s*:\s*\{[^{}]*"asset_id"/.test(records) ? 'metadata.asset_id' : 'asset_id';
  const fields = wellNames ? withNameFields(withWellField(sample.fields, wellPath)) : sample.fields;
  if (format === 'csv')
    return recordsAsCsv(records, { fields, timeZone, layout, form: csvForm(csv), nullValues });
  if (format === 'xlsx') {
    const sheetLayout = { ...layout, times: 'spreadsheet' as const };
    const zone = timeZone ?? 'UTC';
    return recordsAsCsv(records, { fields, timeZone: zone, layout: sheetLayout, form: tabs, nullValues });
  }
  const page = new RecordScanner({ tree: createPathTree(), keyField: null }).scanArray(records);
  const zone = timeZone === undefined ? null : createZoneWriter(timeZone);
  const lines = new TextBuffer();
  for (let record = 0; record < page.count; record += 1) {
    addJson(lines, page, record, { omittedFields: new Set(), zone });
    lines.text('\n');
  }
  return Buffer.from(lines.take()).toString();
}

/** The records and the layout in the units of the export. */
function inUnits({
  records,
  layout,
  units,
  fieldUnits,
}: ExportSample): Pick<ExportSample, 'records' | 'layout'> {
  if (units === 'stored') return { records, layout };
  const changes: Record<string, UnitChanges[string]> = {};
  for (const [path, from] of Object.entries(fieldUnits)) {
    const wanted = changeOf(from, units)?.to;
    if (wanted) changes[path] = { from, to: wanted.symbol };
  }
  const tree = createPathTree();
  const page = new RecordScanner({ tree, keyField: null }).scanArray(records);
  const converted = createUnitConverter(changes, tree)(page, [...Array(page.count).keys()]);
  return { records: Buffer.from(converted).toString(), layout: layoutIn(layout, changes) };
}
