import { millisecondsOf } from './dates.ts';
import { millisecondsOfMoment, parseMoment } from './moments.ts';
import { integerFrom, numberOf } from './numbers.ts';
import type { Bound } from './reader.ts';

/** What can be asked for with `{{ask:name:type}}`. */
export const askTypes = ['number', 'integer', 'text', 'date', 'boolean'] as const;
export type AskType = (typeof askTypes)[number];

/** What a date that is typed as an answer is relative to. */
export interface Present {
  /** Unix milliseconds. */
  readonly now: number;
  /** The person's time zone: an IANA name, `UTC`, or an offset. */
  readonly zone: string;
}

const numberText = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const int64 = 2n ** 63n;

const value = (of: string | number | bigint | boolean): Bound => ({ kind: 'value', value: of });

function numberIn(text: string): Bound | undefined {
  if (!numberText.test(text)) return undefined;
  const amount = numberOf(text.replace(/^[+-]/, ''));
  if (!Number.isFinite(Number(amount))) return undefined;
  return value(text.startsWith('-') ? -amount : amount);
}

function booleanIn(text: string): Bound | undefined {
  const known = /^(?:(true)|false)$/i.exec(text);
  return known ? value(known[1] !== undefined) : undefined;
}

function integerIn(text: string): Bound | undefined {
  const amount = integerFrom(text, -int64, int64 - 1n);
  return amount === undefined ? undefined : value(amount);
}

function dateIn(text: string, { now, zone }: Present): Bound | undefined {
  const moment = parseMoment(text);
  const ms = typeof moment === 'object' ? millisecondsOfMoment(moment, now, zone) : millisecondsOf(text);
  return ms === undefined ? undefined : { kind: 'date', ms };
}

const wanted: Record<AskType, string> = {
  number: 'a number. Use digits with a decimal point and no unit',
  integer: 'a whole number. Use digits only',
  text: 'a text',
  date: 'a date. Use a form such as 2024-01-31, 2024-01-31T06:00:00Z, or now-24h',
  boolean: 'true or false. Use one of the two',
};

/**
 * What a typed answer means; a text is what is wrong with it. Without a type a plain number is a number, true and false
 * are themselves, and everything else, a number with leading zeros too, is text.
 */
export function answerOf(said: string, type: AskType | null, present: Present): Bound | string {
  const text = said.trim();
  if (type === null) return numberIn(text) ?? booleanIn(text) ?? value(said);
  const read: Record<AskType, () => Bound | undefined> = {
    number: () => numberIn(text),
    integer: () => integerIn(text),
    text: () => value(said),
    date: () => dateIn(text, present),
    boolean: () => booleanIn(text),
  };
  return read[type]() ?? `“${text}” is not ${wanted[type]}.`;
}
