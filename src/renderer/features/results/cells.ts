import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import { offsetAt, offsetText } from '../../format/zoned.ts';
import { timeText, type TimeZone } from '../records/cell-text.ts';
import { isNested, type Cell, type ColumnKind } from '../records/table.ts';

/** The style of a cell. */
type Tone = 'plain' | 'null' | 'absent' | 'nested' | 'sentinel';

export interface CellWords {
  readonly nullCell: string;
  readonly items: (count: number) => string;
  readonly absentTip: string;
  readonly nullTip: string;
  readonly sentinelTip: (value: string) => string;
}

const isNullToken = (cell: Cell): cell is number => typeof cell === 'number' && isNullNumber(cell);

export function cellTone(cell: Cell): Tone {
  if (cell === undefined) return 'absent';
  if (cell === null) return 'null';
  if (isNullToken(cell)) return 'sentinel';
  return isNested(cell) ? 'nested' : 'plain';
}

/** A cell's text: numbers with all digits, times in the zone, empty if absent. */
export function cellText(cell: Cell, kind: ColumnKind, zone: TimeZone, words: CellWords): string {
  if (cell === undefined) return '';
  if (cell === null) return words.nullCell;
  if (isNested(cell)) return cell.array ? words.items(cell.parts) : cell.preview;
  return timeText(cell, kind, zone) ?? String(cell);
}

/** A cell's tooltip: a time's offset and raw value, the start of an array. */
export function cellTip(cell: Cell, kind: ColumnKind, zone: TimeZone, words: CellWords): string {
  if (cell === undefined) return words.absentTip;
  if (cell === null) return words.nullTip;
  if (isNullToken(cell)) return words.sentinelTip(String(cell));
  if (isNested(cell)) return cell.preview;
  const time = timeText(cell, kind, zone);
  if (time === null || zone === null) return String(cell);
  const offset = offsetText(offsetAt(typeof cell === 'number' ? cell : Date.parse(String(cell)), zone));
  const sent = kind === 'time' ? `${String(cell)} ms` : String(cell);
  if (zone === 'UTC') return `${time} UTC · ${sent}`;
  return `${time.endsWith(offset) ? time.slice(0, -offset.length - 1) : time} UTC${offset} · ${sent}`;
}
