/** An integer as JSON holds it here: a number where that is exact, else bigint. */
export function exactInteger(value: bigint): number | bigint {
  const asNumber = Number(value);
  return Number.isSafeInteger(asNumber) ? asNumber : value;
}

/** A number literal as it was typed, exact when it is an integer: 12, 0x1F, 1_000, 9007199254740993.0, 5n. */
export function numberOf(raw: string): number | bigint {
  const digits = raw.replaceAll('_', '').replace(/n$|(?<=^\d+)\.0*$/, '');
  return /^(?:\d+|0[xob][\da-f]+)$/i.test(digits) ? exactInteger(BigInt(digits)) : Number(digits);
}

const literal =
  /^([+-]?)\s*((?:0|[1-9](?:_?\d)*)n|0(?:x[\da-f](?:_?[\da-f])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*)n?|(?:(?:0|[1-9](?:_?\d)*)(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:e[+-]?\d(?:_?\d)*)?)$/i;

/** The number that a piece of a query is, with its sign; undefined when it is none. Infinite where it is too large. */
export function numberFrom(said: string): number | bigint | undefined {
  const [, sign, digits = ''] = literal.exec(said) ?? [];
  if (sign === undefined) return undefined;
  const amount = numberOf(digits);
  return sign === '-' ? -amount : amount;
}

const integerText = /^[+-]?\d+$/;
const decimalText = /^[+-]?(?:\d+(\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The integer that a text spells, from `min` to `max`; undefined when it does not, or lies outside. */
export function integerFrom(text: string, min: bigint, max: bigint): number | bigint | undefined {
  if (text.length > 25 || !integerText.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return value < min || value > max ? undefined : exactInteger(value);
}

const digitsOf = (text: string): string =>
  text
    .replace(/e.*$/i, '')
    .replaceAll(/[+\-.]/g, '')
    .replace(/^0+/, '')
    .replace(/0+$/, '');

/** The decimal that a text spells; undefined when it is none, or when a double cannot hold all its digits. */
export function decimalFrom(text: string): number | bigint | undefined {
  if (integerText.test(text)) return exactInteger(BigInt(text.replace('+', '')));
  if (!decimalText.test(text)) return undefined;
  const value = Number(text);
  const wanted = digitsOf(text);
  if (!Number.isFinite(value) || wanted.length > 17) return undefined;
  const held = value === 0 ? '' : digitsOf(value.toPrecision(Math.max(wanted.length, 1)));
  return held === wanted ? value : undefined;
}
