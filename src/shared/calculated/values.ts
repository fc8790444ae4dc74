import type { JsonValue } from '../json.ts';
import type { InPipeline } from './in-pipeline.ts';
import { isNullNumber } from '../upload/null-tokens.ts';
import type { Measure } from './measures.ts';
import type { BinaryOperator } from './parse.ts';
import { inReachOfAll, type InReach, type Series } from './series.ts';

/** An expression that can be calculated. Values without a number are NaN. */
export interface Compiled {
  readonly of: (series: Series) => Float64Array;
  readonly measure: Measure;
  /** Null: its value needs no rows before its own. */
  readonly firstInReach: InReach | null;
  /** The same as an expression of a pipeline; null: a pipeline can't compute it. */
  readonly inPipeline: JsonValue | null;
}

/** A number of records; -999.25 and others mean that there is none. */
export const numberAt = (value: number): number => (isNullNumber(value) ? Number.NaN : value);

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
