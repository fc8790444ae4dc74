import type { Synonyms } from '../../../../shared/channels/channels.ts';
import { addressOf, isSameAddress, type Dataset } from '../../../../shared/datasets/datasets.ts';
import { queryOfWells } from '../../../../shared/language/scope.ts';
import type { SqlQuery, SqlTable } from '../../../../shared/sql/sql.ts';
import { scopeOf, type ScopedWell } from '../../../../shared/wells/wells.ts';
import { valueOr } from '../../../state/loadable.ts';
import { wellsInConditions } from '../../datasets/dataset-finder.ts';
import type { Datasets } from '../../datasets/datasets.ts';
import { addressText } from '../../datasets/search.ts';
import { recipeTable, readRecipe, type RecipeChoices, type RecipeKind } from './recipes.ts';
import type { QueryTab } from '../query-tab.ts';
import type { SqlTables } from '../sql/sql-tables.ts';

const topsName = /\b(?:formations?|tops?|markers?|stratigraphy)\b/i;

/** The dataset that probably has the tops of formations. */
const topsDataset = (datasets: readonly Dataset[]): Dataset | undefined =>
  datasets.find(
    ({ type, dataset, friendlyName }) =>
      type === 'reference' && topsName.test(`${friendlyName} ${dataset.replaceAll(/[._-]/g, ' ')}`),
  );

interface RecipeStart {
  readonly tab: Pick<QueryTab, 'actions' | 'dataset'>;
  readonly connection: string;
  readonly sqlTables: SqlTables;
  readonly datasets: Datasets;
  readonly wells: readonly ScopedWell[];
  readonly synonyms: Synonyms;
  readonly wellNames: ReadonlyMap<string, string>;
  /** The dotted path of the column whose values it calculates from; null: the usual one. */
  readonly value: string | null;
}

/** A recipe with its choices; its statement is null if one is left. */
export interface StartedRecipe {
  readonly choices: RecipeChoices;
  readonly statement: string | null;
}

/** The name of a field in a table. */
const sqlColumnName = (path: string): string => path.replaceAll(/[^\p{L}\p{N}_]/gu, '_');

const isSameQuery = (a: SqlQuery, b: SqlQuery): boolean =>
  a.connection === b.connection && isSameAddress(a, b) && a.query === b.query;

/**
 * Reads what a recipe needs into tables, unless they are open: the records of the tab's query, and tops.
 * @returns null if a table can't be read: the list of tables says why
 * @throws AppError invalid_input if the query is incomplete
 */
export async function startRecipe(
  kind: RecipeKind,
  start: RecipeStart,
  signal: AbortSignal,
): Promise<StartedRecipe | null> {
  const { tab, connection, sqlTables, datasets, wells, synonyms, wellNames, value } = start;
  const { actions, store } = sqlTables;
  const open = (): readonly SqlTable[] => valueOr(store.getState().tables, []);
  async function tableOf(dataset: Dataset, query: string): Promise<string | null> {
    const target = { connection, ...addressOf(dataset), query };
    const table =
      open().find(({ allOf }) => allOf && isSameQuery(allOf, target)) ??
      (await actions.addDataset({ ...target, label: addressText(dataset) }));
    return table?.name ?? null;
  }
  const find = await tab.actions.boundFind();
  // Another window may have replaced a table.
  await actions.load();
  const table = await tableOf(tab.dataset, find.query);
  if (table === null) return null;
  const tops = kind === 'tops' ? topsDataset(valueOr(datasets.store.getState().list, [])) : undefined;
  const isOther = tops !== undefined && !isSameAddress(tops, tab.dataset);
  // Records of no wells: the selected ones.
  const scope = wellsInConditions(datasets, tab.dataset, find.query);
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
  return { choices, statement: isReplaced ? null : statement };
}
