import { DateTime } from 'luxon';
import type { DatasetType } from '../../../../shared/datasets/datasets.ts';
import { datasetShapes } from '../../../../shared/datasets/datasets.ts';
import { parseMoment, zoneOf } from '../../../../shared/language/moments.ts';
import type { Bound, Range, RangeField } from '../../../../shared/language/text/range.ts';

/** The field by which records of a type have a range; null: they have none. */
export function rangeFieldOf(type: DatasetType | null): RangeField | null {
  const path = type === null ? null : datasetShapes[type].indexField;
  return path === null ? null : { path, of: path === 'measured_depth' ? 'depth' : 'time' };
}

/** A bound as a person reads and types it, in a zone. */
export function typedBound(bound: Bound | null, zone: string): string {
  if (bound === null) return '';
  if (bound.kind === 'moment') return bound.written;
  if (bound.kind === 'depth') return String(bound.depth);
  const at = DateTime.fromMillis(bound.ms, { zone: zoneOf(zone) ?? 'utc' });
  return at.toFormat(at.millisecond === 0 ? 'yyyy-MM-dd HH:mm:ss' : 'yyyy-MM-dd HH:mm:ss.SSS');
}

/** The bound that was typed; null: open; undefined: it can't be read. */
export function boundTyped(text: string, of: RangeField['of'], zone: string): Bound | null | undefined {
  const said = text.trim();
  if (said === '') return null;
  if (of === 'depth') {
    return /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(said) ? { kind: 'depth', depth: Number(said) } : undefined;
  }
  const moment = parseMoment(said.replace(/^\{\{(.*)\}\}$/, '$1'));
  if (typeof moment === 'object')
    return { kind: 'moment', written: said.replace(/^\{\{(.*)\}\}$/, '$1').trim() };
  if (moment !== undefined || !/^\d{4}-\d{2}/.test(said)) return undefined;
  const at = DateTime.fromISO(said.replace(/\s+/, 'T'), { zone: zoneOf(zone) ?? 'utc' });
  return at.isValid ? { kind: 'time', ms: at.toMillis() } : undefined;
}

/** What is typed into the form of a range. */
export interface TypedRange {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

export type TypedProblem = 'bad' | 'zone' | 'backwards';

/** The range that was typed, or which of its parts is wrong. A bound whose text was not touched stays exactly as it was. */
export function rangeTyped(
  typed: TypedRange,
  before: Range,
  of: RangeField['of'],
): { range: Range } | { problems: Partial<Record<keyof TypedRange, TypedProblem>> } {
  const { zone } = typed;
  if (of === 'time' && !zoneOf(zone)) return { problems: { zone: 'zone' } };
  const read = (end: 'from' | 'to') =>
    typed[end] === typedBound(before[end], zone) ? before[end] : boundTyped(typed[end], of, zone);
  const from = read('from');
  const to = read('to');
  if (from === undefined || to === undefined)
    return {
      problems: { ...(from === undefined && { from: 'bad' }), ...(to === undefined && { to: 'bad' }) },
    };
  const [low, high] = [sizeOf(from), sizeOf(to)];
  if (low !== null && high !== null && low >= high) return { problems: { to: 'backwards' } };
  return { range: { from, to } };
}

/** What bounds of one kind are ordered by; moments are not known before the run. */
function sizeOf(bound: Bound | null): number | null {
  if (bound === null || bound.kind === 'moment') return null;
  return bound.kind === 'time' ? bound.ms : bound.depth;
}
