import { kindOf } from './values.ts';

const numberOf = (value: string | null | undefined): number =>
  value != null && kindOf(value) === 'number' ? Number(value) : Number.NaN;

/**
 * The distance from one record to the next where all have the same, as those of a logger do: then it is known where the
 * next seams lie without asking for each. Values are JSON texts.
 * @param from the value behind which the first stride begins
 * @param stride how many records lie between two of the values
 * @returns null: they are no numbers, or more than a record's distance from where they should be
 */
export function evenStep(
  from: string | null,
  values: readonly (string | null | undefined)[],
  stride: number,
): number | null {
  const [before, ...all] = [from, ...values].map(numberOf);
  const [first = Number.NaN, last = Number.NaN] = [all[0], all.at(-1)];
  const step = (last - first) / (stride * (all.length - 1));
  const isThere = (value: number, strides: number): boolean =>
    Math.abs(value - first - step * stride * strides) <= Math.abs(step);
  const isEven = all.every(isThere) && isThere(before ?? Number.NaN, -1);
  return isEven && step !== 0 ? step : null;
}

/**
 * The values that cut a stretch into parts of so many records, its end among them.
 * @returns null: it is longer or shorter than that by more than a record
 */
export function cutEvenly(
  from: string | null,
  to: string | null | undefined,
  { parts, stride, step }: { readonly parts: number; readonly stride: number; readonly step: number },
): string[] | null {
  const [first, last] = [numberOf(from), numberOf(to)];
  const length = step * stride;
  if (to == null || !(Math.abs(last - first - length * parts) <= Math.abs(step))) return null;
  // Whole numbers stay whole: a service may hold them in a type of their own.
  const whole = Number.isSafeInteger(first) && Number.isSafeInteger(last);
  const between = Array.from({ length: parts - 1 }, (_, at) => first + length * (at + 1));
  return [...between.map((value) => String(whole ? Math.round(value) : value)), to];
}
