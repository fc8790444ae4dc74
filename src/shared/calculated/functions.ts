import { functionsInPipeline, type InPipeline } from './in-pipeline.ts';
import { rollingMax, rollingMean, rollingMin, rollingSum, type Figure } from './windows.ts';

/** A function of numbers, row by row. `unit`: that of its value is that of its arguments, or none. */
interface RowFunction {
  readonly kind: 'row';
  readonly min: number;
  readonly max: number;
  readonly unit: 'arguments' | 'none' | 'root';
  readonly of: (...values: number[]) => number;
  readonly inPipeline: InPipeline;
  readonly help: string;
}

/** A function of a value and that of the row before it in the same well. */
interface BeforeFunction {
  readonly kind: 'before';
  /** Whether its value is the difference of both. */
  readonly isDifference: boolean;
  readonly help: string;
}

/** A figure of a row and the rows before it in the same well. */
interface RollingFunction {
  readonly kind: 'rolling';
  readonly figure: Figure;
  readonly help: string;
}

const noValue = Number.NaN;

/** Rounds half away from zero, as SQL does. */
function round(value: number, digits = 0): number {
  const factor = 10 ** digits;
  return (Math.sign(value) * Math.round(Math.abs(value) * factor)) / factor;
}

/** The functions of expressions, in the order in which they are proposed. */
export const calculationFunctions = {
  rolling_mean: {
    kind: 'rolling',
    figure: rollingMean,
    help: 'rolling_mean(rop, 10): mean of this row and the 9 before it; rolling_mean(rop, 5 min): of the last 5 minutes',
  },
  rolling_min: {
    kind: 'rolling',
    figure: rollingMin,
    help: 'rolling_min(rop, 10): lowest of the last 10 rows',
  },
  rolling_max: {
    kind: 'rolling',
    figure: rollingMax,
    help: 'rolling_max(rop, 10): highest of the last 10 rows',
  },
  rolling_sum: { kind: 'rolling', figure: rollingSum, help: 'rolling_sum(rop, 10): sum of the last 10 rows' },
  difference: {
    kind: 'before',
    isDifference: true,
    help: 'difference(timestamp): value minus that of the row before',
  },
  previous: { kind: 'before', isDifference: false, help: 'previous(rop): value of the row before' },
  abs: {
    kind: 'row',
    inPipeline: functionsInPipeline.abs,
    min: 1,
    max: 1,
    unit: 'arguments',
    of: Math.abs,
    help: 'abs(x): without its sign',
  },
  min: {
    kind: 'row',
    inPipeline: functionsInPipeline.min,
    min: 2,
    max: 10,
    unit: 'arguments',
    of: Math.min,
    help: 'min(a, b): the lowest one',
  },
  max: {
    kind: 'row',
    inPipeline: functionsInPipeline.max,
    min: 2,
    max: 10,
    unit: 'arguments',
    of: Math.max,
    help: 'max(a, b): the highest one',
  },
  round: {
    kind: 'row',
    inPipeline: functionsInPipeline.round,
    min: 1,
    max: 2,
    unit: 'arguments',
    of: round,
    help: 'round(x, 1): to one decimal',
  },
  log: {
    kind: 'row',
    inPipeline: functionsInPipeline.log,
    min: 1,
    max: 1,
    unit: 'none',
    of: (value: number) => (value > 0 ? Math.log10(value) : noValue),
    help: 'log(x): to the base 10',
  },
  ln: {
    kind: 'row',
    inPipeline: functionsInPipeline.ln,
    min: 1,
    max: 1,
    unit: 'none',
    of: (value: number) => (value > 0 ? Math.log(value) : noValue),
    help: 'ln(x): natural logarithm',
  },
  exp: {
    kind: 'row',
    inPipeline: functionsInPipeline.exp,
    min: 1,
    max: 1,
    unit: 'none',
    of: Math.exp,
    help: 'exp(x): e to the power x',
  },
  sqrt: {
    kind: 'row',
    inPipeline: functionsInPipeline.sqrt,
    min: 1,
    max: 1,
    unit: 'root',
    of: Math.sqrt,
    help: 'sqrt(x): square root',
  },
  if: {
    kind: 'row',
    inPipeline: functionsInPipeline.if,
    min: 2,
    max: 3,
    unit: 'arguments',
    of: (condition: number, then: number, otherwise = noValue) =>
      Number.isNaN(condition) ? noValue : condition === 0 ? otherwise : then,
    help: 'if(rop > 5, wob, 0): one of two values; without the last one, none',
  },
} as const satisfies Readonly<Record<string, CalculationFunction>>;

type CalculationFunction = RowFunction | BeforeFunction | RollingFunction;

/** The function with a name, in any case; undefined: there is none. */
export function functionNamed(name: string): readonly [name: string, CalculationFunction] | undefined {
  const lower = name.toLowerCase();
  return Object.entries<CalculationFunction>(calculationFunctions).find(([key]) => key === lower);
}
