import type { ColumnFacts } from './column-facts.ts';
import type { Example } from './time-range.ts';

/** Days in a spreadsheet's count, from 1954 to 2064: integers outside this range are rarely days. */
const days = { from: 20_000, to: 60_000 } as const;

const timeName = /(?:^|[^a-z])(?:date|time|datetime|timestamp|day)(?:[^a-z]|$)/i;
const apiName = /(?:^|[^a-z])(?:api|uwi)(?:[^a-z]|$)/i;
/** Digits of an API number: state, county, and well; with sidetrack; with event. One digit fewer means a lost zero. */
const apiDigits = new Set([10, 12, 14]);

/** Names as words: `StartTime` becomes `Start Time`. */
const inWords = (name: string): string => name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll('_', ' ');

/** Whether all numbers of a column can be days of a spreadsheet. */
export function mayBeDays({ counts, min, max }: Pick<ColumnFacts, 'counts' | 'min' | 'max'>): boolean {
  const otherCount = counts.text + counts.label + counts.code + counts.time + counts.date + counts.boolean;
  return otherCount === 0 && min !== null && max !== null && min.value >= days.from && max.value < days.to;
}

/** The first number in a column named like a time whose values can be days; null: not such a column. */
export function serialDate(name: string, facts: ColumnFacts): Example | null {
  if (!timeName.test(inWords(name)) || !mayBeDays(facts)) return null;
  return facts.firsts.number ?? facts.firsts.integer ?? null;
}

interface LostZeros extends Example {
  readonly digits: number;
  /** The number of values with fewer digits. */
  readonly count: number;
}

/** A value that lost its leading zeros, and the number of digits it should have; null: none. */
export function lostZeros(name: string, facts: ColumnFacts): LostZeros | null {
  const { counts, firsts, min } = facts;
  if (!min || counts.integer === 0 || !/^\d+$/.test(min.text)) return null;
  const { text, line } = min;
  // Codes that kept their zeros show the length of all codes.
  const code = firsts.code?.text ?? '';
  if (/^\d+$/.test(code))
    return text.length < code.length && (facts.max?.text.length ?? 0) <= code.length
      ? { text, line, digits: code.length, count: shorter(facts, code.length) }
      : null;
  const digits = text.length + 1;
  return apiName.test(inWords(name)) && apiDigits.has(digits)
    ? { text, line, digits, count: shorter(facts, digits) }
    : null;
}

const shorter = (facts: ColumnFacts, digits: number): number =>
  facts.digits.slice(0, digits).reduce((total, count) => total + count, 0);
