import { converter, shownUnit, unitOf, unitPair, units } from '../channels/units.ts';
import type { JsonValue } from '../json.ts';
import type { InPipeline } from './in-pipeline.ts';
import type { BinaryOperator } from './parse.ts';
import { inReachOfAll, type InReach, type Series } from './series.ts';

/**
 * What a value measures: `free`: a number of any unit; null: an unknown unit; else the powers of units by their symbols, such
 * as `{ft: 1, h: -1}`; empty: a ratio.
 */
type Measure = 'free' | null | Powers;
type Powers = ReadonlyMap<string, number>;

export const ratio: Powers = new Map();

/** A symbol of single units, whose parts cancel. */
const product = /^[A-Za-z][A-Za-z0-9]*(?:\.[A-Za-z][A-Za-z0-9]*)*(?:\/[A-Za-z][A-Za-z0-9]*)?$/;

/** The measure of a unit in any spelling; null: there is none. */
export function measureOf(text: string | undefined): Measure {
  const trimmed = text?.trim();
  if (trimmed === undefined || trimmed === '') return null;
  const symbol = unitOf(trimmed)?.symbol ?? trimmed;
  if (!product.test(symbol)) return new Map([[symbol, 1]]);
  const [above = '', below] = symbol.split('/');
  const parts: Powers[] = above.split('.').map((part) => new Map([[part, 1]]));
  if (below !== undefined) parts.push(new Map([[below, -1]]));
  return parts.reduce((all, part) => multiplied(all, part, 1), ratio);
}

function multiplied(left: Powers, right: Powers, sign: 1 | -1): Powers {
  const powers = new Map(left);
  for (const [symbol, power] of right) {
    const sum = (powers.get(symbol) ?? 0) + sign * power;
    if (sum === 0) powers.delete(symbol);
    else powers.set(symbol, sum);
  }
  return powers;
}

/** The measure of a product, or of a quotient. @param sign -1: of a quotient */
export function productOf(left: Measure, right: Measure, sign: 1 | -1): Measure {
  if (left === null || right === null) return null;
  if (right === 'free') return left;
  return multiplied(left === 'free' ? ratio : left, right, sign);
}

/** The measure of a power; null: it can't be told. */
export function powerOf(of: Measure, exponent: number | null): Measure {
  if (of === 'free' || of === null) return of;
  if (of.size === 0) return of;
  if (exponent === null) return null;
  const powers = [...of].map(([symbol, power]) => [symbol, power * exponent] as const);
  if (exponent === 0) return ratio;
  return powers.every(([, power]) => Number.isInteger(power)) ? new Map(powers) : null;
}

const superscripts = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
const powerText = (power: number): string =>
  power === 1 ? '' : String(power).replaceAll(/\d/g, (digit) => superscripts[Number(digit)] ?? digit);

/** A measure as a unit; null: it has none, or an unknown one. */
export function unitText(measure: Measure): string | null {
  if (measure === 'free' || measure === null || measure.size === 0) return null;
  const side = (sign: 1 | -1): string[] =>
    [...measure]
      .filter(([, power]) => power * sign > 0)
      .map(([symbol, power]) => symbol + powerText(power * sign));
  const [above, below] = [side(1), side(-1)];
  const text = `${above.length === 0 ? '1' : above.join('·')}${below.length === 0 ? '' : `/${below.length > 1 ? `(${below.join('·')})` : below[0]}`}`;
  const unit = unitOf(text);
  return unit ? shownUnit(unit) : text;
}

/** The measure of a difference: that of two temperatures is no temperature, which starts at another zero in each unit. */
export function differenceOf(measure: Measure): Measure {
  const unit = unitOf(unitText(measure) ?? '');
  const isShifted = units.some(
    ({ quantity, offset }) => quantity === unit?.quantity && offset !== unit.offset,
  );
  return isShifted ? null : measure;
}

/** How the second of two values becomes the unit of the first. */
type Agreement =
  | { readonly kind: 'same' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'converted'; readonly convert: (value: number) => number }
  | { readonly kind: 'different' };

/** Compares what two values measure that are added or compared. */
export function agreementOf(left: Measure, right: Measure): Agreement {
  if (left === 'free' || right === 'free') return { kind: 'same' };
  if (left === null || right === null) return { kind: 'unknown' };
  const [to, from] = [unitText(left), unitText(right)];
  if (to === from) return { kind: 'same' };
  const pair = to !== null && from !== null ? unitPair(from, to) : undefined;
  const convert = pair && converter(pair.from, pair.to);
  return convert ? { kind: 'converted', convert } : { kind: 'different' };
}

/** An expression that can be calculated. Values without a number are NaN. */
export interface Compiled {
  readonly of: (series: Series) => Float64Array;
  readonly measure: Measure;
  /** Null: its value needs no rows before its own. */
  readonly firstInReach: InReach | null;
  /** The same as an expression of a pipeline; null: a pipeline can't compute it. */
  readonly inPipeline: JsonValue | null;
}

/** Compares or combines two values; without one of them, there is none. */
const logical = (test: (left: number, right: number) => boolean) => (left: number, right: number) =>
  Number.isNaN(left) || Number.isNaN(right) ? Number.NaN : Number(test(left, right));

export const operations: Readonly<Record<BinaryOperator, (left: number, right: number) => number>> = {
  or: logical((left, right) => left !== 0 || right !== 0),
  and: logical((left, right) => left !== 0 && right !== 0),
  '=': logical((left, right) => left === right),
  '!=': logical((left, right) => left !== right),
  '<': logical((left, right) => left < right),
  '<=': logical((left, right) => left <= right),
  '>': logical((left, right) => left > right),
  '>=': logical((left, right) => left >= right),
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  // NaN to the power 0 is 1.
  '^': (left, right) => (Number.isNaN(left) ? left : left ** right),
};

/** A value of other values of the same row. Results that aren't finite, as of a division by zero, are no value. */
export function mapped(
  measure: Measure,
  values: readonly Compiled[],
  of: (...values: number[]) => number,
  inPipeline: InPipeline,
): Compiled {
  const expressions = values.flatMap((value) => (value.inPipeline === null ? [] : [value.inPipeline]));
  const [first, second] = values;
  const finite = (value: number): number => (Number.isFinite(value) ? value : Number.NaN);
  return {
    of(series) {
      if (first && second && values.length === 2) {
        const [left, right] = [first.of(series), second.of(series)];
        return left.map((value, at) => finite(of(value, right[at] ?? Number.NaN)));
      }
      if (first && values.length === 1) return first.of(series).map((value) => finite(of(value)));
      const columns = values.map((value) => value.of(series));
      return new Float64Array(series.length).map((_, at) =>
        finite(of(...columns.map((column) => column[at] ?? Number.NaN))),
      );
    },
    measure,
    firstInReach: inReachOfAll(values.map(({ firstInReach }) => firstInReach)),
    inPipeline: expressions.length === values.length ? inPipeline(...expressions) : null,
  };
}
