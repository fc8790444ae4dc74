import { literal, sqlName } from './sql-name.ts';
import {
  aggregate,
  type EachStep,
  eachStep,
  lines,
  list,
  measured,
  names,
  type SqlFunction,
  type ValueColumn,
} from './write-sql.ts';

/**
 * A table with a row for each value of a column, or each step of it, and a column for each value of another one.
 * @param values those of the columns, as numbers or texts
 * @param order the column by which the first and the last value are found
 */
export function pivot(options: {
  readonly table: string;
  readonly rows: ValueColumn;
  /** Null: a row for each value. */
  readonly step: EachStep | null;
  /** The column of wells, which have rows of their own; null: they don't. */
  readonly well: string | null;
  readonly columns: string;
  readonly values: readonly (number | string)[];
  readonly value: ValueColumn;
  readonly functions: readonly SqlFunction[];
  readonly order: string;
}): string {
  const { table, rows, step, well, columns, values, value, functions, order } = options;
  const at = measured(rows);
  const row = step
    ? `${eachStep(at, step)} AS ${'time' in step ? 'interval_start' : 'depth_from'}`
    : sqlName(rows.name);
  const cells = values.flatMap((text) =>
    functions.map((of) =>
      aggregate(of, value, order, {
        where: `${sqlName(columns)} = ${typeof text === 'number' ? text : literal(text)}`,
        name: [value.name, ...(functions.length > 1 ? [of] : []), text].join('_'),
      }),
    ),
  );
  return lines(
    `SELECT ${list([...names(well), row, ...cells])}`,
    `FROM ${sqlName(table)}`,
    `WHERE ${at} IS NOT NULL`,
    'GROUP BY ALL',
    'ORDER BY ALL',
  );
}
