import { minPlausibleMs } from '../../../shared/instants.ts';
import type { FileWarning } from '../../../shared/upload/upload.ts';
import type { ColumnFacts } from '../tables/tables.ts';
import { wallMs } from '../../world/time.ts';

const unixFormats = ['unix_s', 'unix_ms', 'unix_us', 'unix_ns'] as const;
export type UnixFormat = (typeof unixFormats)[number];

/** Whether a format counts time since 1970. */
export const isUnixFormat = (format: string): format is UnixFormat =>
  unixFormats.some((unix) => unix === format);

/** How many of each make a millisecond. */
export const unitsPerMs: Readonly<Record<UnixFormat, number>> = {
  unix_s: 0.001,
  unix_ms: 1,
  unix_us: 1000,
  unix_ns: 1_000_000,
};

export const unixUnitNames: Readonly<Record<UnixFormat, string>> = {
  unix_s: 'seconds',
  unix_ms: 'milliseconds',
  unix_us: 'microseconds',
  unix_ns: 'nanoseconds',
};

/** The digits of numbers from 1973 to 5138 in each format: three digits apart, so that each number fits one of them. */
const digitsOf: Readonly<Record<UnixFormat, { readonly from: number; readonly to: number }>> = {
  unix_s: { from: 9, to: 11 },
  unix_ms: { from: 12, to: 14 },
  unix_us: { from: 15, to: 17 },
  unix_ns: { from: 18, to: 20 },
};

/** The end of next year: plans reach that far. */
const maxPlausibleMs = (): number => Date.UTC(new Date(wallMs()).getUTCFullYear() + 2, 0, 1);

/** Whether records of wells can be of this time, in Unix milliseconds: from 1950 to the end of next year. */
export const isPlausibleTime = (ms: number): boolean => ms >= minPlausibleMs && ms < maxPlausibleMs();

/** The format of a number by its size; null: too small or too large to tell. */
const formatOf = (value: number): UnixFormat | null => {
  const digits = String(Math.trunc(Math.abs(value))).length;
  return (
    unixFormats.find((format) => digits >= digitsOf[format].from && digits <= digitsOf[format].to) ?? null
  );
};

const countIn = ({ digits }: ColumnFacts, format: UnixFormat): number =>
  digits.slice(digitsOf[format].from, digitsOf[format].to + 1).reduce((total, count) => total + count, 0);

export type UnixUnit = UnixFormat | 'mixed' | 'unknown';

/**
 * What the numbers of a column look like, by their sizes. `mixed`: several formats. `unknown`: counts since another
 * time, or times before 1950 or after next year.
 */
export function unixUnit(facts: ColumnFacts): UnixUnit {
  const ends = [facts.min, facts.max].flatMap((end) => end ?? []);
  const formats = new Set(ends.flatMap(({ value }) => formatOf(value) ?? []));
  for (const format of unixFormats) if (countIn(facts, format) > 0) formats.add(format);
  const [format, ...others] = formats;
  if (format === undefined) return 'unknown';
  if (others.length > 0) return 'mixed';
  const isPlausible = ends.some(({ value }) => isPlausibleTime(value / unitsPerMs[format]));
  return isPlausible ? format : 'unknown';
}

/**
 * Warnings about numbers of a column that don't fit its format: they would be times of 1970, before 1950, or of the far
 * future.
 */
export function oddUnixTimes(column: string, format: string, facts: ColumnFacts): FileWarning[] {
  if (!isUnixFormat(format)) return [];
  const warning = (message: string, end: ColumnFacts['min'], count: number): FileWarning => ({
    code: 'implausible_times',
    message: `Column “${column}”: ${message}`,
    line: end?.line ?? null,
    column,
    count,
    ...(end ? { cell: end.text } : {}),
  });
  const otherFormats = unixFormats.filter((other) => other !== format && countIn(facts, other) > 0);
  if (otherFormats.length > 0)
    return otherFormats.map((other) => {
      const count = countIn(facts, other);
      const example = [facts.min, facts.max].find((end) => end && formatOf(end.value) === other) ?? null;
      const words = `${count === 1 ? '1 number looks' : `${count} numbers look`} like ${unixUnitNames[other]}${example ? `, such as ${example.text}` : ''}. Correct them in the file: they are read as ${format}.`;
      return warning(words, example, count);
    });
  return [facts.min, facts.max].flatMap((end) => {
    if (!end || isPlausibleTime(end.value / unitsPerMs[format])) return [];
    const time = new Date(end.value / unitsPerMs[format]);
    const text = Number.isNaN(time.getTime()) ? 'no time' : time.toISOString().slice(0, 10);
    return [warning(`${end.text} is ${text} as ${format}, which is no plausible time.`, end, 1)];
  });
}
