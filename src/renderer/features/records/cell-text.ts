import { stringifyJson } from '../../../shared/json.ts';
import { formatZoned } from '../../format/zoned.ts';
import type { Cell, ColumnKind, HeldCell } from './table.ts';

/** An IANA name; null: times stay as the service gave them. */
export type TimeZone = string | null;

/** A time's text in a zone; null: the cell holds no time, or is to stay as it came. */
export function timeText(cell: Cell | HeldCell, kind: ColumnKind, zone: TimeZone): string | null {
  if (zone === null) return null;
  if (kind === 'time' && typeof cell === 'number') return formatZoned(cell, zone);
  return kind === 'date' && typeof cell === 'string' ? formatZoned(Date.parse(cell), zone) : null;
}

/** A whole cell as text: times in the zone, what is nested as JSON, null and absent as nothing. */
export function plainText(cell: HeldCell, kind: ColumnKind, zone: TimeZone): string {
  if (cell === undefined || cell === null) return '';
  if (typeof cell === 'object') return stringifyJson(cell);
  return timeText(cell, kind, zone) ?? String(cell);
}
