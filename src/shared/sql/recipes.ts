import { literal, sqlName } from './sql-name.ts';
import {
  type EachStep,
  eachStep,
  type JoinedWells,
  lines,
  list,
  measured,
  names,
  onWells,
  partition,
  type ValueColumn,
} from './write-sql.ts';

// Statements for the questions that a drilling engineer asks each day. All values are names of open tables and their
// columns, numbers, or quoted texts.

/** Rows of a table in the order of time. */
interface TimeRows {
  readonly table: string;
  readonly time: string;
  /** The column of wells; null: one well. */
  readonly well: string | null;
}

/** Rows with what the rig does. */
interface StateRows extends TimeRows {
  readonly state: string;
  /** Longer steps between records, in seconds, belong to no state. */
  readonly maxGap: number;
}

const seconds = (from: string, to: string): string => `epoch(${to}) - epoch(${from})`;

/** How long the rig was in each state, by well, in hours. Steps that are longer than the largest gap are listed as “No records”. */
export function timeInStates({ table, time, well, state, maxGap }: StateRows): string {
  return lines(
    'WITH steps AS (',
    `  SELECT ${[...names(well, state), `${seconds(sqlName(time), `lead(${sqlName(time)}) OVER (${partition(well)}ORDER BY ${sqlName(time)})`)} AS seconds`].join(', ')}`,
    `  FROM ${sqlName(table)}`,
    `  WHERE ${sqlName(time)} IS NOT NULL`,
    '),',
    'hours AS (',
    `  SELECT ${[...names(well), `CASE WHEN seconds > ${maxGap} THEN 'No records' ELSE coalesce(CAST(${sqlName(state)} AS VARCHAR), 'No state') END AS state`, 'sum(seconds) / 3600 AS hours'].join(', ')}`,
    '  FROM steps',
    '  WHERE seconds IS NOT NULL',
    '  GROUP BY ALL',
    ')',
    `SELECT *, 100 * hours / sum(hours) OVER (${partition(well).trim()}) AS percent`,
    'FROM hours',
    `ORDER BY ${[...names(well), 'hours DESC'].join(', ')}`,
  );
}

/**
 * The periods in which the state stays the same, with their ends. A period lasts until the next record, or until its last
 * one before a gap.
 * @param depth column of the hole depth; null: none
 * @param only the state whose periods are listed; null: all states
 */
export function statePeriods(
  options: StateRows & { readonly depth: ValueColumn | null; readonly only: string | null },
): string {
  const { well, only, state, depth } = options;
  return lines(
    ...periods(options),
    ')',
    `SELECT ${list([
      ...names(well, state),
      ...periodColumns,
      ...(depth === null
        ? []
        : [
            `arg_min(${measured(depth)}, row_time) AS depth_from`,
            `arg_max(${measured(depth)}, row_time) AS depth_to`,
          ]),
    ])}`,
    'FROM numbered',
    only === null ? null : `WHERE ${sqlName(state)} = ${literal(only)}`,
    `GROUP BY ${[...names(well, state), 'period'].join(', ')}`,
    `ORDER BY ${[...names(well), 'period_start'].join(', ')}`,
  );
}

const periodColumns = [
  'min(row_time) AS period_start',
  'max(row_end) AS period_end',
  '(epoch(max(row_end)) - epoch(min(row_time))) / 60 AS minutes',
];

/** Common tables up to `numbered`, which is still open: each row with its end, and the number of its period. */
function periods({ table, time, well, state, maxGap }: StateRows): string[] {
  const [at, of] = [sqlName(time), sqlName(state)];
  return [
    'WITH steps AS (',
    `  SELECT *, ${at} AS row_time,`,
    `         lag(${at}) OVER rows AS time_before, lead(${at}) OVER rows AS time_after,`,
    `         lag(${of}) OVER rows AS state_before`,
    `  FROM ${sqlName(table)}`,
    `  WHERE ${at} IS NOT NULL`,
    `  WINDOW rows AS (${partition(well)}ORDER BY ${at})`,
    '),',
    'numbered AS (',
    '  SELECT *,',
    `         CASE WHEN ${seconds('row_time', 'time_after')} <= ${maxGap} THEN time_after ELSE row_time END AS row_end,`,
    '         sum(CASE',
    `               WHEN time_before IS NULL OR ${seconds('time_before', 'row_time')} > ${maxGap} OR ${of} IS DISTINCT FROM state_before`,
    '               THEN 1 ELSE 0',
    `             END) OVER (${partition(well)}ORDER BY row_time ROWS UNBOUNDED PRECEDING) AS period`,
    '  FROM steps',
  ];
}

/**
 * The connections while drilling: how long the pipe was in slips (slip to slip), and how long the bit was off bottom
 * (weight to weight). Trips, in which the bit doesn't return to the bottom between two periods in slips, aren't listed.
 * @param inSlips the state of pipe in slips
 * @param tolerance how far above the bottom of the hole the bit still drills, in the unit of the depths
 */
export function connections(
  options: StateRows & {
    readonly hole: ValueColumn;
    readonly bit: ValueColumn;
    readonly inSlips: string;
    readonly tolerance: number;
  },
): string {
  const { well, state, hole, bit, inSlips, tolerance } = options;
  const onBottom = `CASE WHEN ${sqlName(state)} IS DISTINCT FROM ${literal(inSlips)} AND ${measured(hole)} - ${measured(bit)} <= ${tolerance} THEN`;
  const rows = `${partition(well)}ORDER BY row_time, period ROWS BETWEEN`;
  return lines(
    ...periods(options),
    '),',
    'marked AS (',
    '  SELECT *,',
    `         max(${onBottom} row_end END) OVER (${rows} UNBOUNDED PRECEDING AND CURRENT ROW) AS off_bottom,`,
    `         min(${onBottom} row_time END) OVER (${rows} CURRENT ROW AND UNBOUNDED FOLLOWING) AS on_bottom`,
    '  FROM numbered',
    '),',
    'slips AS (',
    `  SELECT ${[...names(well), 'min(row_time) AS slips_set', 'max(row_end) AS slips_pulled'].join(', ')},`,
    `         min(off_bottom) AS off_bottom, max(on_bottom) AS on_bottom, max(${measured(hole)}) AS depth`,
    '  FROM marked',
    `  WHERE ${sqlName(state)} = ${literal(inSlips)}`,
    `  GROUP BY ${[...names(well), 'period'].join(', ')}`,
    ')',
    `SELECT ${list([
      ...names(well),
      'slips_set',
      'depth',
      `depth - lag(depth) OVER (${partition(well)}ORDER BY slips_set) AS drilled_since_last`,
      `(${seconds('slips_set', 'slips_pulled')}) / 60 AS slip_to_slip_minutes`,
      `(${seconds('off_bottom', 'on_bottom')}) / 60 AS weight_to_weight_minutes`,
    ])}`,
    'FROM slips',
    'WHERE off_bottom IS NOT NULL AND on_bottom IS NOT NULL',
    `QUALIFY count(*) OVER (PARTITION BY ${[...names(well), 'off_bottom'].join(', ')}) = 1`,
    `ORDER BY ${[...names(well), 'slips_set'].join(', ')}`,
  );
}

/**
 * The mean of a channel in each formation, section, or stage: that of the last top at or above the depth of a row.
 * @param factor number of units of the depth in one unit of the tops, such as 3.28084 for tops in m and depths in ft
 */
export function meanByTop(options: {
  readonly table: string;
  readonly depth: ValueColumn;
  readonly value: ValueColumn;
  readonly tops: string;
  readonly top: ValueColumn;
  readonly label: string;
  readonly factor: number;
  /** The columns of wells in both tables; null: one well. */
  readonly wells: JoinedWells | null;
}): string {
  const { table, depth, value, tops, top, label, factor, wells } = options;
  const topDepth = `top_depth${factor === 1 ? '' : ` * ${factor}`}`;
  const assetColumn = wells ? [`a.${sqlName(wells.own)}`] : [];
  return lines(
    `SELECT ${list([
      ...assetColumn,
      `b.${sqlName(label)}`,
      'min(row_depth) AS depth_from',
      'max(row_depth) AS depth_to',
      ...(['avg', 'min', 'max', 'count'] as const).map(
        (of) => `${of}(row_value) AS ${sqlName(`${value.name}_${of === 'avg' ? 'mean' : of}`)}`,
      ),
    ])}`,
    `FROM (SELECT *, ${measured(depth)} AS row_depth, ${measured(value)} AS row_value FROM ${sqlName(table)} WHERE row_depth IS NOT NULL) AS a`,
    `ASOF LEFT JOIN (SELECT *, ${measured(top)} AS top_depth FROM ${sqlName(tops)} WHERE top_depth IS NOT NULL) AS b`,
    `  ON ${onWells(wells)}row_depth >= ${topDepth}`,
    `GROUP BY ${[...assetColumn, `b.${sqlName(label)}`, 'top_depth'].join(', ')}`,
    `ORDER BY ${[...assetColumn, 'depth_from'].join(', ')}`,
  );
}

/**
 * A row for each well and day, with depths, what was drilled, and figures of a channel.
 * @param hours from UTC to the day of the rig, such as -6
 */
export function dailySummary(
  options: TimeRows & { readonly depth: ValueColumn; readonly value: ValueColumn; readonly hours: number },
): string {
  const { table, time, well, depth, value, hours } = options;
  const shift = hours === 0 ? '' : `, INTERVAL '${-hours} hours'`;
  const hole = measured(depth);
  return lines(
    `SELECT ${list([
      ...names(well),
      `time_bucket(INTERVAL '1 day', ${sqlName(time)}${shift}) AS day_start`,
      `min(${hole}) AS depth_from`,
      `max(${hole}) AS depth_to`,
      `max(${hole}) - min(${hole}) AS drilled`,
      `avg(${measured(value)}) AS ${sqlName(`${value.name}_mean`)}`,
      `max(${measured(value)}) AS ${sqlName(`${value.name}_max`)}`,
      'count(*) AS records',
    ])}`,
    `FROM ${sqlName(table)}`,
    `WHERE ${sqlName(time)} IS NOT NULL`,
    'GROUP BY ALL',
    'ORDER BY ALL',
  );
}

/** The greatest depth so far for each hour, with the days since the first record in which there is a hole. */
export function daysAgainstDepth({
  table,
  time,
  well,
  depth,
}: TimeRows & { readonly depth: ValueColumn }): string {
  return lines(
    'WITH hourly AS (',
    `  SELECT ${[...names(well), `time_bucket(INTERVAL '1 hour', ${sqlName(time)}) AS hour`, `max(${measured(depth)}) AS depth`].join(', ')}`,
    `  FROM ${sqlName(table)}`,
    `  WHERE ${measured(depth)} > 0 AND ${sqlName(time)} IS NOT NULL`,
    '  GROUP BY ALL',
    ')',
    `SELECT ${list([
      ...names(well),
      `(epoch(hour) - min(epoch(hour)) OVER (${partition(well).trim()})) / 86400 AS days`,
      `max(depth) OVER (${partition(well)}ORDER BY hour ROWS UNBOUNDED PRECEDING) AS hole_depth`,
    ])}`,
    'FROM hourly',
    `ORDER BY ${[...names(well), 'days'].join(', ')}`,
  );
}

/** The means of all channels by a step of time or depth, for each well. @param index column of times or depths */
export function resampleAll(options: {
  readonly table: string;
  readonly index: ValueColumn;
  readonly well: string | null;
  readonly values: readonly ValueColumn[];
  readonly step: EachStep;
}): string {
  const { table, index, well, values, step } = options;
  const at = measured(index);
  return lines(
    `SELECT ${list([
      ...names(well),
      `${eachStep(at, step)} AS ${'time' in step ? 'interval_start' : 'depth_from'}`,
      ...values.map((value) => `avg(${measured(value)}) AS ${sqlName(value.name)}`),
      'count(*) AS records',
    ])}`,
    `FROM ${sqlName(table)}`,
    `WHERE ${at} IS NOT NULL`,
    'GROUP BY ALL',
    'ORDER BY ALL',
  );
}
