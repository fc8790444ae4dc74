import type { QualityReport } from '../../../shared/quality/quality-report.ts';
import { formatDuration } from '../../format/times.ts';
import { formatZoned } from '../../format/zoned.ts';

/** Formats places of an index, and distances between them. */
export interface PlaceText {
  readonly place: (value: number) => string;
  readonly distance: (value: number) => string;
}

// The significant digits of a depth.
const numberText = (value: number): string => String(Number(value.toPrecision(9)));

/**
 * The texts of a report's places.
 * @param zone an IANA name; null: UTC
 */
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
