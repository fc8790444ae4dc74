import { literal, sqlName } from './names.ts';

// Statements for those who don't write SQL. All values are names of open tables and their columns, or numbers.

/** A column of measurements, and the numbers in it that mean null. */
interface ValueColumn {
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

/**
 * The start of the step that a time or a depth is in. Fractions are inexact: 1000.3 / 0.1 is less than 10003, and
 * 10003 * 0.1 is more than 1000.3.
 */
export function eachStep(at: string, step: EachStep): string {
  if ('time' in step) return `time_bucket(INTERVAL '${step.time}', ${at})`;
  const { depth } = step;
  return Number.isInteger(depth)
    ? `floor(${at} / ${depth}) * ${depth}`
    : `round(floor(${at} / ${depth} + 1e-6) * ${depth}, 9)`;
}

/** A function of a column over a group of rows. @param order the column by which the first and the last value are found */
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

/** The columns of wells in a table and in the one that is joined to it. */
export interface JoinedWells {
  readonly own: string;
  readonly other: string;
  /** Whether both have names, which are compared without blanks around them and in one case. */
  readonly areNames?: boolean;
  /** Where one column has ids and the other names: which one has ids, and the name of each well by its id. */
  readonly named?: { readonly idsIn: 'own' | 'other'; readonly names: ReadonlyMap<string, string> };
}

/** The condition that joins rows `a` to rows `b` of the same well. @param wells null: one well */
export function onWells(wells: JoinedWells | null): string {
  if (!wells) return '';
  const [ownColumn, otherColumn] = [`a.${sqlName(wells.own)}`, `b.${sqlName(wells.other)}`];
  const nameIn = (column: string): string => `lower(trim(${column}))`;
  if (!wells.named)
    return wells.areNames === true
      ? `${nameIn(ownColumn)} = ${nameIn(otherColumn)} AND `
      : `${ownColumn} = ${otherColumn} AND `;
  const { idsIn, names } = wells.named;
  const [ids, texts] = idsIn === 'own' ? [ownColumn, otherColumn] : [otherColumn, ownColumn];
  const plain = Array.from(names, ([id, name]) => [literal(id), literal(name.trim().toLowerCase())]);
  const cases = plain.map(([id, name]) => ` WHEN ${id} THEN ${name}`).join('');
  // Without any name, texts are the ids. Some files have ids as decimals.
  const id = `regexp_replace(CAST(${ids} AS VARCHAR), '\\.0$', '')`;
  return `${plain.length === 0 ? id : `CASE ${id}${cases} ELSE ${id} END`} = ${nameIn(texts)} AND `;
}

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
