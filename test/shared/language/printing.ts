import * as fc from 'fast-check';
import { isObject, stringifyJson, type JsonObject, type JsonValue } from '../../../src/shared/json.ts';

const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);
const int64 = 2n ** 63n;

/** Doubles as JSON keeps them: finite, no -0, and no integer that a bigint stands for. */
const double = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter(
    (value) =>
      !Object.is(value, -0) &&
      (Math.abs(value) >= 1e21 || !Number.isInteger(value) || Number.isSafeInteger(value)),
  );
const bigInteger = fc
  .oneof(fc.bigInt({ min: -int64, max: int64 - 1n }), fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }))
  .filter((value) => value > maxSafe || value < -maxSafe);
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('{{wells}}', '//', '/*', '\u2028', '\\', '`${', '"', "'"),
);
const name = fc
  .oneof(text, fc.constantFrom('asset_id', 'data.rop', '$gte', '$in', 'datetime', 'constructor', 'null'))
  .filter((key) => key !== '__proto__');

/** Every JSON value in all relevant forms: integers of any size, unusual texts and names. */
export const { value: jsonValue } = fc.letrec<{ value: JsonValue; list: JsonValue[]; object: JsonObject }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'json' },
      fc.constantFrom<JsonValue>(null, true, false),
      fc.integer(),
      fc.maxSafeInteger(),
      double,
      bigInteger,
      text,
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 5, depthIdentifier: 'json' }),
    object: fc.dictionary(name, tie('value'), { maxKeys: 5, depthIdentifier: 'json', noNullPrototype: true }),
  }),
);

/** Returns a number from 0 to below `below`; the whole output is determined by it. */
export type Choose = (below: number) => number;

const gaps = [
  '',
  '',
  '',
  ' ',
  '\n',
  '\r\n  ',
  '\t',
  ' // note: {[("\'\n',
  '/* {{now}} */',
  '\u00A0',
  ' /* ` */ ',
];
const gap = (choose: Choose): string => gaps[choose(gaps.length)] ?? '';

function quoted(value: string, choose: Choose): string {
  const json = JSON.stringify(value);
  const quote = ['"', "'", '`'][choose(3)] ?? '"';
  if (quote === '"') return json;
  const inner = json.slice(1, -1).replaceAll(/\\[\s\S]|['`$]/g, (piece) => {
    if (piece === '\\"') return '"';
    return piece === quote || (piece === '$' && quote === '`') ? `\\${piece}` : piece;
  });
  return quote + inner + quote;
}

function printName(key: string, choose: Choose): string {
  const isPlain = /^[a-z_$][\w$]*$/i.test(key) || /^(?:0|[1-9]\d*)$/.test(key);
  if (isPlain && choose(2) === 0) return key;
  return choose(2) === 0 ? JSON.stringify(key) : quoted(key, () => 1);
}

function printInteger(value: number | bigint, choose: Choose): string {
  const exact = BigInt(value);
  const sign = exact < 0n ? '-' : '';
  const digits = exact < 0n ? -exact : exact;
  const fits = exact >= -int64 && exact < int64;
  const forms = [
    `${exact}`,
    `${exact}`,
    sign === '' ? `+${digits}` : `-${digits}`,
    `${sign}0x${digits.toString(16)}`,
    `${exact}n`,
    fits ? `NumberLong("${exact}")` : `${exact}`,
    fits ? `NumberLong(${exact})` : `(${exact})`,
  ];
  return forms[choose(forms.length)] ?? '';
}

const commaAtEnd = (count: number, choose: Choose): string =>
  count > 0 && choose(2) === 0 ? `,${gap(choose)}` : '';

/** One of the many ways to write a value in relaxed JSON. */
export function printRelaxed(value: JsonValue, choose: Choose): string {
  const inside = (): string => {
    if (Array.isArray(value)) {
      const items = value.map((item) => printRelaxed(item, choose));
      return `[${items.join(',')}${commaAtEnd(items.length, choose)}]`;
    }
    if (isObject(value)) {
      const items = Object.entries(value).map(
        ([key, item]) =>
          `${gap(choose)}${printName(key, choose)}${gap(choose)}:${printRelaxed(item, choose)}`,
      );
      return `{${items.join(',')}${commaAtEnd(items.length, choose)}}`;
    }
    if (typeof value === 'string') return quoted(value, choose);
    if (typeof value === 'bigint' || Number.isSafeInteger(value))
      return printInteger(value as number | bigint, choose);
    return stringifyJson(value);
  };
  const printed = `${gap(choose)}${inside()}${gap(choose)}`;
  return choose(12) === 0 ? `(${printed})` : printed;
}

/** Choices from a fixed list of numbers, in a loop. */
export function chooser(numbers: readonly number[]): Choose {
  let at = 0;
  return (below) => (numbers[at++ % numbers.length] ?? 0) % below;
}

/** Any value, in one of the many ways to write it. */
export const printed = fc
  .tuple(jsonValue, fc.array(fc.nat(), { minLength: 1, maxLength: 40 }))
  .map(([value, numbers]) => printRelaxed(value, chooser(numbers)));
