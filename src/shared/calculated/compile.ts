import {
  functionsInPipeline,
  type InPipeline,
  binaryInPipeline,
  convertInPipeline,
  fieldInPipeline,
  minusInPipeline,
  notInPipeline,
} from './in-pipeline.ts';
import {
  rollingMax,
  rollingMean,
  rollingMin,
  rollingSum,
  type Figure,
  rowsAfter,
  spanAfter,
  windowStarts,
  type Window,
  type Series,
} from './series.ts';
import { converter, unitOf } from '../channels/units.ts';
import { nearestWord } from '../language/nearest.ts';
import { pathNames } from '../column-paths.ts';
import type { CalculationField, Calculation, CalculatedColumn } from './calculated.ts';
import {
  agreementOf,
  differenceOf,
  measureOf,
  powerOf,
  productOf,
  ratio,
  unitText,
  mapped,
  operations,
  type Compiled,
} from './values.ts';
import { valueOrNaN } from '../upload/null-tokens.ts';
import { ExpressionError, parseExpression, type Expression, type Span } from './parse.ts';

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
function functionNamed(name: string): readonly [name: string, CalculationFunction] | undefined {
  const lower = name.toLowerCase();
  return Object.entries<CalculationFunction>(calculationFunctions).find(([key]) => key === lower);
}

export interface Scope {
  readonly fields: readonly CalculationField[];
  /** The calculated columns before it, by name. */
  readonly columns: ReadonlyMap<string, Compiled>;
  /** The time or depth that orders rows; null: they have no order. */
  readonly index: CalculationField | null;
}

/** A remark about a valid expression, for the person who wrote it. */
export interface Remark extends Span {
  readonly message: string;
}

const maxWindowRows = 1000;
const lastName = (id: string): string => pathNames(id).at(-1) ?? id;

/** The names of a column in expressions: its path, and its last part. */
export const namesOfField = ({ id }: Pick<CalculationField, 'id'>): readonly string[] => [
  ...new Set([id, lastName(id)]),
];

/** The fields of a name: with that path, else with that last part, else in another case. */
function fieldsNamed(name: string, fields: readonly CalculationField[]): readonly CalculationField[] {
  const exact = fields.filter(({ id }) => id === name);
  if (exact.length > 0) return exact;
  const short = fields.filter(({ id }) => lastName(id) === name);
  if (short.length > 0) return short;
  const lower = name.toLowerCase();
  return fields.filter((field) => namesOfField(field).some((fieldName) => fieldName.toLowerCase() === lower));
}

function numberOf({ value, unit, ...span }: Extract<Expression, { kind: 'number' }>): Compiled {
  if (unit !== null && !unitOf(unit))
    throw new ExpressionError(`“${unit}” isn’t a unit. Use one such as ft, min, or psi.`, span);
  return {
    of: ({ length }) => new Float64Array(length).fill(value),
    measure: unit === null ? 'free' : measureOf(unit),
    firstInReach: null,
    inPipeline: value,
  };
}

function before(of: Compiled, isDifference: boolean): Compiled {
  return {
    of(series) {
      const values = of.of(series);
      return values.map((value, at) => {
        const last = values[at - 1] ?? Number.NaN;
        return isDifference ? value - last : last;
      });
    },
    measure: isDifference ? differenceOf(of.measure) : of.measure,
    firstInReach: rowsAfter(of.firstInReach, 1),
    inPipeline: null,
  };
}

function rolling(of: Compiled, figure: Figure, window: Window): Compiled {
  const { rows, span } = window;
  return {
    of(series) {
      const values = of.of(series);
      return figure(values, windowStarts(series.index, values.length, window));
    },
    measure: of.measure,
    firstInReach: rows > 0 ? rowsAfter(of.firstInReach, rows - 1) : spanAfter(of.firstInReach, span),
    inPipeline: null,
  };
}

class Compiler {
  readonly #scope: Scope;
  readonly #onRemark: (remark: Remark) => void;

  constructor(scope: Scope, onRemark: (remark: Remark) => void) {
    this.#scope = scope;
    this.#onRemark = onRemark;
  }

  compiled(node: Expression): Compiled {
    switch (node.kind) {
      case 'number':
        return numberOf(node);
      case 'name':
        return this.#valueOf(node);
      case 'unary': {
        const of = this.compiled(node.of);
        const { operator } = node;
        return operator === '-'
          ? mapped(of.measure, [of], (value) => -value, minusInPipeline)
          : mapped(
              ratio,
              [of],
              (value) => (Number.isNaN(value) ? value : Number(value === 0)),
              notInPipeline,
            );
      }
      case 'binary':
        return this.#binary(node);
      case 'call':
        return this.#called(node);
    }
  }

  #valueOf({ name, ...span }: Extract<Expression, { kind: 'name' }>): Compiled {
    const column = this.#scope.columns.get(name);
    if (column) return column;
    const [field, ...others] = fieldsNamed(name, this.#scope.fields);
    if (!field) {
      const names = [...this.#scope.columns.keys(), ...this.#scope.fields.flatMap(namesOfField)];
      const near = nearestWord(name, names);
      const next = near === undefined ? 'Enter the name of a column.' : `Did you mean ${near}?`;
      throw new ExpressionError(`There is no column “${name}”. ${next}`, span);
    }
    if (others.length > 0)
      throw new ExpressionError(
        `“${name}” is the name of several columns. Enter its path, such as ${field.id}.`,
        span,
      );
    if (field.values === 'other')
      throw new ExpressionError(`${name} has no numbers. Select a column with numbers.`, span);
    const isTime = field.values === 'time';
    return {
      // Times are milliseconds in records, and seconds in expressions.
      of: ({ numbers }) => numbers(field.id).map((value) => (isTime ? value / 1000 : valueOrNaN(value))),
      measure: isTime ? measureOf('s') : measureOf(field.unit),
      firstInReach: null,
      // A pipeline can't name a field whose name has a dot.
      inPipeline: field.id.includes('\\') ? null : fieldInPipeline(field.id, isTime),
    };
  }

  /** Values in the unit of the first one, if they can be added or compared. */
  #agreed(first: Compiled, other: Compiled, span: Span): Compiled {
    const agreement = agreementOf(first.measure, other.measure);
    switch (agreement.kind) {
      case 'same':
        return other;
      case 'converted': {
        const { convert } = agreement;
        const [from, to] = [unitText(other.measure), unitText(first.measure)];
        this.#onRemark({ ...span, message: `${from} is converted to ${to}.` });
        return mapped(first.measure, [other], convert, convertInPipeline(convert));
      }
      case 'unknown':
        this.#onRemark({ ...span, message: 'The unit of a column isn’t known, so it isn’t checked.' });
        return other;
      case 'different': {
        const [firstUnit, otherUnit] = [unitText(first.measure), unitText(other.measure)];
        throw new ExpressionError(
          `A value in ${firstUnit ?? 'no unit'} and one in ${otherUnit ?? 'no unit'} can’t be added or compared. Multiply or divide one by a value with a unit, such as 1 ${firstUnit ?? otherUnit}.`,
          span,
        );
      }
    }
  }

  #binary({ operator, left, right, ...span }: Extract<Expression, { kind: 'binary' }>): Compiled {
    const [leftValue, rightValue] = [this.compiled(left), this.compiled(right)];
    const operate = operations[operator];
    const inPipeline = binaryInPipeline[operator];
    if (operator === '*' || operator === '/')
      return mapped(
        productOf(leftValue.measure, rightValue.measure, operator === '*' ? 1 : -1),
        [leftValue, rightValue],
        operate,
        inPipeline,
      );
    if (operator === '^') {
      if (rightValue.measure !== 'free' && rightValue.measure !== null && rightValue.measure.size > 0)
        throw new ExpressionError('A power has no unit. Enter a number after “^”.', right);
      const exponent = right.kind === 'number' ? right.value : null;
      return mapped(powerOf(leftValue.measure, exponent), [leftValue, rightValue], operate, inPipeline);
    }
    if (operator === 'and' || operator === 'or')
      return mapped(ratio, [leftValue, rightValue], operate, inPipeline);
    const measure = leftValue.measure === 'free' ? rightValue.measure : leftValue.measure;
    const isDifference = operator === '-' && leftValue.measure !== 'free' && rightValue.measure !== 'free';
    const sum = isDifference ? differenceOf(measure) : measure;
    return mapped(
      operator === '+' || operator === '-' ? sum : ratio,
      [leftValue, this.#agreed(leftValue, rightValue, span)],
      operate,
      inPipeline,
    );
  }

  #called({ name, args, ...span }: Extract<Expression, { kind: 'call' }>): Compiled {
    const named = functionNamed(name);
    if (!named) {
      const near = nearestWord(name, Object.keys(calculationFunctions));
      const next =
        near === undefined ? 'Use one such as abs, min, or rolling_mean.' : `Did you mean ${near}?`;
      throw new ExpressionError(`There is no function “${name}”. ${next}`, span);
    }
    const [functionName, definition] = named;
    const [min, max] =
      definition.kind === 'row'
        ? [definition.min, definition.max]
        : definition.kind === 'before'
          ? [1, 1]
          : [2, 2];
    const [first, size] = args;
    if (!first || args.length < min || args.length > max) {
      const count = min < max ? `${min} to ${max}` : min;
      const noun = max === 1 ? 'argument' : 'arguments';
      throw new ExpressionError(`${functionName} has ${count} ${noun}: ${definition.help}.`, span);
    }
    if (definition.kind !== 'row') {
      if (!this.#scope.index)
        throw new ExpressionError(
          `${functionName} needs rows in an order, and there is no time or depth. Select timestamp or measured_depth in the query.`,
          span,
        );
      const of = this.compiled(first);
      return definition.kind === 'before'
        ? before(of, definition.isDifference)
        : rolling(of, definition.figure, this.#windowOf(size, span));
    }
    const { unit, of, inPipeline } = definition;
    const firstValue = this.compiled(first);
    const values = [firstValue, ...args.slice(1).map((arg) => this.compiled(arg))];
    if (functionName === 'if') return this.#choice(values, args, of, inPipeline);
    if (functionName === 'round') return mapped(firstValue.measure, values, of, inPipeline);
    const measured = values.find(({ measure }) => measure !== 'free') ?? firstValue;
    const alike = values.map((value, at) =>
      value === measured ? value : this.#agreed(measured, value, args[at] ?? span),
    );
    const measure =
      unit === 'arguments' ? measured.measure : unit === 'root' ? powerOf(firstValue.measure, 0.5) : ratio;
    return mapped(measure, alike, of, inPipeline);
  }

  #choice(
    [condition, then, otherwise]: readonly Compiled[],
    [, , otherwiseText]: readonly Expression[],
    of: (...values: number[]) => number,
    inPipeline: InPipeline,
  ): Compiled {
    if (!condition || !then) throw new Error('if has two arguments at least');
    const last = otherwise && otherwiseText ? [this.#agreed(then, otherwise, otherwiseText)] : [];
    const measure = then.measure === 'free' && otherwise ? otherwise.measure : then.measure;
    return mapped(measure, [condition, then, ...last], of, inPipeline);
  }

  /** The window of a rolling function: a number of rows, or a span of the index. */
  #windowOf(size: Expression | undefined, call: Span): Window {
    if (size?.kind !== 'number')
      throw new ExpressionError(
        'Enter a number of rows, or a time or depth, such as 10 or 5 min.',
        size ?? call,
      );
    const { value, unit } = size;
    if (unit === null) {
      if (Number.isInteger(value) && value >= 2 && value <= maxWindowRows) return { rows: value, span: 0 };
      throw new ExpressionError(`Enter 2 to ${maxWindowRows} rows, or a time or depth such as 5 min.`, size);
    }
    const indexUnit = this.#scope.index?.values === 'time' ? 's' : this.#scope.index?.unit;
    if (indexUnit === undefined)
      throw new ExpressionError(
        `The unit of ${this.#scope.index?.id ?? 'the depth'} isn’t known. Set it in the column’s menu, or enter a number of rows.`,
        size,
      );
    const [from, to] = [unitOf(unit), unitOf(indexUnit)];
    const convert = from && to && converter(from, to);
    if (!convert || value <= 0)
      throw new ExpressionError(
        `The rows are in order of ${this.#scope.index?.id}, in ${indexUnit}. Enter a window in a unit of it, or a number of rows.`,
        size,
      );
    return { rows: 0, span: convert(value) };
  }
}

/**
 * Checks an expression and makes it ready to be calculated.
 * @param onRemark called with each remark
 * @throws ExpressionError with the place of a mistake
 */
export const compileExpression = (
  text: string,
  scope: Scope,
  onRemark: (remark: Remark) => void = () => undefined,
): Compiled => new Compiler(scope, onRemark).compiled(parseExpression(text));

/** A calculated column of records, ready to be calculated, or what is wrong with it. */
export interface ReadyColumn {
  readonly name: string;
  /** Null: none, or unknown. */
  readonly unit: string | null;
  /** Null if its expression doesn't fit the records. */
  readonly compiled: Compiled | null;
  /** What is wrong; null: nothing. */
  readonly problem: string | null;
}

/** Whether its value needs rows before its own. */
export const needsRowsBefore = ({ compiled }: ReadyColumn): boolean =>
  compiled !== null && compiled.firstInReach !== null;

/** What the names of an expression mean. @param before the calculated columns before it, which it can use */
export function scopeOf(
  { fields, index }: Pick<Calculation, 'fields' | 'index'>,
  before: readonly ReadyColumn[],
): Scope {
  return {
    fields,
    columns: new Map(before.flatMap(({ name, compiled }) => (compiled ? [[name, compiled]] : []))),
    index: fields.find(({ id }) => id === index) ?? null,
  };
}

/** Makes columns ready to be calculated. A column can use those before it. */
export function readyColumns(calculation: Calculation): ReadyColumn[] {
  const ready: ReadyColumn[] = [];
  for (const column of calculation.columns) ready.push(readyColumn(column, scopeOf(calculation, ready)));
  return ready;
}

function readyColumn({ name, expression, unit }: CalculatedColumn, scope: Scope): ReadyColumn {
  try {
    const compiled = compileExpression(expression, scope);
    // Columns that use it see the unit that a person sees.
    const measure = unit === undefined ? compiled.measure : measureOf(unit);
    return {
      name,
      unit: unit ?? unitText(measure),
      compiled: { ...compiled, of: once(compiled.of), measure },
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { name, unit: unit ?? null, compiled: null, problem: error.message };
  }
}

/** Calculates the values of a series once, however many columns use them. */
function once(of: Compiled['of']): Compiled['of'] {
  const calculatedBefore = new WeakMap<Series, Float64Array>();
  return (series) => {
    const values = calculatedBefore.get(series) ?? of(series);
    calculatedBefore.set(series, values);
    return values;
  };
}
