import type { Zone } from '../../format/times.ts';
import { formatTimestamp, localOffset } from '../../format/times.ts';
import { isNested, type Cell, type ColumnKind } from './records/table.ts';

/** How a cell is drawn, apart from its text. */
export type Tone = 'plain' | 'null' | 'absent' | 'nested' | 'sentinel';

/** Cells are worded by whoever shows them. */
export interface CellWords {
  readonly nullCell: string;
  readonly items: (count: number) => string;
  readonly absentTip: string;
  readonly nullTip: string;
  readonly sentinelTip: string;
}

/** What loggers of wells write where they measured nothing. */
export const sentinel = -999.25;

export function toneOf(cell: Cell): Tone {
  if (cell === undefined) return 'absent';
  if (cell === null) return 'null';
  if (cell === sentinel) return 'sentinel';
  return isNested(cell) ? 'nested' : 'plain';
}

/**
 * A cell's text. Numbers stand with all their digits, as the service gave them; times in the zone. Absent is empty.
 */
export function cellText(cell: Cell, kind: ColumnKind, zone: Zone, words: CellWords): string {
  if (cell === undefined) return '';
  if (cell === null) return words.nullCell;
  if (isNested(cell)) return cell.array ? words.items(cell.parts) : cell.preview;
  if (kind === 'time' && typeof cell === 'number') return formatTimestamp(cell, zone);
  return String(cell);
}

/** What a cell says when it is pointed at: of a time the raw milliseconds, of an array how it begins. */
export function cellTip(cell: Cell, kind: ColumnKind, zone: Zone, words: CellWords): string {
  if (cell === undefined) return words.absentTip;
  if (cell === null) return words.nullTip;
  if (cell === sentinel) return words.sentinelTip;
  if (isNested(cell)) return cell.preview;
  if (kind === 'time' && typeof cell === 'number') {
    const offset = zone === 'utc' ? 'UTC' : `UTC${localOffset(cell)}`;
    return `${formatTimestamp(cell, zone)} ${offset} · ${cell} ms`;
  }
  return String(cell);
}
