import type { QualityReport } from '../../../shared/quality/quality-report.ts';
import { formatDuration } from '../../format/times.ts';
import { formatZoned } from '../../format/zoned.ts';
import {
  boundsOf,
  writeRange,
  writeScope,
  type RangeField,
} from '../../../shared/language/text/conditions.ts';

/** Formats places of an index, and distances between them. */
export interface PlaceText {
  readonly place: (value: number) => string;
  readonly distance: (value: number) => string;
}

// The significant digits of a depth.
const numberText = (value: number): string => String(Number(value.toPrecision(9)));

/** The texts of a report's places. @param zone an IANA name; null: UTC */
export function placeText(
  { kind, unit }: Pick<QualityReport['index'], 'kind' | 'unit'>,
  zone: string | null,
): PlaceText {
  if (kind === 'time')
    return {
      place: (value) => formatZoned(Math.round(value), zone ?? 'UTC'),
      distance: (value) => {
        if (value < 1000) return `${numberText(value)} ms`;
        return value < 60_000 ? `${numberText(value / 1000)} s` : formatDuration(value);
      },
    };
  const suffix = unit === null || kind === 'rows' ? '' : ` ${unit}`;
  return {
    place: (value) => `${numberText(value)}${suffix}`,
    distance: (value) => `${numberText(value)}${suffix}`,
  };
}

/** A place alone is shown with the records around it: a minute of time, or ten units of depth. */
const around = { time: 30_000, depth: 5 } as const;

/** A query with a condition of its own, or, where it has no place for one, beside it. */
const narrowed = (query: string, write: (query: string) => string | null): string =>
  // The query is on lines of its own: it may end with a comment.
  write(query) ?? `{ $and: [\n${query}\n, ${write('{}') ?? '{}'}] }`;

/** A query for the records of a finding's well, by the name of its series; all of them if that names no well. */
export function queryOfSeries(query: string, path: string, series: string): string {
  const id = /^\d{1,15}(?= |$)/.exec(series)?.[0];
  if (id === undefined) return query;
  return narrowed(query, (text) => writeScope(text, path, { kind: 'ids', ids: [Number(id)] }));
}

/** Both ends are included. @param to equals `from` for a single place */
export function queryOfRange(query: string, field: RangeField, from: number, to: number): string {
  const margin = to > from ? 0 : around[field.of];
  const range = boundsOf(field, { from: from - margin, to: to + margin });
  return narrowed(query, (text) => writeRange(text, field, range));
}
