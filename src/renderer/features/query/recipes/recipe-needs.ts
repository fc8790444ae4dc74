import { channelOf, type Synonyms } from '../../../../shared/channels/channels.ts';
import type { SqlColumn, SqlTable } from '../../../../shared/sql/sql.ts';
import type { ListField } from '../../../../shared/sql/wellpath.ts';
import {
  type EachStep,
  sqlFunctions,
  type SqlFunction,
  sqlSteps,
  type SqlStep,
} from '../../../../shared/sql/write-sql.ts';
import { isWellColumn } from '../../../../shared/wells/wells.ts';
import { readList, writeList } from '../../../../shared/value-lists.ts';
import { typedNumber } from '../../../format/numbers.ts';
import { recipeWords as w } from '../../../words/recipes.ts';

// What recipes need: columns, numbers, and other choices, each with its field in a form.

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

export interface RecipeContext {
  readonly tables: readonly SqlTable[];
  readonly facts: TableFacts;
  /** Names of channels that the user has added. */
  readonly synonyms: Synonyms;
  /** By asset id as text, for a table with ids and another one with names. */
  readonly wellNames: ReadonlyMap<string, string>;
}

/** A form that is being read, one need after another. */
export interface RecipeForm extends RecipeContext {
  /** What was entered, by need; absent: the default. A column that the table lacks counts as the default, too. */
  readonly texts: Readonly<Record<string, string>>;
  readonly table: SqlTable;
  readonly other: SqlTable | undefined;
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
export interface Need<Value> {
  /** Whether a table has a column for it, with the name that it prefers; absent: each table has. */
  readonly fits?: (table: SqlTable, synonyms: Synonyms) => boolean;
  /** The field is null if there is nothing to enter, the value undefined if it's missing or wrong. */
  readonly read: (
    key: string,
    form: RecipeForm,
  ) => { readonly field: RecipeField | null; readonly value: Value | undefined };
}

export const isTime = ({ type }: SqlColumn): boolean => /TIMESTAMP|DATE/.test(type);
export const isNumber = ({ type }: SqlColumn): boolean => /INT|DOUBLE|FLOAT|DECIMAL|REAL/.test(type);
export const isFraction = ({ type }: SqlColumn): boolean => /DOUBLE|FLOAT|DECIMAL|REAL/.test(type);
/** The id that the service gives a record says nothing about it. */
export const isRecorded = ({ name }: SqlColumn): boolean => name !== '_id';
export const isText = ({ type }: SqlColumn): boolean => type === 'VARCHAR';
export const isWell = ({ name }: SqlColumn): boolean => isWellColumn(name);
/** Numbers that identify something are no measurements. */
export const isMeasured = (column: SqlColumn): boolean =>
  isNumber(column) && !isWell(column) && !/(?:_id|^id|^version)$/i.test(column.name);
export const isLabel = (column: SqlColumn): boolean => !isTime(column) && !isWell(column);
/** A test of a column, with the names of channels that the user has added. */
type ColumnTest = (column: SqlColumn, synonyms: Synonyms) => boolean;
export const isChannel =
  (channel: string): ColumnTest =>
  ({ name, unit }, synonyms) =>
    channelOf(name.replace(/^data[._]/, ''), { unit, synonyms })?.channel.name === channel;
export const named =
  (pattern: RegExp): ColumnTest =>
  ({ name }) =>
    pattern.test(name);
export const depthLike = named(/(?:^|[_.])(?:measured_?depth|depth|md|dept)(?:[_.]|$)/i);
/** Whether rows of a pivot are intervals of a column: stages and other counts have a row each. */
export const hasDepthSteps: ColumnTest = (column, synonyms) =>
  isMeasured(column) &&
  (isFraction(column) || isChannel('hole_depth')(column, synonyms) || depthLike(column, synonyms));

export const number = (text: string): number | undefined => {
  const value = typedNumber(text) ?? undefined;
  return value !== undefined && Math.abs(value) < 1e9 ? value : undefined;
};
export const positive = (text: string): number | undefined => {
  const value = number(text);
  return value !== undefined && value > 0 ? value : undefined;
};
export const whole = (text: string): number | undefined =>
  /^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined;

export const optionsOf = (ids: readonly string[], textOf = (id: string): string => id): FieldOption[] =>
  ids.map((id) => ({ id, text: textOf(id) }));

export interface ColumnSource {
  /** `lists`: columns with lists; `items`: fields of the list that was selected, or columns of a table without one. */
  readonly from?: 'other' | 'lists' | 'items';
  readonly fits: (column: SqlColumn) => boolean;
  /** The default is the first column of the first test that one passes. */
  readonly first: readonly ColumnTest[];
  /** The default without such a column is the first, except where another one would calculate nonsense. */
  readonly isOnlyNamed?: true;
}

function columnsFor({ from, fits }: ColumnSource, { table, other, facts, columns }: RecipeForm): SqlColumn[] {
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
  return (key: string, form: RecipeForm) => {
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

export const column = (label: string, source: ColumnSource): Need<SqlColumn> => ({
  fits: fitsTable(source),
  read: readColumn(label, source, false),
});

/** A column that can be none. */
export function optional(label: string, source: ColumnSource): Need<SqlColumn | null> {
  const read = readColumn(label, source, true);
  return {
    read: (key, form) => {
      const { field, value = null } = read(key, form);
      return { field, value };
    },
  };
}

export function nameOf(need: Need<SqlColumn>): Need<string>;
export function nameOf(need: Need<SqlColumn | null>): Need<string | null>;
export function nameOf({ read, ...need }: Need<SqlColumn | null>): Need<string | null> {
  return {
    ...need,
    read: (key, form) => {
      const { field, value } = read(key, form);
      return { field, value: value && value.name };
    },
  };
}

/** @param read undefined: the text is wrong */
export function entered<Value>(
  label: string,
  read: (text: string) => Value | undefined,
  {
    initial = '',
    unitIn = () => null,
    placeholderIn = () => '',
  }: {
    readonly initial?: string;
    readonly unitIn?: (form: RecipeForm) => string | null | undefined;
    readonly placeholderIn?: (form: RecipeForm) => string;
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

export const unitAt =
  (key: string) =>
  ({ columns }: RecipeForm): string | null | undefined =>
    columns.get(key)?.unit;

export const timeStep: Need<SqlStep> = {
  read: (_key, { texts }) => {
    const value = sqlSteps.find((step) => step === texts['step']) ?? '1 minute';
    const options = sqlSteps.map((id) => ({ id, text: w.steps[id] }));
    return { field: { key: 'step', label: w.step, value, options }, value };
  },
};

/** Intervals of a column of times or depths. @param hasSteps whether another column has intervals; without, the value is null */
export function interval(of: string, hasSteps: ColumnTest): Need<EachStep | null> {
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

export const functions: Need<readonly SqlFunction[]> = {
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

const textsIn = (key: string, { columns, facts }: RecipeForm): readonly string[] =>
  facts.texts[columns.get(key)?.name ?? ''] ?? [];

export const inSlips: Need<string> = {
  read: (key, form) => {
    const states = textsIn('state', form);
    const value = form.texts[key] || (states.find((state) => /slip/i.test(state)) ?? '');
    return { field: { key, label: w.inSlips, value, options: optionsOf(states) }, value: value || undefined };
  },
};

/** The state whose periods are listed; null: all. */
export const only: Need<string | null> = {
  read: (key, form) => {
    const { [key]: value = '' } = form.texts;
    const options = [{ id: '', text: w.allStates }, ...optionsOf(textsIn('state', form))];
    return { field: { key, label: w.only, value, options }, value: value || null };
  },
};

export const pivotValues: Need<readonly (number | string)[]> = {
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

export const other: Need<string> = {
  read: (key, { tables, table, other }) => {
    const options = optionsOf(tables.flatMap(({ name }) => (name === table.name ? [] : [name])));
    return { field: { key, label: w.other, value: other?.name ?? '', options }, value: other?.name };
  },
};

type NeedsByKey = Readonly<Record<string, Need<unknown>>>;
type ValuesOf<Needs extends NeedsByKey> = {
  readonly [Key in keyof Needs]: Needs[Key] extends Need<infer Value> ? Value : never;
} & { readonly table: string };

const isComplete = <Needs extends NeedsByKey>(
  values: Readonly<Record<string, unknown>>,
  needs: Needs,
): values is ValuesOf<Needs> => Object.keys(needs).every((key) => values[key] !== undefined);

/** A recipe without the types of its values. */
export interface Recipe {
  readonly needs: NeedsByKey;
  readonly read: (form: RecipeForm) => RecipeReading;
}

/** The form of a recipe, and its statement; null: something is missing. */
export interface RecipeReading {
  readonly fields: readonly RecipeField[];
  readonly statement: string | null;
}

export interface TypedRecipe<Needs extends NeedsByKey> extends Recipe {
  /** The statement of the values; null: they don't fit each other. */
  readonly sql: (values: ValuesOf<Needs>, form: RecipeForm) => string | null;
}

export function recipe<Needs extends NeedsByKey>(
  needs: Needs,
  sql: TypedRecipe<Needs>['sql'],
): TypedRecipe<Needs> {
  return {
    needs,
    sql,
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
