const smallestNormalFloat = 2 ** -126;

/** The shortest decimal that stands for a number of 32 bits: 0.1, where the same number of 64 bits has more digits. */
export function shortFloat(value: number): number {
  // With 6 digits, shorter decimals end in zeros; the smallest numbers have fewer digits.
  for (let digits = Math.abs(value) < smallestNormalFloat ? 1 : 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

/** Powers of ten that a double has exactly. */
const powers = Float64Array.from({ length: 20 }, (_, power) => Number(`1e${power}`));
const zeros = Array.from({ length: 20 }, (_, count) => '0'.repeat(count));
/** Numbers between these have no exponent, and their digits fit an integer of a double. */
const [minPlain, maxPlain] = [1e-4, 1e7];

/**
 * The text of {@link shortFloat}. Files of logs have hundreds of millions of them, so common sizes are written with
 * integers: the digits and the power of ten are exact doubles, and their quotient is rounded as the text is.
 */
export function floatText(value: number): string {
  const size = Math.abs(value);
  if (!(size >= minPlain && size < maxPlain))
    return String(Number.isFinite(value) ? shortFloat(value) : value);
  if (Number.isInteger(value)) return String(value);
  let exponent = 0;
  if (size >= 1) while (size >= (powers[exponent + 1] ?? Infinity)) exponent++;
  else
    do exponent--;
    while (size * (powers[-exponent] ?? 1) < 1);
  for (let places = Math.max(1, 5 - exponent); places <= 8 - exponent; places++) {
    const power = powers[places] ?? 1;
    const digits = Math.round(size * power);
    if (Math.fround(digits / power) !== size) continue;
    const whole = Math.floor(digits / power);
    let rest = digits - whole * power;
    let width = places;
    for (; rest % 10 === 0 && width > 1; width--) rest /= 10;
    const decimals = String(rest);
    return `${value < 0 ? '-' : ''}${whole}.${zeros[width - decimals.length] ?? ''}${decimals}`;
  }
  return String(shortFloat(value));
}
