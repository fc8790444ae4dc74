import { channelOf, type Synonyms } from '../../../../shared/channels/channels.ts';
import { unitOf } from '../../../../shared/channels/units.ts';
import type { SqlColumn, SqlTable } from '../../../../shared/sql/sql.ts';
import { readList } from '../../../../shared/value-lists.ts';
import type { ListField } from '../../../../shared/sql/wellpath.ts';
import type { SqlFunction, SqlStep } from '../../../../shared/sql/write-sql.ts';

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

type ColumnChoice =
  | 'time'
  | 'otherTime'
  | 'index'
  | 'rowsBy'
  | 'columnsBy'
  | 'order'
  | 'well'
  | 'otherWell'
  | 'value'
  | 'add'
  | 'state'
  | 'hole'
  | 'bit'
  | 'top'
  | 'label'
  | 'list'
  | 'survey'
  | 'depth'
  | 'inclination'
  | 'azimuth';
export type TextChoice =
  | 'rows'
  | 'topRows'
  | 'values'
  | 'maxGap'
  | 'tolerance'
  | 'hours'
  | 'depthStep'
  | 'per'
  | 'section';

/** A choice of a recipe, in the order of its form. */
export type RecipeField =
  | { readonly kind: 'column'; readonly choice: ColumnChoice }
  | { readonly kind: 'text'; readonly choice: TextChoice }
  | { readonly kind: 'other' | 'step' | 'function' | 'inSlips' | 'only' };

const of = (...choices: readonly ColumnChoice[]): RecipeField[] =>
  choices.map((choice) => ({ kind: 'column', choice }));
const text = (choice: TextChoice): RecipeField => ({ kind: 'text', choice });

export const recipeKinds = [
  'resample',
  'resampleAll',
  'states',
  'periods',
  'connections',
  'tops',
  'daily',
  'days',
  'path',
  'list',
  'join',
  'pivot',
  'average',
  'top',
] as const;
type RecipeKind = (typeof recipeKinds)[number];

/** What each recipe asks for. */
export const recipes: Readonly<Record<RecipeKind, readonly RecipeField[]>> = {
  resample: [...of('time', 'well', 'value'), { kind: 'step' }, { kind: 'function' }],
  resampleAll: [...of('index', 'well'), { kind: 'step' }, text('depthStep')],
  states: [...of('time', 'well', 'state'), text('maxGap')],
  periods: [...of('time', 'well', 'state'), { kind: 'only' }, ...of('hole'), text('maxGap')],
  connections: [
    ...of('time', 'well', 'state'),
    { kind: 'inSlips' },
    ...of('hole', 'bit'),
    text('tolerance'),
    text('maxGap'),
  ],
  tops: [{ kind: 'other' }, ...of('hole', 'well', 'value', 'top', 'label', 'otherWell')],
  daily: [...of('time', 'well', 'hole', 'value'), text('hours')],
  days: of('time', 'well', 'hole'),
  join: [{ kind: 'other' }, ...of('time', 'otherTime', 'well', 'otherWell', 'add')],
  pivot: [
    ...of('rowsBy'),
    { kind: 'step' },
    text('depthStep'),
    ...of('well', 'columnsBy'),
    text('values'),
    ...of('value'),
    { kind: 'function' },
  ],
  average: [...of('order', 'well', 'value'), text('rows')],
  top: [...of('well', 'value'), text('topRows')],
  list: of('well', 'list'),
  path: [...of('well', 'survey', 'list', 'depth', 'inclination', 'azimuth'), text('per'), text('section')],
};

/** The choices as typed; a name that the current table lacks is replaced by its first fitting column. */
export interface Choices {
  readonly kind: RecipeKind;
  readonly table: string;
  readonly other: string;
  readonly columns: Readonly<Partial<Record<ColumnChoice, string>>>;
  readonly texts: Readonly<Record<TextChoice, string>>;
  readonly step: SqlStep;
  readonly function: SqlFunction | 'several';
  /** The state of pipe in slips; empty: the one that says so. */
  readonly inSlips: string;
  /** The state whose periods are listed; empty: all. */
  readonly only: string;
}

export const firstChoices: Choices = {
  kind: 'resample',
  table: '',
  other: '',
  columns: {},
  texts: {
    rows: '5',
    topRows: '5',
    values: '',
    section: '',
    maxGap: '300',
    tolerance: '1',
    hours: '0',
    depthStep: '10',
    per: '',
  },
  step: '1 minute',
  function: 'several',
  inSlips: '',
  only: '',
};

/** No column. */
export const noColumn = '';

export const isTime = ({ type }: SqlColumn): boolean => /TIMESTAMP|DATE/.test(type);
const isNumber = ({ type }: SqlColumn): boolean => /INT|DOUBLE|FLOAT|DECIMAL|REAL/.test(type);
const isFraction = ({ type }: SqlColumn): boolean => /DOUBLE|FLOAT|DECIMAL|REAL/.test(type);
/** The id that the service gives a record says nothing about it. */
const isRecorded = ({ name }: SqlColumn): boolean => name !== '_id';
/** Whether a column has texts. */
export const isText = ({ type }: Pick<SqlColumn, 'type'>): boolean => type === 'VARCHAR';
const isWell = ({ name }: SqlColumn): boolean => /asset_?id|well/i.test(name);
/** Numbers that identify something are no measurements. */
export const isMeasured = (column: SqlColumn): boolean =>
  isNumber(column) && !isWell(column) && !/(?:_id|^id|^version)$/i.test(column.name);
/** A test of a column, with the names of channels that the user has added. */
type ColumnTest = (column: SqlColumn, synonyms: Synonyms) => boolean;
const isChannel =
  (channel: string): ColumnTest =>
  ({ name, unit }, synonyms) =>
    channelOf(name.replace(/^data[._]/, ''), { unit, synonyms })?.channel.name === channel;
const named =
  (pattern: RegExp) =>
  ({ name }: SqlColumn): boolean =>
    pattern.test(name);
const depthLike = named(/(?:^|[_.])(?:measured_?depth|depth|md|dept)(?:[_.]|$)/i);
/** Whether rows of a pivot are intervals of a column: stages and other counts have a row each. */
const hasDepthSteps: ColumnTest = (column, synonyms) =>
  isMeasured(column) &&
  (isFraction(column) || isChannel('hole_depth')(column, synonyms) || depthLike(column));

/**
 * Which columns a choice has, and which it takes first: the first of the first test that one passes. Without one, the
 * first column, except where another one would calculate nonsense.
 */
const pools: Readonly<
  Record<
    ColumnChoice,
    {
      readonly isOther?: true;
      readonly isOptional?: true;
      readonly isOnlyNamed?: true;
      readonly fits: (column: SqlColumn) => boolean;
      readonly first: readonly ColumnTest[];
    }
  >
> = {
  time: { fits: isTime, first: [] },
  otherTime: { isOther: true, fits: isTime, first: [] },
  index: {
    fits: (column) => isTime(column) || isMeasured(column),
    first: [isTime, isChannel('hole_depth'), depthLike],
  },
  rowsBy: { fits: () => true, first: [isTime, depthLike, isText] },
  columnsBy: { fits: (column) => !isTime(column) && !isFraction(column), first: [isWell, isText] },
  order: { fits: (column) => isTime(column) || isNumber(column), first: [isTime] },
  well: { isOptional: true, fits: () => true, first: [isWell] },
  otherWell: { isOther: true, isOptional: true, fits: () => true, first: [isWell] },
  value: { fits: isMeasured, first: [isChannel('rop')] },
  add: { isOther: true, fits: (column) => !isTime(column) && !isWell(column), first: [] },
  state: {
    fits: (column) => !isTime(column) && !isWell(column),
    first: [named(/state|status|activity/i), isText],
  },
  hole: { fits: isMeasured, first: [isChannel('hole_depth'), depthLike] },
  bit: { isOnlyNamed: true, fits: isMeasured, first: [isChannel('bit_depth')] },
  top: {
    isOther: true,
    fits: isMeasured,
    first: [named(/(?:^|[_.])(?:md|top|top_depth|measured_?depth)$/i), depthLike],
  },
  label: {
    isOther: true,
    fits: (column) => !isTime(column) && !isWell(column),
    first: [named(/formation|stage/i), named(/name|label|section/i), isText],
  },
  survey: {
    isOptional: true,
    fits: (column) => !isTime(column) && !isFraction(column) && !isWell(column),
    first: [
      named(/^(?:data_|metadata_)?(?:survey|(?:well)?plan|wellbore|sidetrack)(?:_?(?:id|name|number|no))?$/i),
    ],
  },
  list: { isOptional: true, fits: isText, first: [] },
  depth: {
    isOnlyNamed: true,
    fits: isMeasured,
    first: [named(/measured_?depth|(?:^|[_.])md$/i), depthLike],
  },
  inclination: { isOnlyNamed: true, fits: isMeasured, first: [named(/^(?:data[._])?inc/i)] },
  azimuth: { isOnlyNamed: true, fits: isMeasured, first: [named(/^(?:data[._])?azi/i)] },
};

/** The fields of a list as columns. */
const asColumns = (fields: readonly ListField[], { itemUnits = {} }: Partial<SqlColumn> = {}): SqlColumn[] =>
  fields.map(({ name, type }) => ({
    name,
    type,
    unit: new Map(Object.entries(itemUnits)).get(name) ?? null,
  }));

/** Whether a table has a column for each choice of a recipe that can't do without, and of the name that it takes first. */
function fitsRecipe({ columns }: SqlTable, kind: RecipeKind, synonyms: Synonyms): boolean {
  return recipes[kind].every((field) => {
    if (field.kind !== 'column' || field.choice === 'list') return true;
    const { isOther = false, isOptional = false, fits, first } = pools[field.choice];
    const pool = columns.filter((column) => isRecorded(column) && fits(column));
    const isNamed = first.length === 0 || pool.some((column) => first[0]?.(column, synonyms));
    return isOther || isOptional || (pool.length > 0 && isNamed);
  });
}

/** The table of the choices, or the first that fits the recipe; undefined: none is open. */
export const tableOf = (
  { table, kind }: Choices,
  tables: readonly SqlTable[],
  synonyms: Synonyms,
): SqlTable | undefined =>
  tables.find(({ name }) => name === table) ??
  tables.find((candidate) => fitsRecipe(candidate, kind, synonyms)) ??
  tables[0];

/** The choices with what they mean for the open tables. */
export function readChoices(
  choices: Choices,
  tables: readonly SqlTable[],
  facts: TableFacts,
  synonyms: Synonyms,
) {
  const table = tableOf(choices, tables, synonyms);
  const rest = tables.filter((other) => other !== table);
  const other = rest.find(({ name }) => name === choices.other) ?? rest.at(-1);
  const chosenList = (): string => {
    const wanted = choices.columns.list;
    const lists = Object.keys(facts.lists);
    if (wanted === noColumn && choices.kind === 'path') return noColumn;
    return lists.find((name) => name === wanted) ?? lists[0] ?? noColumn;
  };
  const list = chosenList();
  const isInList = (choice: ColumnChoice): boolean =>
    choices.kind === 'path' && list !== noColumn && ['depth', 'inclination', 'azimuth'].includes(choice);
  const poolOf = (choice: ColumnChoice): readonly SqlColumn[] => {
    const { isOther, fits } = pools[choice];
    const all = isInList(choice)
      ? asColumns(
          facts.lists[list] ?? [],
          table?.columns.find(({ name }) => name === list),
        )
      : ((isOther ? other : table)?.columns ?? []);
    return all.filter(
      (column) => isRecorded(column) && (choice === 'list' ? column.name in facts.lists : fits(column)),
    );
  };
  const isOptional = (choice: ColumnChoice): boolean =>
    choice === 'list'
      ? choices.kind === 'path'
      : pools[choice].isOptional === true || (choice === 'hole' && choices.kind === 'periods');
  const chosen = (choice: ColumnChoice): string => {
    if (choice === 'list') return list;
    const pool = poolOf(choice);
    const wanted = choices.columns[choice];
    if (
      wanted !== undefined &&
      (pool.some(({ name }) => name === wanted) || (wanted === noColumn && isOptional(choice)))
    )
      return wanted;
    const { first, isOnlyNamed = false } = pools[choice];
    const likely = first.flatMap((test) => pool.find((column) => test(column, synonyms)) ?? [])[0];
    return (likely ?? (isOnlyNamed || isOptional(choice) ? undefined : pool[0]))?.name ?? noColumn;
  };
  const column = (choice: ColumnChoice): SqlColumn | undefined =>
    poolOf(choice).find(({ name }) => name === chosen(choice));
  const states = facts.texts[chosen('state')] ?? [];
  const columnsBy = column('columnsBy');
  const inOrder = (facts.texts[chosen('columnsBy')] ?? []).toSorted((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );
  const units: Readonly<Partial<Record<TextChoice, string | null | undefined>>> = {
    maxGap: 's',
    section: '°',
    tolerance: column('hole')?.unit,
    depthStep: column(choices.kind === 'pivot' ? 'rowsBy' : 'index')?.unit,
    per: column('depth')?.unit,
  };
  const typed = readList(choices.texts.values);
  return {
    table,
    other,
    list,
    poolOf,
    isOptional,
    chosen,
    column,
    states,
    hasDepthSteps: (column: SqlColumn) => hasDepthSteps(column, synonyms),
    /** The unit of a number that is typed; null: none, or unknown. */
    unitOfText: (choice: TextChoice): string | null => units[choice] || null,
    inSlips: choices.inSlips || (states.find((state) => /slip/i.test(state)) ?? ''),
    /** Typed values that a pivot would have empty columns for, as far as all values are known. */
    notFound:
      inOrder.length > 0 && inOrder.length < maxTexts ? typed.filter((text) => !inOrder.includes(text)) : [],
    /** The values that a pivot has columns for. */
    values: (typed.length > 0 ? typed : inOrder).map((text) =>
      columnsBy && isNumber(columnsBy) && /^-?\d{1,15}$/.test(text) ? Number(text) : text,
    ),
    /** The length of doglegs: 30 m, or 100 ft. */
    per: choices.texts.per.trim() || (unitOf(column('depth')?.unit ?? '')?.symbol === 'm' ? '30' : '100'),
  };
}
export type ReadChoices = ReturnType<typeof readChoices>;
