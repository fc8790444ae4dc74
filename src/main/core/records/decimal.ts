import { type ScannedPage, textIn } from './scan.ts';

/** A double represents every number of this many digits exactly. */
const exactDigits = 15;
const powers = Array.from({ length: exactDigits + 1 }, (_, power) => 10 ** power);

/**
 * The double of a JSON number in a page. Most numbers are short decimals, whose digits and power of ten are
 * exact doubles, so their quotient is rounded correctly without a string.
 */
export function decimalAt(page: ScannedPage, start: number, end: number): number {
  const { bytes } = page;
  const isNegative = bytes[start] === 45;
  let digits = 0;
  let places = -1;
  if (end - start > exactDigits) return Number(textIn(page, start, end));
  for (let at = isNegative ? start + 1 : start; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit >= 0 && digit <= 9) {
      digits = digits * 10 + digit;
      if (places >= 0) places += 1;
    } else if (digit === -2 && places < 0) places = 0;
    else return Number(textIn(page, start, end));
  }
  const size = places > 0 ? digits / (powers[places] ?? 1) : digits;
  return isNegative ? -size : size;
}

/** A number that lost digits in a spreadsheet: 3.3101E+13. */
export const isExcelDamaged = (cell: string): boolean => /^\d(?:\.\d{1,5})?E\+(?:0[6-9]|[1-9]\d)$/.test(cell);
