import { converter, unitOf } from '../channels/units.ts';
import { nearestWord } from '../language/nearest.ts';
import { pathNames } from '../column-paths.ts';
import type { CalculationField } from './calculated.ts';
import { calculationFunctions, functionNamed } from './functions.ts';
import {
  binaryInPipeline,
  convertInPipeline,
  fieldInPipeline,
  minusInPipeline,
  notInPipeline,
  type InPipeline,
} from './in-pipeline.ts';
import { agreementOf, differenceOf, measureOf, powerOf, productOf, ratio, unitText } from './measures.ts';
import { ExpressionError, parseExpression, type Expression, type Span } from './parse.ts';
import { rowsAfter, spanAfter } from './series.ts';
import { mapped, numberAt, operations, type Compiled } from './values.ts';
import { windowStarts, type Figure, type Window } from './windows.ts';

/** What names in an expression mean. */
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

/** Compiles the parts of one expression. */
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
      of: ({ numbers }) => numbers(field.id).map((value) => (isTime ? value / 1000 : numberAt(value))),
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
