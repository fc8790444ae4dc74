import type { MatchedColumn } from '../../../../shared/upload/preview.ts';
import { formatTimestamp } from '../../../format/times.ts';

/**
 * A value of a record as a person reads it: times in Unix milliseconds as dates in UTC, texts without their quotes.
 * @param value its JSON text; null: no value
 */
export function valueInWords(
  value: string | null,
  { kind, reading }: Pick<MatchedColumn, 'kind' | 'reading'>,
  noValue: string,
): string {
  if (value === null) return reading === null || reading.as === 'asset' ? '' : noValue;
  if (reading?.as === 'time' && kind === 'timestamp') return `${formatTimestamp(Number(value), 'utc')} UTC`;
  if (!value.startsWith('"')) return value;
  const text: unknown = JSON.parse(value);
  return typeof text === 'string' ? text : value;
}
