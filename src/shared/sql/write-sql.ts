import { sqlName } from './sql-name.ts';

// Statements for those who don't write SQL. All values are names of open tables and their columns, or numbers.

/** A column of measurements, and the numbers in it that mean null. */
export interface ValueColumn {
  readonly name: string;
  readonly nullNumbers?: readonly number[] | undefined;
}

/** The values of a column without those that mean null. */
export const measured = ({ name, nullNumbers = [] }: ValueColumn): string =>
  nullNumbers.reduce((value, number) => `NULLIF(${value}, ${number})`, sqlName(name));

/** A statement of several lines, without those that are null. */
export const lines = (...parts: readonly (string | null)[]): string =>
  `${parts.filter((part) => part !== null).join('\n')}\n`;

/** The names of columns, without those that are null. */
export const names = (...columns: readonly (string | null)[]): string[] =>
  columns.flatMap((column) => (column === null ? [] : [sqlName(column)]));

/** The clause that treats each well alone. @param columns of wells, and of what divides them further; null: one well */
export const partition = (...columns: readonly (string | null)[]): string => {
  const present = names(...columns);
  return present.length === 0 ? '' : `PARTITION BY ${present.join(', ')} `;
};

export const sqlFunctions = ['mean', 'min', 'max', 'first', 'last', 'count'] as const;
export type SqlFunction = (typeof sqlFunctions)[number];

export const sqlSteps = ['1 second', '10 seconds', '1 minute', '10 minutes', '1 hour', '1 day'] as const;
export type SqlStep = (typeof sqlSteps)[number];

/** A step of time, or of depth in the unit of the column. */
export type EachStep = { readonly time: string } | { readonly depth: number };

/** The start of the step that a time or a depth is in. */
export const eachStep = (at: string, step: EachStep): string =>
  'time' in step
    ? `time_bucket(INTERVAL '${step.time}', ${at})`
    : `floor(${at} / ${step.depth}) * ${step.depth}`;

/** A function of a column over a group of rows in the order of another column, with a condition of its rows or ''. */
export function aggregate(
  of: SqlFunction,
  column: ValueColumn,
  order: string,
  { where = '', name = `${column.name}_${of}` }: { readonly where?: string; readonly name?: string } = {},
): string {
  const [value, by] = [measured(column), sqlName(order)];
  const call =
    of === 'first'
      ? `arg_min(${value}, ${by})`
      : of === 'last'
        ? `arg_max(${value}, ${by})`
        : `${of === 'mean' ? 'avg' : of}(${value})`;
  return `${call}${where && ` FILTER (${where})`} AS ${sqlName(name)}`;
}

/** Expressions below each other. */
export const list = (parts: readonly string[]): string => parts.join(',\n       ');

/** Values by intervals of time, for each well. @param well column of wells; null: one well */
export function resample(options: {
  readonly table: string;
  readonly time: string;
  readonly well: string | null;
  readonly values: readonly ValueColumn[];
  readonly functions: readonly SqlFunction[];
  readonly step: SqlStep;
}): string {
  const { table, time, well, values, functions, step } = options;
  const figures = values.flatMap((value) => functions.map((of) => aggregate(of, value, time)));
  const groups = [
    ...(well === null ? [] : [sqlName(well)]),
    `time_bucket(INTERVAL '${step}', ${sqlName(time)}) AS interval_start`,
  ];
  return lines(
    `SELECT ${list([...groups, ...figures])}`,
    `FROM ${sqlName(table)}`,
    'GROUP BY ALL',
    'ORDER BY ALL',
  );
}

/** Each row of a table with the latest row of another one at or before its time, such as the stage it belongs to. */
export function joinByTime(options: {
  readonly table: string;
  readonly time: string;
  readonly other: string;
  readonly otherTime: string;
  /** Columns of the other table to add. */
  readonly add: readonly string[];
  /** Columns of wells in both tables; null: one well. */
  readonly wells: { readonly own: string; readonly other: string } | null;
}): string {
  const { table, time, other, otherTime, add, wells } = options;
  return lines(
    `SELECT ${list(['a.*', ...add.map((column) => `b.${sqlName(column)}`)])}`,
    `FROM ${sqlName(table)} AS a`,
    `ASOF LEFT JOIN ${sqlName(other)} AS b`,
    `  ON ${wells ? `a.${sqlName(wells.own)} = b.${sqlName(wells.other)} AND ` : ''}a.${sqlName(time)} >= b.${sqlName(otherTime)}`,
    `ORDER BY a.${sqlName(time)}`,
  );
}

/** A value with its mean over the rows around it, for each well. @param rows number of rows before and after */
export function movingAverage(options: {
  readonly table: string;
  readonly order: string;
  readonly well: string | null;
  readonly value: ValueColumn;
  readonly rows: number;
}): string {
  const { table, order, well, value, rows } = options;
  const partition = well === null ? '' : `PARTITION BY ${sqlName(well)} `;
  return lines(
    `SELECT *,`,
    `       avg(${measured(value)}) OVER (${partition}ORDER BY ${sqlName(order)} ROWS BETWEEN ${rows} PRECEDING AND ${rows} FOLLOWING) AS ${sqlName(`${value.name}_average`)}`,
    `FROM ${sqlName(table)}`,
    `ORDER BY ${well === null ? '' : `${sqlName(well)}, `}${sqlName(order)}`,
  );
}

/** The rows with the largest values of each well. */
export function topByWell(options: {
  readonly table: string;
  readonly well: string;
  readonly value: ValueColumn;
  readonly rows: number;
}): string {
  const { table, well, value, rows } = options;
  return lines(
    'SELECT *',
    `FROM ${sqlName(table)}`,
    `WHERE ${measured(value)} IS NOT NULL`,
    `QUALIFY row_number() OVER (PARTITION BY ${sqlName(well)} ORDER BY ${measured(value)} DESC) <= ${rows}`,
    `ORDER BY ${sqlName(well)}, ${measured(value)} DESC`,
  );
}
