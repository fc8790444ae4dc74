import { channelOf, type Synonyms } from '../../../../shared/channels/channels.ts';
import { factorOf, unitOf } from '../../../../shared/channels/units.ts';
import {
  connections,
  dailySummary,
  daysAgainstDepth,
  meanByTop,
  resampleAll,
  statePeriods,
  timeInStates,
} from '../../../../shared/sql/recipes.ts';
import type { SqlColumn, SqlTable } from '../../../../shared/sql/sql.ts';
import { type ListField, rowsOfList, wellpath } from '../../../../shared/sql/wellpath.ts';
import {
  type EachStep,
  joinByTime,
  type JoinedWells,
  movingAverage,
  pivot,
  resample,
  sqlFunctions,
  type SqlFunction,
  sqlSteps,
  type SqlStep,
  topByWell,
} from '../../../../shared/sql/write-sql.ts';
import { readList, writeList } from '../../../../shared/value-lists.ts';
import { recipeWords as w } from '../../../words/recipes.ts';

/** The number of texts of a column, such as the states of a rig. */
export const maxTexts = 30;

/** What the text columns of a table have. */
export interface TableFacts {
  /** The fields of the items, by column of lists. */
  readonly lists: Readonly<Record<string, readonly ListField[]>>;
  /** The most frequent texts, by column, up to {@link maxTexts}. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

export const noFacts: TableFacts = { lists: {}, texts: {} };

/** What recipes know about the tables. */
interface RecipeContext {
  readonly tables: readonly SqlTable[];
  /** Of the table of the recipe. */
  readonly facts: TableFacts;
  /** Names of channels that the user has added. */
  readonly synonyms: Synonyms;
  /** By asset id as text, for a table with ids and another one with names. */
  readonly wellNames: ReadonlyMap<string, string>;
}

/** A form that is being read, one need after another. */
interface Form extends RecipeContext {
  /** What was entered, by need; absent: the default. A column that the table lacks counts as the default, too. */
  readonly texts: Readonly<Record<string, string>>;
  readonly table: SqlTable;
  readonly other: SqlTable | undefined;
  /** The columns of the needs that were read before. */
  readonly columns: Map<string, SqlColumn>;
}

interface FieldOption {
  readonly id: string;
  readonly text: string;
}

/** A field of the form of a recipe: options to select from, or a text to enter. */
export interface RecipeField {
  readonly key: string;
  readonly label: string;
  readonly value: string;
  readonly options?: readonly FieldOption[];
  readonly placeholder?: string;
  /** Of a list of values: those that the column doesn't have, as far as all values are known. */
  readonly notFound?: readonly string[];
}

/** What a recipe needs: a field of its form, and a value for its statement. */
interface Need<Value> {
  /** Whether a table has a column for it, with the name that it prefers; absent: each table has. */
  readonly fits?: (table: SqlTable, synonyms: Synonyms) => boolean;
  /** The field is null if there is nothing to enter, the value undefined if it's missing or wrong. */
  readonly read: (
    key: string,
    form: Form,
  ) => { readonly field: RecipeField | null; readonly value: Value | undefined };
}

const isTime = ({ type }: SqlColumn): boolean => /TIMESTAMP|DATE/.test(type);
const isNumber = ({ type }: SqlColumn): boolean => /INT|DOUBLE|FLOAT|DECIMAL|REAL/.test(type);
const isFraction = ({ type }: SqlColumn): boolean => /DOUBLE|FLOAT|DECIMAL|REAL/.test(type);
/** The id that the service gives a record says nothing about it. */
const isRecorded = ({ name }: SqlColumn): boolean => name !== '_id';
const isText = ({ type }: SqlColumn): boolean => type === 'VARCHAR';
const isWell = ({ name }: SqlColumn): boolean => /asset_?id|well/i.test(name);
/** Numbers that identify something are no measurements. */
const isMeasured = (column: SqlColumn): boolean =>
  isNumber(column) && !isWell(column) && !/(?:_id|^id|^version)$/i.test(column.name);
const isLabel = (column: SqlColumn): boolean => !isTime(column) && !isWell(column);
/** A test of a column, with the names of channels that the user has added. */
type ColumnTest = (column: SqlColumn, synonyms: Synonyms) => boolean;
const isChannel =
  (channel: string): ColumnTest =>
  ({ name, unit }, synonyms) =>
    channelOf(name.replace(/^data[._]/, ''), { unit, synonyms })?.channel.name === channel;
const named =
  (pattern: RegExp): ColumnTest =>
  ({ name }) =>
    pattern.test(name);
const depthLike = named(/(?:^|[_.])(?:measured_?depth|depth|md|dept)(?:[_.]|$)/i);
/** Whether rows of a pivot are intervals of a column: stages and other counts have a row each. */
const hasDepthSteps: ColumnTest = (column, synonyms) =>
  isMeasured(column) &&
  (isFraction(column) || isChannel('hole_depth')(column, synonyms) || depthLike(column, synonyms));

const number = (text: string): number | undefined =>
  /^[+-]?\d{1,9}(?:\.\d{1,9})?$/.test(text.trim()) ? Number(text) : undefined;
const positive = (text: string): number | undefined => {
  const value = number(text);
  return value !== undefined && value > 0 ? value : undefined;
};
const whole = (text: string): number | undefined =>
  /^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined;

const optionsOf = (ids: readonly string[], textOf = (id: string): string => id): FieldOption[] =>
  ids.map((id) => ({ id, text: textOf(id) }));

interface ColumnSource {
  /** `lists`: columns with lists; `items`: fields of the list that was selected, or columns of a table without one. */
  readonly from?: 'other' | 'lists' | 'items';
  readonly fits: (column: SqlColumn) => boolean;
  /** The default is the first column of the first test that one passes. */
  readonly first: readonly ColumnTest[];
  /** The default without such a column is the first, except where another one would calculate nonsense. */
  readonly isOnlyNamed?: true;
}

/** The columns that a need can be. */
function columnsFor({ from, fits }: ColumnSource, { table, other, facts, columns }: Form): SqlColumn[] {
  const list = columns.get('list');
  if (from === 'lists')
    return table.columns.filter((column) => isRecorded(column) && column.name in facts.lists);
  const { itemUnits = {} } = list ?? {};
  const items = facts.lists[list?.name ?? '']?.map(({ name, type }) => ({
    name,
    type,
    unit: new Map(Object.entries(itemUnits)).get(name) ?? null,
  }));
  const all = from === 'other' ? other?.columns : from === 'items' && list ? items : table.columns;
  return (all ?? []).filter((column) => isRecorded(column) && fits(column));
}

function fitsTable({ from, fits, first }: ColumnSource) {
  const [preferred = () => true] = first;
  return ({ columns }: SqlTable, synonyms: Synonyms): boolean =>
    from === 'other' ||
    from === 'lists' ||
    columns.some((column) => isRecorded(column) && fits(column) && preferred(column, synonyms));
}

function readColumn(label: string, source: ColumnSource, isOptional: boolean) {
  return (key: string, form: Form) => {
    const all = columnsFor(source, form);
    const { first, from, isOnlyNamed = isOptional } = source;
    const text = form.texts[key];
    const byName = all.find(({ name }) => name === text);
    const likely = first.flatMap((test) => all.find((column) => test(column, form.synonyms)) ?? [])[0];
    const byDefault = likely ?? (isOnlyNamed ? undefined : all[0]);
    const column = byName ?? (text === '' && isOptional ? undefined : byDefault);
    if (column) form.columns.set(key, column);
    const none = isOptional ? [{ id: '', text: w.none }] : [];
    const options = [...none, ...optionsOf(all.map(({ name }) => name))];
    const isShown = all.length > 0 || from !== 'lists' || !isOptional;
    return { field: isShown ? { key, label, value: column?.name ?? '', options } : null, value: column };
  };
}

const column = (label: string, source: ColumnSource): Need<SqlColumn> => ({
  fits: fitsTable(source),
  read: readColumn(label, source, false),
});

/** A column that can be none. */
function optional(label: string, source: ColumnSource): Need<SqlColumn | null> {
  const read = readColumn(label, source, true);
  return {
    read: (key, form) => {
      const { field, value = null } = read(key, form);
      return { field, value };
    },
  };
}

function nameOf(need: Need<SqlColumn>): Need<string>;
function nameOf(need: Need<SqlColumn | null>): Need<string | null>;
function nameOf({ read, ...need }: Need<SqlColumn | null>): Need<string | null> {
  return {
    ...need,
    read: (key, form) => {
      const { field, value } = read(key, form);
      return { field, value: value && value.name };
    },
  };
}

/** A text that is entered. @param read undefined: it is wrong */
function entered<Value>(
  label: string,
  read: (text: string) => Value | undefined,
  {
    initial = '',
    unitIn = () => null,
    placeholderIn = () => '',
  }: {
    readonly initial?: string;
    readonly unitIn?: (form: Form) => string | null | undefined;
    readonly placeholderIn?: (form: Form) => string;
  } = {},
): Need<Value> {
  return {
    read: (key, form) => {
      const { [key]: value = initial } = form.texts;
      const placeholder = placeholderIn(form);
      const field = { key, label: w.textIn(label, unitIn(form) || null), value, placeholder };
      return { field, value: read(value) };
    },
  };
}

const unitAt =
  (key: string) =>
  ({ columns }: Form): string | null | undefined =>
    columns.get(key)?.unit;

const timeStep: Need<SqlStep> = {
  read: (_key, { texts }) => {
    const value = sqlSteps.find((step) => step === texts['step']) ?? '1 minute';
    const options = sqlSteps.map((id) => ({ id, text: w.steps[id] }));
    return { field: { key: 'step', label: w.step, value, options }, value };
  },
};

/** Intervals of a column of times or depths. @param hasSteps whether another column has intervals; without, the value is null */
function interval(of: string, hasSteps: ColumnTest): Need<EachStep | null> {
  const depthStep = entered(
    w.texts.depthStep,
    (text) => {
      const depth = positive(text);
      return depth === undefined ? undefined : { depth };
    },
    { initial: '10', unitIn: unitAt(of) },
  );
  return {
    read: (key, form) => {
      const index = form.columns.get(of);
      if (!index || isTime(index)) {
        const { field, value: time } = timeStep.read(key, form);
        return { field, value: time && { time } };
      }
      const hasDepths = hasSteps(index, form.synonyms);
      return hasDepths ? depthStep.read('depthStep', form) : { field: null, value: null };
    },
  };
}

const functions: Need<readonly SqlFunction[]> = {
  read: (key, { texts }) => {
    const single = sqlFunctions.find((name) => name === texts[key]);
    const options = [
      { id: 'several', text: w.allFunctions },
      ...sqlFunctions.map((id) => ({ id, text: w.functions[id] })),
    ];
    return {
      field: { key, label: w.function, value: single ?? 'several', options },
      value: single ? [single] : ['mean', 'min', 'max'],
    };
  },
};

const textsIn = (key: string, { columns, facts }: Form): readonly string[] =>
  facts.texts[columns.get(key)?.name ?? ''] ?? [];

const inSlips: Need<string> = {
  read: (key, form) => {
    const states = textsIn('state', form);
    const value = form.texts[key] || (states.find((state) => /slip/i.test(state)) ?? '');
    return { field: { key, label: w.inSlips, value, options: optionsOf(states) }, value: value || undefined };
  },
};

/** The state whose periods are listed; null: all. */
const only: Need<string | null> = {
  read: (key, form) => {
    const { [key]: value = '' } = form.texts;
    const options = [{ id: '', text: w.allStates }, ...optionsOf(textsIn('state', form))];
    return { field: { key, label: w.only, value, options }, value: value || null };
  },
};

/** The values that a pivot has columns for. */
const pivotValues: Need<readonly (number | string)[]> = {
  read: (key, form) => {
    const { [key]: text = '' } = form.texts;
    const [typed, column] = [readList(text), form.columns.get('columnsBy')];
    const all = textsIn('columnsBy', form).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    const values = (typed.length > 0 ? typed : all).map((value) =>
      column && isNumber(column) && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
    );
    const isComplete = all.length > 0 && all.length < maxTexts;
    return {
      field: {
        key,
        label: w.texts.values,
        value: text,
        placeholder: writeList(values.map(String)),
        notFound: isComplete ? typed.filter((value) => !all.includes(value)) : [],
      },
      value: values.length > 0 ? values : undefined,
    };
  },
};

const other: Need<string> = {
  read: (key, { tables, table, other }) => {
    const options = optionsOf(tables.flatMap(({ name }) => (name === table.name ? [] : [name])));
    return { field: { key, label: w.other, value: other?.name ?? '', options }, value: other?.name };
  },
};

const isAny = (): boolean => true;
const { columns } = w;
const depthSource: ColumnSource = { fits: isMeasured, first: [isChannel('hole_depth'), depthLike] };
const time = nameOf(column(columns.time, { fits: isTime, first: [] }));
const wellColumn = optional(columns.well, { fits: isAny, first: [isWell] });
const well = nameOf(wellColumn);
const otherWell = optional(columns.otherWell, { from: 'other', fits: isAny, first: [isWell] });
const value = column(columns.value, { fits: isMeasured, first: [isChannel('rop')] });
const state = nameOf(
  column(columns.state, { fits: isLabel, first: [named(/state|status|activity/i), isText] }),
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
  { facts, wellNames }: Form,
): JoinedWells | null {
  if (!own || !otherColumn) return null;
  const wells = { own: own.name, other: otherColumn.name };
  if (isText(own) === isText(otherColumn)) return wells;
  const values = new Set((facts.texts[own.name] ?? []).map((text) => text.trim().toLowerCase()));
  // The statement has the names of the wells in the table, not of all.
  const names = new Map(
    [...wellNames].filter(([id, name]) => values.has(isText(own) ? name.trim().toLowerCase() : id)),
  );
  return { ...wells, named: { idsIn: isText(own) ? 'other' : 'own', names } };
}

const listOf = ({ name }: SqlColumn, { facts }: Form) => ({ column: name, fields: facts.lists[name] ?? [] });

/** The length of doglegs: 30 m, or 100 ft. */
const dogleg = ({ columns }: Form): string =>
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

type NeedsByKey = Readonly<Record<string, Need<unknown>>>;
type ValuesOf<Needs extends NeedsByKey> = {
  readonly [Key in keyof Needs]: Needs[Key] extends Need<infer Value> ? Value : never;
} & { readonly table: string };

/** Whether each need has a value. */
const isComplete = <Needs extends NeedsByKey>(
  values: Readonly<Record<string, unknown>>,
  needs: Needs,
): values is ValuesOf<Needs> => Object.keys(needs).every((key) => values[key] !== undefined);

interface Recipe {
  readonly needs: NeedsByKey;
  readonly read: (form: Form) => RecipeReading;
}

/** The form of a recipe, and its statement; null: something is missing. */
interface RecipeReading {
  readonly fields: readonly RecipeField[];
  readonly statement: string | null;
}

/** @param sql the statement of the values; null: they don't fit each other */
function recipe<Needs extends NeedsByKey>(
  needs: Needs,
  sql: (values: ValuesOf<Needs>, form: Form) => string | null,
): Recipe {
  return {
    needs,
    read(form) {
      const all = Object.entries(needs).map(([key, need]) => ({ key, ...need.read(key, form) }));
      const values = {
        ...Object.fromEntries(all.map(({ key, value }) => [key, value])),
        table: form.table.name,
      };
      return {
        fields: all.flatMap(({ field }) => field ?? []),
        statement: isComplete(values, needs) ? sql(values, form) : null,
      };
    },
  };
}

/** The recipes in the order of their menu, with what each needs in the order of its form. Their texts are in the words. */
const recipes = {
  resample: recipe(
    { time, well, value, step: timeStep, function: functions },
    ({ value, function: all, ...values }) => resample({ ...values, values: [value], functions: all }),
  ),
  resampleAll: recipe(
    {
      index: column(columns.index, {
        fits: (column) => isTime(column) || isMeasured(column),
        first: [isTime, ...depthSource.first],
      }),
      well,
      step: interval('index', isAny),
    },
    ({ step, ...values }, { table }) => {
      const measured = table.columns.filter(
        (column) => isMeasured(column) && column.name !== values.index.name,
      );
      return step && measured.length > 0 ? resampleAll({ ...values, values: measured, step }) : null;
    },
  ),
  states: recipe({ time, well, state, maxGap }, timeInStates),
  periods: recipe(
    // A table with depths is preferred.
    { time, well, state, only, hole: { ...hole, ...optional(columns.hole, depthSource) }, maxGap },
    ({ hole, ...values }) => statePeriods({ ...values, depth: hole }),
  ),
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
    connections,
  ),
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
    ({ other: tops, hole: depth, well: own, otherWell, ...values }, form) => {
      const [from, to] = [unitOf(values.top.unit ?? ''), unitOf(depth.unit ?? '')];
      const factor = from && to ? factorOf(from, to) : 1;
      if (factor === undefined) return null;
      return meanByTop({ ...values, depth, tops, factor, wells: wellsOf(own, otherWell, form) });
    },
  ),
  daily: recipe(
    { time, well, hole, value, hours: entered(w.texts.hours, number, { initial: '0' }) },
    ({ hole: depth, ...values }) => dailySummary({ ...values, depth }),
  ),
  days: recipe({ time, well, hole }, ({ hole: depth, ...values }) => daysAgainstDepth({ ...values, depth })),
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
  join: recipe(
    {
      other,
      time,
      otherTime: nameOf(column(columns.otherTime, { from: 'other', fits: isTime, first: [] })),
      well: wellColumn,
      otherWell,
      add: nameOf(column(columns.add, { from: 'other', fits: isLabel, first: [] })),
    },
    ({ well: own, otherWell, add, ...values }, form) =>
      joinByTime({ ...values, add: [add], wells: wellsOf(own, otherWell, form) }),
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
  average: recipe(
    {
      order: nameOf(
        column(columns.order, { fits: (column) => isTime(column) || isNumber(column), first: [isTime] }),
      ),
      well,
      value,
      rows,
    },
    movingAverage,
  ),
  top: recipe(
    { well, value, topRows: entered(w.texts.topRows, whole, { initial: '5' }) },
    ({ table, well, value, topRows }) => well && topByWell({ table, well, value, rows: topRows }),
  ),
} as const satisfies Record<string, Recipe>;

type RecipeKind = keyof typeof recipes;
/** The kinds of recipes, in the order of their menu. */
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
