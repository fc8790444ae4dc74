import type { Calculation, CalculatedColumn } from './calculated.ts';
import { compileExpression, type Scope } from './compile.ts';
import { measureOf, unitText } from './measures.ts';
import { ExpressionError } from './parse.ts';
import type { Series } from './series.ts';
import type { Compiled } from './values.ts';

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
