import type { JsonValue } from '../json.ts';
import { nullTokens } from '../upload/null-tokens.ts';
import type { BinaryOperator } from './parse.ts';

// The operations of expressions as expressions of a pipeline, with the same values: null where there is none.

/** Makes an expression of others. */
export type InPipeline = (...values: JsonValue[]) => JsonValue;

/** The names that `$type` has for numbers. */
export const numberTypes = ['int', 'long', 'double', 'decimal'];
const either = (condition: JsonValue, then: JsonValue, otherwise: JsonValue): JsonValue => ({
  $cond: [condition, then, otherwise],
});

/** Computes values once, and makes an expression of their names. */
function once(values: readonly JsonValue[], make: InPipeline): JsonValue {
  const names = values.map((_, at) => `v${at}`);
  return {
    $let: {
      vars: Object.fromEntries(names.map((name, at) => [name, values[at] ?? null])),
      in: make(...names.map((name) => `$$${name}`)),
    },
  };
}

/** An expression of values that has none where one of them is missing. */
const whereAll =
  (make: InPipeline): InPipeline =>
  (...values) =>
    once(values, (...names) => either({ $in: [null, names] }, null, make(...names)));

/** A number of records, in seconds for a time; null numbers such as -999.25, texts, and others are none. */
export function fieldInPipeline(path: string, isTime = false): JsonValue {
  const field = `$${path}`;
  const isNumber = { $in: [{ $type: field }, numberTypes] };
  const value = either({ $and: [isNumber, { $not: [{ $in: [field, [...nullTokens]] }] }] }, field, null);
  return isTime ? { $divide: [value, 1000] } : value;
}

const comparison = (operator: string): InPipeline =>
  whereAll((left, right) => either({ [operator]: [left, right] }, 1, 0));
const isTrue = (value: JsonValue): JsonValue => ({ $ne: [value, 0] });

export const binaryInPipeline: Readonly<Record<BinaryOperator, InPipeline>> = {
  or: whereAll((left, right) => either({ $or: [isTrue(left), isTrue(right)] }, 1, 0)),
  and: whereAll((left, right) => either({ $and: [isTrue(left), isTrue(right)] }, 1, 0)),
  '=': comparison('$eq'),
  '!=': comparison('$ne'),
  '<': comparison('$lt'),
  '<=': comparison('$lte'),
  '>': comparison('$gt'),
  '>=': comparison('$gte'),
  '+': (left, right) => ({ $add: [left, right] }),
  '-': (left, right) => ({ $subtract: [left, right] }),
  '*': (left, right) => ({ $multiply: [left, right] }),
  '/': (left, right) =>
    once([left, right], (above, below) => either({ $eq: [below, 0] }, null, { $divide: [above, below] })),
  '^': whereAll((base, exponent) =>
    either(
      {
        $or: [
          { $and: [{ $eq: [base, 0] }, { $lt: [exponent, 0] }] },
          { $and: [{ $lt: [base, 0] }, { $ne: [exponent, { $floor: exponent }] }] },
        ],
      },
      null,
      { $pow: [base, exponent] },
    ),
  ),
};

/** Rounds half away from zero. */
const round = whereAll((value, digits = 0) => {
  const factor = { $pow: [10, digits] };
  const scaled = { $floor: { $add: [{ $multiply: [{ $abs: value }, factor] }, 0.5] } };
  return { $divide: [{ $multiply: [either({ $lt: [value, 0] }, -1, 1), scaled] }, factor] };
});

/** Beyond it, a number has no exponential. */
const maxExponent = 709.78;

export const functionsInPipeline = {
  abs: (value) => ({ $abs: value }),
  min: whereAll((...values) => ({ $min: values })),
  max: whereAll((...values) => ({ $max: values })),
  round,
  log: whereAll((value) => either({ $gt: [value, 0] }, { $log10: value }, null)),
  ln: whereAll((value) => either({ $gt: [value, 0] }, { $ln: value }, null)),
  exp: whereAll((value) => either({ $gt: [value, maxExponent] }, null, { $exp: value })),
  sqrt: whereAll((value) => either({ $gte: [value, 0] }, { $sqrt: value }, null)),
  if: (condition, then, otherwise = null) =>
    once([condition], (test) => either({ $eq: [test, null] }, null, either(isTrue(test), then, otherwise))),
} satisfies Readonly<Record<string, InPipeline>>;

/** The negative of a value. */
export const minusInPipeline: InPipeline = (value) => ({ $multiply: [value, -1] });
export const notInPipeline = whereAll((value) => either(isTrue(value), 0, 1));
/** A conversion of units, which are all linear. */
export const convertInPipeline =
  (convert: (value: number) => number): InPipeline =>
  (value) => ({ $add: [{ $multiply: [value, convert(1) - convert(0)] }, convert(0)] });
