import { stringifyJson } from '../../../shared/json.ts';
import type { SheetValue } from '../../format/sheet-html.ts';
import { formatZoned } from '../../format/zoned.ts';
import type { Cell, ColumnKind, StoredCell } from './table.ts';

/** An IANA name; null: raw times. */
export type TimeZone = string | null;

/** A time in a zone; null: not a time, or raw. */
export function timeText(cell: Cell | StoredCell, kind: ColumnKind, zone: TimeZone): string | null {
  if (zone === null) return null;
  if (kind === 'time' && typeof cell === 'number') return formatZoned(cell, zone);
  return kind === 'date' && typeof cell === 'string' ? formatZoned(Date.parse(cell), zone) : null;
}

/** A cell as text: times in the zone, nested values as JSON, null and absent as empty text. */
export function plainText(cell: StoredCell, kind: ColumnKind, zone: TimeZone): string {
  if (cell === undefined || cell === null) return '';
  if (typeof cell === 'object') return stringifyJson(cell);
  return timeText(cell, kind, zone) ?? String(cell);
}

/** A cell for a spreadsheet: times in the zone, nested values as JSON. */
export function sheetValue(cell: StoredCell, kind: ColumnKind, zone: TimeZone): SheetValue {
  if (typeof cell === 'object' && cell !== null) return stringifyJson(cell);
  const time = timeText(cell, kind, zone);
  return time === null ? cell : { time };
}
