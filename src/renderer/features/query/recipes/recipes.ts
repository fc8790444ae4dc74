import type { Synonyms } from '../../../../shared/channels/channels.ts';
import { factorOf, unitOf } from '../../../../shared/channels/units.ts';
import type { SqlColumn, SqlTable } from '../../../../shared/sql/sql.ts';
import { literal, sqlName } from '../../../../shared/sql/names.ts';
import { rowsOfList, wellpath } from '../../../../shared/sql/wellpath.ts';
import {
  aggregate,
  eachStep,
  type JoinedWells,
  lines,
  list,
  measured,
  names,
  onWells,
  partition,
  pivot,
} from '../../../../shared/sql/write-sql.ts';
import { recipeWords as w } from '../../../words/recipes.ts';
import {
  type ColumnSource,
  column,
  depthLike,
  entered,
  functions,
  hasDepthSteps,
  inSlips,
  interval,
  isChannel,
  isFraction,
  isLabel,
  isMeasured,
  isNumber,
  isRecorded,
  isText,
  isTime,
  isWell,
  maxTexts,
  nameOf,
  named,
  type Need,
  number,
  only,
  optional,
  optionsOf,
  other,
  pivotValues,
  positive,
  type Recipe,
  recipe,
  type RecipeContext,
  type RecipeForm,
  type RecipeReading,
  timeStep,
  unitAt,
  whole,
} from './recipe-needs.ts';

// A recipe is a record of what it needs and its statement. A new one also has texts in the words of recipes.

const isAny = (): boolean => true;
const { columns } = w;
const depthSource: ColumnSource = {
  fits: isMeasured,
  first: [isChannel('hole_depth'), depthLike],
  isOnlyNamed: true,
};
const time = nameOf(column(columns.time, { fits: isTime, first: [] }));
const wellColumn = optional(columns.well, { fits: isAny, first: [isWell] });
const well = nameOf(wellColumn);
const otherWell = optional(columns.otherWell, { from: 'other', fits: isAny, first: [isWell] });
const value = column(columns.value, { fits: isMeasured, first: [isChannel('rop')] });
const state = nameOf(
  column(columns.state, { fits: isLabel, first: [named(/state|status|activity/i), isText] }),
);
const log = nameOf(
  optional(columns.log, {
    fits: (column) => isLabel(column) && !isFraction(column),
    first: [named(/^log_identifier$/i)],
  }),
);
const hole = column(columns.hole, depthSource);
const listSource = { from: 'lists', fits: isText, first: [isAny] } as const;
const itemSource = { from: 'items', fits: isMeasured, isOnlyNamed: true } as const;
const maxGap = entered(w.texts.maxGap, positive, { initial: '300', unitIn: () => 's' });
const rows = entered(w.texts.rows, whole, { initial: '5' });

/** The columns by which rows of both tables are of the same well; null: one well. */
function wellsOf(
  own: SqlColumn | null,
  otherColumn: SqlColumn | null,
  { facts, wellNames }: RecipeForm,
): JoinedWells | null {
  if (!own || !otherColumn) return null;
  const wells = { own: own.name, other: otherColumn.name };
  if (isText(own) === isText(otherColumn)) return { ...wells, areNames: isText(own) };
  const values = new Set((facts.texts[own.name] ?? []).map((text) => text.trim().toLowerCase()));
  // The statement has the names of the wells in the table, not of all, if all of them are known.
  const isComplete = values.size > 0 && values.size < maxTexts;
  const names = new Map(
    [...wellNames].filter(
      ([id, name]) => !isComplete || values.has(isText(own) ? name.trim().toLowerCase() : id),
    ),
  );
  return { ...wells, named: { idsIn: isText(own) ? 'other' : 'own', names } };
}

const listOf = ({ name }: SqlColumn, { facts }: RecipeForm) => ({
  column: name,
  fields: facts.lists[name] ?? [],
});

// Statements of names of tables and columns, numbers, and quoted texts.

const seconds = (from: string, to: string): string => `epoch(${to}) - epoch(${from})`;

/** A row for each group. @param index the expression of a time or a depth, which each row has */
const grouped = (table: string, index: string, columns: readonly string[]): string =>
  lines(
    `SELECT ${list(columns)}`,
    `FROM ${sqlName(table)}`,
    `WHERE ${index} IS NOT NULL`,
    'GROUP BY ALL',
    'ORDER BY ALL',
  );

interface PeriodRows {
  readonly table: string;
  readonly time: string;
  readonly well: string | null;
  readonly state: string;
  /** Longer steps between records, in seconds, belong to no state. */
  readonly maxGap: number;
}

/** Common tables up to `numbered`, which is still open: each row with its end, and the number of its period. */
function periods({ table, time, well, state, maxGap }: PeriodRows): string[] {
  const [at, activity] = [sqlName(time), sqlName(state)];
  return [
    'WITH steps AS (',
    `  SELECT *, ${at} AS row_time,`,
    `         lag(${at}) OVER rows AS time_before, lead(${at}) OVER rows AS time_after,`,
    `         lag(${activity}) OVER rows AS state_before`,
    `  FROM ${sqlName(table)}`,
    `  WHERE ${at} IS NOT NULL`,
    `  WINDOW rows AS (${partition(well)}ORDER BY ${at})`,
    '),',
    'numbered AS (',
    '  SELECT *,',
    `         CASE WHEN ${seconds('row_time', 'time_after')} <= ${maxGap} THEN time_after ELSE row_time END AS row_end,`,
    '         sum(CASE',
    `               WHEN time_before IS NULL OR ${seconds('time_before', 'row_time')} > ${maxGap} OR ${activity} IS DISTINCT FROM state_before`,
    '               THEN 1 ELSE 0',
    `             END) OVER (${partition(well)}ORDER BY row_time ROWS UNBOUNDED PRECEDING) AS period`,
    '  FROM steps',
  ];
}

/** The length of doglegs: 30 m, or 100 ft. */
const dogleg = ({ columns }: RecipeForm): string =>
  unitOf(columns.get('depth')?.unit ?? '')?.symbol === 'm' ? '30' : '100';

const per: Need<number> = {
  read: (key, form) => {
    const read = (text: string) => positive(text.trim() || dogleg(form));
    return entered(w.texts.per, read, { unitIn: unitAt('depth'), placeholderIn: dogleg }).read(key, form);
  },
};

/** An azimuth; null: that of the last station. */
const section = entered(
  w.texts.section,
  (text): number | null | undefined => (text.trim() === '' ? null : number(text)),
  { unitIn: () => '°', placeholderIn: () => w.lastAzimuth },
);

/** The recipes in the order of their menu, with what each needs in the order of its form. Their texts are in the words. */
export const recipes = {
  resample: recipe(
    { time, well, value, step: timeStep, function: functions },
    ({ table, time, well, value, step, function: all }) =>
      grouped(table, sqlName(time), [
        ...names(well),
        `${eachStep(sqlName(time), { time: step })} AS interval_start`,
        ...all.map((name) => aggregate(name, value, time)),
      ]),
  ),
  // The means of all channels.
  resampleAll: recipe(
    {
      index: column(columns.index, {
        ...depthSource,
        fits: (column) => isTime(column) || isMeasured(column),
        first: [isTime, ...depthSource.first],
      }),
      well,
      log,
      step: interval('index', isAny),
    },
    ({ table, index, well, log, step }, { table: { columns: all } }) => {
      const at = measured(index);
      const values = all.filter((column) => isMeasured(column) && column.name !== index.name);
      if (!step || values.length === 0) return null;
      return grouped(table, at, [
        ...names(well, log),
        `${eachStep(at, step)} AS ${'time' in step ? 'interval_start' : 'depth_from'}`,
        ...values.map((value) => `avg(${measured(value)}) AS ${sqlName(value.name)}`),
        'count(*) AS records',
      ]);
    },
  ),
  // By well, in hours. Steps that are longer than the largest gap are listed as “No records”.
  states: recipe({ time, well, state, maxGap }, ({ table, time, well, state, maxGap }) =>
    lines(
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
    ),
  ),
  // A period lasts until the next record, or until its last one before a gap.
  periods: recipe(
    // A table with depths is preferred.
    { time, well, state, only, hole: { ...hole, ...optional(columns.hole, depthSource) }, maxGap },
    ({ hole, only, ...rows }) =>
      lines(
        ...periods(rows),
        ')',
        `SELECT ${list([
          ...names(rows.well, rows.state),
          'min(row_time) AS period_start',
          'max(row_end) AS period_end',
          '(epoch(max(row_end)) - epoch(min(row_time))) / 60 AS minutes',
          ...(hole
            ? [
                `arg_min(${measured(hole)}, row_time) AS depth_from`,
                `arg_max(${measured(hole)}, row_time) AS depth_to`,
              ]
            : []),
        ])}`,
        'FROM numbered',
        only === null ? null : `WHERE ${sqlName(rows.state)} = ${literal(only)}`,
        `GROUP BY ${[...names(rows.well, rows.state), 'period'].join(', ')}`,
        `ORDER BY ${[...names(rows.well), 'period_start'].join(', ')}`,
      ),
  ),
  // From slip to slip the pipe is in slips, from weight to weight the bit is off bottom. Trips, in which the bit doesn't return
  // to the bottom between two periods in slips, aren't listed.
  connections: recipe(
    {
      time,
      well,
      state,
      inSlips,
      hole,
      bit: column(columns.bit, { fits: isMeasured, first: [isChannel('bit_depth')], isOnlyNamed: true }),
      tolerance: entered(w.texts.tolerance, number, { initial: '1', unitIn: unitAt('hole') }),
      maxGap,
    },
    (values) => {
      const { well, state, hole, bit, inSlips, tolerance } = values;
      const onBottom = `CASE WHEN ${sqlName(state)} IS DISTINCT FROM ${literal(inSlips)} AND ${measured(hole)} - ${measured(bit)} <= ${tolerance} THEN`;
      const rows = `${partition(well)}ORDER BY row_time, period ROWS BETWEEN`;
      return lines(
        ...periods(values),
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
    },
  ),
  // The mean in each formation, section, or stage: that of the last top at or above the depth of a row.
  tops: recipe(
    {
      other,
      hole,
      well: wellColumn,
      value,
      top: column(columns.top, {
        from: 'other',
        fits: isMeasured,
        first: [named(/(?:^|[_.])(?:md|top|top_depth|measured_?depth)$/i), depthLike],
      }),
      label: nameOf(
        column(columns.label, {
          from: 'other',
          fits: isLabel,
          first: [named(/formation|stage/i), named(/name|label|section/i), isText],
        }),
      ),
      otherWell,
    },
    ({ table, other: tops, hole, well: own, value, top, label, otherWell }, form) => {
      const [from, to] = [unitOf(top.unit ?? ''), unitOf(hole.unit ?? '')];
      const factor = from && to ? factorOf(from, to) : 1;
      if (factor === undefined) return null;
      const wells = wellsOf(own, otherWell, form);
      const assetColumn = wells ? [`a.${sqlName(wells.own)}`] : [];
      return lines(
        `SELECT ${list([
          ...assetColumn,
          `b.${sqlName(label)}`,
          'min(row_depth) AS depth_from',
          'max(row_depth) AS depth_to',
          ...(['avg', 'min', 'max', 'count'] as const).map(
            (name) => `${name}(row_value) AS ${sqlName(`${value.name}_${name === 'avg' ? 'mean' : name}`)}`,
          ),
        ])}`,
        `FROM (SELECT *, ${measured(hole)} AS row_depth, ${measured(value)} AS row_value FROM ${sqlName(table)} WHERE row_depth IS NOT NULL) AS a`,
        `ASOF LEFT JOIN (SELECT *, ${measured(top)} AS top_depth FROM ${sqlName(tops)} WHERE top_depth IS NOT NULL) AS b`,
        `  ON ${onWells(wells)}row_depth >= top_depth${factor === 1 ? '' : ` * ${factor}`}`,
        `GROUP BY ${[...assetColumn, `b.${sqlName(label)}`, 'top_depth'].join(', ')}`,
        `ORDER BY ${[...assetColumn, 'depth_from'].join(', ')}`,
      );
    },
  ),
  // Hours are those from UTC to the day of the rig, such as -6.
  daily: recipe(
    { time, well, hole, value, hours: entered(w.texts.hours, number, { initial: '0' }) },
    ({ table, time, well, hole, value, hours }) => {
      const [at, shift] = [measured(hole), hours === 0 ? '' : `, INTERVAL '${-hours} hours'`];
      // A depth of 0 is none, as in the days below.
      const [top, bottom] = ['min', 'max'].map((name) => `${name}(${at}) FILTER (${at} > 0)`);
      return grouped(table, sqlName(time), [
        ...names(well),
        `time_bucket(INTERVAL '1 day', ${sqlName(time)}${shift}) AS day_start`,
        `${top} AS depth_from`,
        `${bottom} AS depth_to`,
        `${bottom} - ${top} AS drilled`,
        `avg(${measured(value)}) AS ${sqlName(`${value.name}_mean`)}`,
        `max(${measured(value)}) AS ${sqlName(`${value.name}_max`)}`,
        'count(*) AS records',
      ]);
    },
  ),
  // Days begin with the first record in which there is a hole.
  days: recipe({ time, well, hole }, ({ table, time, well, hole }) =>
    lines(
      'WITH hourly AS (',
      `  SELECT ${[...names(well), `time_bucket(INTERVAL '1 hour', ${sqlName(time)}) AS hour`, `max(${measured(hole)}) AS depth`].join(', ')}`,
      `  FROM ${sqlName(table)}`,
      `  WHERE ${measured(hole)} > 0 AND ${sqlName(time)} IS NOT NULL`,
      '  GROUP BY ALL',
      ')',
      `SELECT ${list([
        ...names(well),
        `(epoch(hour) - min(epoch(hour)) OVER (${partition(well).trim()})) / 86400 AS days`,
        `max(depth) OVER (${partition(well)}ORDER BY hour ROWS UNBOUNDED PRECEDING) AS hole_depth`,
      ])}`,
      'FROM hourly',
      `ORDER BY ${[...names(well), 'days'].join(', ')}`,
    ),
  ),
  path: recipe(
    {
      well,
      survey: nameOf(
        optional(columns.survey, {
          fits: (column) => isLabel(column) && !isFraction(column),
          first: [
            named(
              /^(?:data_|metadata_)?(?:survey|(?:well)?plan|wellbore|sidetrack)(?:_?(?:id|name|number|no))?$/i,
            ),
          ],
        }),
      ),
      list: optional(columns.list, listSource),
      depth: nameOf(
        column(columns.depth, { ...itemSource, first: [named(/measured_?depth|(?:^|[_.])md$/i), depthLike] }),
      ),
      inclination: nameOf(
        column(columns.inclination, { ...itemSource, first: [named(/^(?:data[._])?inc/i)] }),
      ),
      azimuth: nameOf(column(columns.azimuth, { ...itemSource, first: [named(/^(?:data[._])?azi/i)] })),
      per,
      section,
    },
    ({ list, ...values }, form) => wellpath({ ...values, list: list && listOf(list, form) }),
  ),
  list: recipe({ well, list: column(columns.list, listSource) }, ({ table, well, list }, form) =>
    rowsOfList({ table, well, ...listOf(list, form) }),
  ),
  // Each row with the latest row of the other table at or before its time, such as the stage it belongs to.
  join: recipe(
    {
      other,
      time,
      otherTime: nameOf(column(columns.otherTime, { from: 'other', fits: isTime, first: [] })),
      well: wellColumn,
      otherWell,
      add: nameOf(column(columns.add, { from: 'other', fits: isLabel, first: [] })),
    },
    ({ table, other, time, otherTime, well: own, otherWell, add }, form) =>
      lines(
        `SELECT ${list(['a.*', `b.${sqlName(add)}`])}`,
        `FROM ${sqlName(table)} AS a`,
        `ASOF LEFT JOIN ${sqlName(other)} AS b`,
        `  ON ${onWells(wellsOf(own, otherWell, form))}a.${sqlName(time)} >= b.${sqlName(otherTime)}`,
        `ORDER BY a.${sqlName(time)}`,
      ),
  ),
  pivot: recipe(
    {
      rowsBy: column(columns.rowsBy, { fits: isAny, first: [isTime, depthLike, isText] }),
      step: interval('rowsBy', hasDepthSteps),
      well,
      columnsBy: nameOf(
        column(columns.columnsBy, {
          fits: (column) => !isTime(column) && !isFraction(column),
          first: [isWell, isText],
        }),
      ),
      values: pivotValues,
      value,
      function: functions,
    },
    ({ rowsBy, well, columnsBy, function: all, ...values }, { table }) =>
      pivot({
        ...values,
        rows: rowsBy,
        well: [rowsBy.name, columnsBy].includes(well ?? '') ? null : well,
        columns: columnsBy,
        functions: all,
        // The first and the last value are those by time.
        order: (table.columns.find((column) => isRecorded(column) && isTime(column)) ?? rowsBy).name,
      }),
  ),
  // Each value with the mean of the rows around it.
  average: recipe(
    {
      order: nameOf(
        column(columns.order, {
          ...depthSource,
          fits: (column) => isTime(column) || isNumber(column),
          first: [isTime, ...depthSource.first],
        }),
      ),
      well,
      log,
      value,
      rows,
    },
    ({ table, order, well, log, value, rows }) =>
      lines(
        `SELECT *,`,
        `       avg(${measured(value)}) OVER (${partition(well, log)}ORDER BY ${sqlName(order)} ROWS BETWEEN ${rows} PRECEDING AND ${rows} FOLLOWING) AS ${sqlName(`${value.name}_average`)}`,
        `FROM ${sqlName(table)}`,
        `ORDER BY ${names(well, log, order).join(', ')}`,
      ),
  ),
  top: recipe(
    { well, log, value, topRows: entered(w.texts.topRows, whole, { initial: '5' }) },
    ({ table, well, log, value, topRows }) =>
      well &&
      lines(
        'SELECT *',
        `FROM ${sqlName(table)}`,
        `WHERE ${measured(value)} IS NOT NULL`,
        `QUALIFY row_number() OVER (${partition(well, log)}ORDER BY ${measured(value)} DESC) <= ${topRows}`,
        `ORDER BY ${names(well, log).join(', ')}, ${measured(value)} DESC`,
      ),
  ),
} as const satisfies Record<string, Recipe>;

export type RecipeKind = keyof typeof recipes;
/** In the order of their menu. */
export const recipeKinds = Object.keys(recipes).filter((kind): kind is RecipeKind => kind in recipes);

/** What was entered in the form of a recipe: its kind, and texts by the keys of its fields, `table` included. */
export interface RecipeChoices {
  readonly kind: RecipeKind;
  readonly texts: Readonly<Record<string, string>>;
}

export const firstChoices: RecipeChoices = { kind: 'resample', texts: {} };

/** The table of the choices, or the first that fits the recipe; undefined: none is open. */
export function recipeTable(
  { kind, texts }: RecipeChoices,
  tables: readonly SqlTable[],
  synonyms: Synonyms,
): SqlTable | undefined {
  const needs = Object.values<Need<unknown>>(recipes[kind].needs);
  return (
    tables.find(({ name }) => name === texts['table']) ??
    tables.find((table) => needs.every(({ fits = isAny }) => fits(table, synonyms))) ??
    tables[0]
  );
}

/** Reads the form of a recipe with its table first; names that the current table lacks count as the defaults. */
export function readRecipe(choices: RecipeChoices, context: RecipeContext): RecipeReading {
  const { tables, synonyms } = context;
  const { kind, texts } = choices;
  const table = recipeTable(choices, tables, synonyms);
  if (!table) return { fields: [], statement: null };
  const rest = tables.filter((candidate) => candidate !== table);
  const other = rest.find(({ name }) => name === texts['other']) ?? rest.at(-1);
  const { fields, statement } = recipes[kind].read({ ...context, texts, table, other, columns: new Map() });
  const options = optionsOf(tables.map(({ name }) => name));
  return { fields: [{ key: 'table', label: w.table, value: table.name, options }, ...fields], statement };
}
