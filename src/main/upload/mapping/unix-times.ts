import type { FileWarning } from '../../../shared/upload/upload.ts';
import type { ColumnFacts } from '../reading/column-facts.ts';

/** Numbers of ten digits are seconds since 1970, those of thirteen milliseconds; a column has one of them. */
const countsOf = ({ digits }: ColumnFacts) => ({ seconds: digits[10] ?? 0, milliseconds: digits[13] ?? 0 });

/** What the numbers of a column look like. */
export function unixUnit(facts: ColumnFacts): 'unix_s' | 'unix_ms' | 'mixed' {
  const { seconds, milliseconds } = countsOf(facts);
  if (seconds > 0 && milliseconds > 0) return 'mixed';
  return seconds > 0 ? 'unix_s' : 'unix_ms';
}

/** A warning that some numbers of a column look like those of the other format: they would be times of 1970 or of the far future. */
export function mixedUnixTimes(column: string, format: string, facts: ColumnFacts): FileWarning[] {
  if (!format.startsWith('unix_') || unixUnit(facts) !== 'mixed') return [];
  const { seconds, milliseconds } = countsOf(facts);
  const [count, unit, example] =
    format === 'unix_ms'
      ? ([seconds, 'seconds', facts.min] as const)
      : ([milliseconds, 'milliseconds', facts.max] as const);
  return [
    {
      code: 'mixed_dates',
      message: `Column “${column}”: ${count === 1 ? '1 number looks' : `${count} numbers look`} like ${unit}, such as ${example?.text ?? ''}. Correct them in the file: they are read as ${format}.`,
      line: example?.line ?? null,
      column,
      count,
    },
  ];
}
