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

/** Rounds half away from zero, as SQL does. */
function round(value: number, digits = 0): number {
  const factor = 10 ** digits;
  return (Math.sign(value) * Math.round(Math.abs(value) * factor)) / factor;
}

/** A function of a row. @param of its value; results that aren't finite are no value */
const row = (
  min: number,
  max: number,
  unit: RowFunction['unit'],
  of: RowFunction['of'],
  inPipeline: InPipeline,
  help: string,
): RowFunction => ({ kind: 'row', min, max, unit, of, inPipeline, help });

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
  abs: row(1, 1, 'arguments', Math.abs, functionsInPipeline.abs, 'abs(x): without its sign'),
  min: row(2, 10, 'arguments', Math.min, functionsInPipeline.min, 'min(a, b): the lowest one'),
  max: row(2, 10, 'arguments', Math.max, functionsInPipeline.max, 'max(a, b): the highest one'),
  round: row(1, 2, 'arguments', round, functionsInPipeline.round, 'round(x, 1): to one decimal'),
  log: row(1, 1, 'none', Math.log10, functionsInPipeline.log, 'log(x): to the base 10'),
  ln: row(1, 1, 'none', Math.log, functionsInPipeline.ln, 'ln(x): natural logarithm'),
  exp: row(1, 1, 'none', Math.exp, functionsInPipeline.exp, 'exp(x): e to the power x'),
  sqrt: row(1, 1, 'root', Math.sqrt, functionsInPipeline.sqrt, 'sqrt(x): square root'),
  if: row(
    2,
    3,
    'arguments',
    (condition, then, otherwise = NaN) =>
      Number.isNaN(condition) ? NaN : condition === 0 ? otherwise : then,
    functionsInPipeline.if,
    'if(rop > 5, wob, 0): one of two values; without the last one, none',
  ),
} as const satisfies Readonly<Record<string, CalculationFunction>>;

type CalculationFunction = RowFunction | BeforeFunction | RollingFunction;

/** The function with a name, in any case; undefined: there is none. */
export function functionNamed(name: string): readonly [name: string, CalculationFunction] | undefined {
  const lower = name.toLowerCase();
  return Object.entries<CalculationFunction>(calculationFunctions).find(([key]) => key === lower);
}
