import { synonymsOf } from '../../../../shared/channels/channels.ts';
import { addressOf, isSameAddress, type Dataset } from '../../../../shared/datasets/datasets.ts';
import { queryOfWells } from '../../../../shared/language/scope.ts';
import type { SqlQuery, SqlTable } from '../../../../shared/sql/sql.ts';
import { sqlColumnName } from '../../../../shared/sql/names.ts';
import { unitOf } from '../../../../shared/channels/units.ts';
import type { Job } from '../../../../shared/jobs/jobs.ts';
import { scopeOf } from '../../../../shared/wells/wells.ts';
import type { App, Session } from '../../../contexts.ts';
import { valueOr } from '../../../state/loadable.ts';
import { wellsInConditions } from '../../datasets/dataset-finder.ts';
import { addressText } from '../../datasets/search.ts';
import { recipeTable, readRecipe, type RecipeChoices, type RecipeKind } from './recipes.ts';
import type { RecipeField } from './recipe-needs.ts';
import type { QueryTab } from '../query-tab.ts';
import { listedWells } from '../../wells/wells-state.ts';

const topsName = /\b(?:formations?|tops?|markers?|stratigraphy)\b/i;

/** The dataset that probably has the tops of formations. */
const topsDataset = (datasets: readonly Dataset[]): Dataset | undefined =>
  datasets.find(
    ({ type, dataset, friendlyName }) =>
      type === 'reference' && topsName.test(`${friendlyName} ${dataset.replaceAll(/[._-]/g, ' ')}`),
  );

export interface RecipeStart {
  readonly app: Pick<App, 'sqlTables' | 'settings' | 'jobs'>;
  readonly session: Pick<Session, 'connection' | 'datasets' | 'wells'>;
  readonly tab: Pick<QueryTab, 'actions' | 'dataset' | 'wells'>;
  /** The dotted path of the column whose values it calculates from; null: the usual one. */
  readonly value: string | null;
  /** The conditions of the records, as sent; null: those that are typed. */
  readonly conditions: string | null;
}

/** A recipe with its choices; its statement is null if one is left. */
export interface StartedRecipe {
  readonly choices: RecipeChoices;
  readonly statement: string | null;
}

/** How long the records of a query count as current, in milliseconds. */
const maxTableAgeMs = 5 * 60_000;

/** Whether a table has the current records of a query: it was read minutes ago, and no upload to its dataset since. */
function isCurrent({ allOf }: SqlTable, target: SqlQuery, jobs: readonly Job[]): boolean {
  if (!allOf || allOf.connection !== target.connection || allOf.query !== target.query) return false;
  const isSince = ({ kind, address, updated }: Job): boolean =>
    kind === 'upload' && isSameAddress(address, target) && Date.parse(updated) >= allOf.readAt;
  return isSameAddress(allOf, target) && Date.now() - allOf.addedAt < maxTableAgeMs && !jobs.some(isSince);
}

/** Whether records can be compared with tops without a look at their form: wells and units of both are known, or of none. */
function fitTops(fields: readonly RecipeField[], table: SqlTable, tops: SqlTable | undefined): boolean {
  const nameAt = (key: string) => fields.find((field) => field.key === key)?.value ?? '';
  const hasUnit = (of: SqlTable | undefined, key: string) =>
    unitOf(of?.columns.find(({ name }) => name === nameAt(key))?.unit ?? '') !== undefined;
  return (
    tops !== undefined &&
    (nameAt('well') === '') === (nameAt('otherWell') === '') &&
    hasUnit(table, 'hole') === hasUnit(tops, 'top')
  );
}

/**
 * Reads what a recipe needs into tables, unless they are open and current: the records of the tab's query, and tops.
 * @returns null if a table can't be read: the list of tables says why
 * @throws AppError invalid_input if the query is incomplete
 */
export async function startRecipe(
  kind: RecipeKind,
  { app, session, tab, value, conditions }: RecipeStart,
  signal: AbortSignal,
): Promise<StartedRecipe | null> {
  const { connection, datasets } = session;
  const { actions, store } = app.sqlTables;
  const wells = tab.wells();
  const { jobs } = app.jobs.store.getState();
  const synonyms = synonymsOf(app.settings.store.getState().stored.channelNames);
  const wellNames = listedWells(session.wells.store.getState()).names;
  const open = (): readonly SqlTable[] => valueOr(store.getState().tables, []);
  async function tableOf(dataset: Dataset, query: string): Promise<string | null> {
    const target = { connection, ...addressOf(dataset), query };
    const table =
      open().find((openTable) => isCurrent(openTable, target, jobs)) ??
      (await actions.addDataset({ ...target, label: addressText(dataset) }));
    return table?.name ?? null;
  }
  const query = conditions ?? (await tab.actions.boundFind()).query;
  // Another window may have replaced a table.
  await actions.load();
  const table = await tableOf(tab.dataset, query);
  if (table === null) return null;
  const tops = kind === 'tops' ? topsDataset(valueOr(datasets.store.getState().list, [])) : undefined;
  const isOther = tops !== undefined && !isSameAddress(tops, tab.dataset);
  // Records of no wells: the selected ones.
  const scope = wellsInConditions(datasets, tab.dataset, query);
  const assets = scope === null ? scopeOf(wells) : scope.kind === 'ids' ? scope.ids : [];
  const other = isOther ? await tableOf(tops, queryOfWells(tops.type, assets)) : null;
  const tables = { table, ...(other === null ? {} : { other }) };
  const main = recipeTable({ kind, texts: tables }, open(), synonyms);
  if (!main) return null;
  const names = value === null ? null : [value, sqlColumnName(value)];
  const column = main.columns.find(({ name }) => names?.includes(name));
  const choices = { kind, texts: { ...tables, ...(column ? { value: column.name } : {}) } };
  const facts = await actions.facts(main, signal);
  const { fields, statement } = readRecipe(choices, { tables: open(), facts, synonyms, wellNames });
  // Never another column than the one whose menu it is.
  const isReplaced = names && !fields.some(({ key, value: name }) => key === 'value' && names.includes(name));
  const isUnclear =
    kind === 'tops' &&
    !fitTops(
      fields,
      main,
      open().find(({ name }) => name === other),
    );
  return { choices, statement: isReplaced || isUnclear ? null : statement };
}
