import type { Calculation, CalculatedColumn } from './calculated.ts';
import { compileExpression, type Scope } from './compile.ts';
import { unitText } from './measures.ts';
import { ExpressionError } from './parse.ts';
import { hasReach } from './series.ts';
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
  compiled !== null && hasReach(compiled.reach);

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
    return { name, unit: unit ?? unitText(compiled.measure), compiled, problem: null };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { name, unit: unit ?? null, compiled: null, problem: error.message };
  }
}
