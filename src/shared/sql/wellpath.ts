import { literal, sqlName } from './names.ts';
import { lines, list, names, partition } from './write-sql.ts';

// Lists within records as rows, and the path of a well from the stations of its survey.

export interface ListField {
  readonly name: string;
  readonly type: string;
}

const jsonText = (fields: readonly ListField[]): string =>
  literal(JSON.stringify([Object.fromEntries(fields.map(({ name, type }) => [name, type]))]));

/** The rows of a table with a list: one for each item. @param fields of its items, as JSON has them */
export function rowsOfList(options: {
  readonly table: string;
  readonly well: string | null;
  /** Another column to keep; absent: none. */
  readonly survey?: string | null;
  readonly column: string;
  readonly fields: readonly ListField[];
}): string {
  const { table, well, survey = null, column, fields } = options;
  const items =
    fields.length === 0
      ? `unnest(from_json(${sqlName(column)}, '["JSON"]')) AS item`
      : `unnest(from_json(${sqlName(column)}, ${jsonText(fields)}), recursive := true)`;
  return lines(`SELECT ${list([...names(well, survey), items])}`, `FROM ${sqlName(table)}`);
}

/** Where the stations of a survey are: rows, or the items of a list. Angles are in degrees. */
interface Stations {
  readonly table: string;
  readonly well: string | null;
  /** The column that distinguishes the surveys and plans of a well; null: each well has one. */
  readonly survey: string | null;
  /** The list and its fields; null: the table has a row for each station. */
  readonly list: { readonly column: string; readonly fields: readonly ListField[] } | null;
  readonly depth: string;
  readonly inclination: string;
  readonly azimuth: string;
}

/**
 * The path of a well by minimum curvature: true vertical depth, north, and east of the first station, and the dogleg by a
 * length. A first station below the surface is tied on with a vertical hole.
 * The vertical section is the distance from there along an azimuth.
 * @param per the length of the dogleg in the unit of the depths: 100 for ft, 30 for m
 * @param section the azimuth of the section in degrees; null: that of the last station of each well
 */
export function wellpath({
  table,
  well,
  survey,
  list: items,
  depth,
  inclination,
  azimuth,
  per,
  section,
}: Stations & { readonly per: number; readonly section: number | null }): string {
  const rows = `OVER (${partition(well, survey)}ORDER BY md)`;
  const so = `OVER (${partition(well, survey)}ORDER BY md ROWS UNBOUNDED PRECEDING)`;
  const source = items
    ? [
        '(',
        ...rowsOfList({ table, well, survey, ...items })
          .trimEnd()
          .split('\n')
          .map((line) => `    ${line}`),
        '  )',
      ].join('\n')
    : sqlName(table);
  const id = names(well, survey);
  const [inc, azi] = [sqlName(inclination), sqlName(azimuth)];
  const isAngle = 'BETWEEN -360 AND 360';
  const along =
    section ?? `arg_max(azimuth, md) FILTER (azimuth ${isAngle}) OVER (${partition(well, survey).trim()})`;
  return lines(
    'WITH stations AS (',
    `  SELECT DISTINCT ${[...id, `CAST(${sqlName(depth)} AS DOUBLE) AS md`, `${inc} AS inclination`, `${azi} AS azimuth`, `radians(${inc}) AS inc`, `radians(CASE WHEN ${azi} ${isAngle} THEN ${azi} ELSE 0 END) AS azi`].join(', ')}`,
    `  FROM ${source}`,
    // Null values such as -999.25 are no stations. A vertical station needs no azimuth.
    `  WHERE ${sqlName(depth)} >= 0 AND ${inc} BETWEEN -180 AND 180 AND (${azi} ${isAngle} OR ${inc} = 0)`,
    '),',
    'steps AS (',
    '  SELECT *,',
    `         md - lag(md, 1, 0) ${rows} AS length,`,
    `         lag(inc, 1, CASE WHEN md > 0 THEN 0 ELSE inc END) ${rows} AS inc0,`,
    `         lag(azi, 1, azi) ${rows} AS azi0`,
    '  FROM stations',
    '),',
    'arcs AS (',
    '  SELECT *,',
    '         2 * asin(least(1, sqrt(sin((inc - inc0) / 2) ** 2 + sin(inc0) * sin(inc) * sin((azi - azi0) / 2) ** 2))) AS angle',
    '  FROM steps',
    '),',
    'parts AS (',
    '  SELECT *, length / 2 * CASE WHEN angle < 1e-7 THEN 1 ELSE 2 / angle * tan(angle / 2) END AS half',
    '  FROM arcs',
    '),',
    'path AS (',
    `  SELECT ${list([
      ...id,
      'md',
      'inclination',
      'azimuth',
      `sum(half * (cos(inc0) + cos(inc))) ${so} AS tvd`,
      `sum(half * (sin(inc0) * cos(azi0) + sin(inc) * cos(azi))) ${so} AS north`,
      `sum(half * (sin(inc0) * sin(azi0) + sin(inc) * sin(azi))) ${so} AS east`,
      `CASE WHEN length > 0 THEN degrees(angle) / length * ${per} END AS ${sqlName(`dogleg_per_${per}`)}`,
    ]).replaceAll('\n', '\n  ')}`,
    '  FROM parts',
    ')',
    'SELECT *,',
    `       north * cos(radians(${along})) + east * sin(radians(${along})) AS vertical_section`,
    'FROM path',
    `ORDER BY ${[...id, 'md'].join(', ')}`,
  );
}
