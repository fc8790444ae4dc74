import { millisecondsOf } from './dates.ts';
import { millisecondsOfMoment, parseMoment } from './moments.ts';
import { integerFrom, numberOf } from './numbers.ts';
import type { Bound } from './reader.ts';

/** The types of `{{ask:name:type}}`. */
export const askTypes = ['number', 'integer', 'text', 'date', 'boolean'] as const;
export type AskType = (typeof askTypes)[number];

/** The reference of relative dates in an answer. */
export interface Present {
  /** Unix milliseconds. */
  readonly now: number;
  /** The user's time zone: an IANA name, `UTC`, or an offset. */
  readonly zone: string;
}

const numberText = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const int64 = 2n ** 63n;

const value = (of: string | number | bigint | boolean): Bound => ({ kind: 'value', value: of });

function parseNumber(text: string): Bound | undefined {
  if (!numberText.test(text)) return undefined;
  const amount = numberOf(text.replace(/^[+-]/, ''));
  if (!Number.isFinite(Number(amount))) return undefined;
  return value(text.startsWith('-') ? -amount : amount);
}

function parseBoolean(text: string): Bound | undefined {
  const match = /^(?:(true)|false)$/i.exec(text);
  return match ? value(match[1] !== undefined) : undefined;
}

function parseInteger(text: string): Bound | undefined {
  const amount = integerFrom(text, -int64, int64 - 1n);
  return amount === undefined ? undefined : value(amount);
}

function parseDate(text: string, { now, zone }: Present): Bound | undefined {
  const moment = parseMoment(text);
  const ms = typeof moment === 'object' ? millisecondsOfMoment(moment, now, zone) : millisecondsOf(text);
  return ms === undefined ? undefined : { kind: 'date', ms };
}

const expectedInput: Record<AskType, string> = {
  number: 'a number. Use digits with a decimal point and no unit',
  integer: 'a whole number. Use digits only',
  text: 'a text',
  date: 'a date. Use a form such as 2024-01-31, 2024-01-31T06:00:00Z, or now-24h',
  boolean: 'true or false. Use one of the two',
};

/**
 * Parses an answer to a parameter; a returned string is the problem. Without a type, a plain number is a
 * number, true and false are booleans, and everything else is text, numbers with leading zeros too.
 */
export function parseAnswer(input: string, type: AskType | null, present: Present): Bound | string {
  const text = input.trim();
  if (type === null) return parseNumber(text) ?? parseBoolean(text) ?? value(input);
  const read: Record<AskType, () => Bound | undefined> = {
    number: () => parseNumber(text),
    integer: () => parseInteger(text),
    text: () => value(input),
    date: () => parseDate(text, present),
    boolean: () => parseBoolean(text),
  };
  return read[type]() ?? `“${text}” is not ${expectedInput[type]}.`;
}
