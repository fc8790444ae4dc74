/** An integer: a number where that is exact, else bigint. */
function exactInteger(value: bigint): number | bigint {
  const asNumber = Number(value);
  return Number.isSafeInteger(asNumber) ? asNumber : value;
}

/** A number literal as it was typed, exact when it is an integer: 12, 0x1F, 1_000, 9007199254740993.0, 5n. */
export function numberOf(raw: string): number | bigint {
  const plain = raw.replaceAll('_', '');
  const digits = /^(\d+)\.0*$/.exec(plain)?.[1] ?? plain.replace(/n$/, '');
  return /^(?:\d+|0[xob][\da-f]+)$/i.test(digits) ? exactInteger(BigInt(digits)) : Number(digits);
}

/** Maximum length of a number, in characters: the time to read an exact integer grows with the square of its length. */
const maxNumberLength = 2000;

const literal =
  /^([+-]?)\s*((?:0|[1-9](?:_?\d)*)n|0(?:x[\da-f](?:_?[\da-f])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*)n?|(?:(?:0|[1-9](?:_?\d)*)(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:e[+-]?\d(?:_?\d)*)?)$/i;

/** The number of a signed literal; undefined if it isn't one, infinite if too large. */
export function numberFrom(source: string): number | bigint | undefined {
  const [, sign, digits = ''] = literal.exec(source) ?? [];
  if (sign === undefined) return undefined;
  if (digits.length > maxNumberLength) return Infinity;
  const amount = numberOf(digits);
  return sign === '-' ? -amount : amount;
}

const integerText = /^[+-]?\d+$/;
const decimalText = /^[+-]?(?:\d+(\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The integer of a text, from `min` to `max`; undefined otherwise. */
export function integerFrom(text: string, min: bigint, max: bigint): number | bigint | undefined {
  if (text.length > 25 || !integerText.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return value < min || value > max ? undefined : exactInteger(value);
}

/** The significant digits of a number of up to {@link maxNumberLength} characters. */
const digitsOf = (text: string): string =>
  text
    .replace(/e.*/i, '')
    .replaceAll(/[+\-.]/g, '')
    .replace(/^0+/, '')
    .replace(/(?<!0)0+$/, '');

/** The decimal of a text; undefined if it isn't one, or if a double can't represent its digits. */
export function decimalFrom(text: string): number | bigint | undefined {
  if (text.length > maxNumberLength) return undefined;
  if (integerText.test(text)) return exactInteger(BigInt(text.replace('+', '')));
  if (!decimalText.test(text)) return undefined;
  const value = Number(text);
  const expectedDigits = digitsOf(text);
  if (!Number.isFinite(value) || expectedDigits.length > 17) return undefined;
  const doubleDigits = value === 0 ? '' : digitsOf(value.toPrecision(Math.max(expectedDigits.length, 1)));
  return doubleDigits === expectedDigits ? value : undefined;
}
