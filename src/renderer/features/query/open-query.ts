import {
  datasetName,
  isSameAddress,
  type Dataset,
  type DatasetAddress,
} from '../../../shared/datasets/datasets.ts';
import { questionText, type QuestionText } from '../../../shared/query/question.ts';
import type { ResultsLook } from '../../../shared/tabs/plot.ts';
import type { SharedQuery } from '../../../shared/saved/saved.ts';
import { type AssetId, hasAssetId, type ScopedWell } from '../../../shared/wells/wells.ts';
import type { App, Session } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { findDataset } from '../datasets/dataset-finder.ts';
import { selectedWells, type Tab } from '../tabs/tabs.ts';
import { listedWells } from '../wells/wells-state.ts';
import { createQuery, queryKind, freeNumber } from './query-kind.ts';
import type { QuerySubject, QueryTab } from './query-tab.ts';
import { firstRows } from './sql/sql-tables.ts';

/** A query from the history or the saved ones. */
interface StoredQuery {
  readonly address: DatasetAddress;
  readonly text: QuestionText;
  /** The tab's name; absent: default. */
  readonly name?: string;
  /** The wells of the query; absent: the selected ones. */
  readonly assetIds?: readonly AssetId[];
  /** How its result is shown; absent: as a table. */
  readonly look?: ResultsLook | undefined;
  readonly run: boolean;
}

interface DatasetOpening {
  /** Absent: the selected ones. */
  readonly wells?: readonly ScopedWell[];
  /** Whether its tab takes the place of the preview, and is replaced itself until it is kept. */
  readonly isPreview?: boolean;
}

/** Creates a query whose tab has the first free number, with what its tab is opened with. */
function createNumbered(
  session: Session,
  subject: Pick<QuerySubject, 'dataset' | 'text'>,
  replaced: string | null = null,
) {
  const name = datasetName(subject.dataset);
  const open = session.tabs.store.getState().tabs.filter(({ id }) => id !== replaced);
  const number = freeNumber(open, name);
  const model = createQuery(session, { ...subject, number });
  return { model, title: words.tabs.query(name, number, []) };
}

/** Updates the initial query when the dataset's scope differs from its type's default. */
async function refillOnScope({ datasets }: Session, { dataset, actions }: QueryTab): Promise<void> {
  if (await datasets.actions.learnScope(dataset)) actions.refill();
}

function openWithScope(
  session: Session,
  dataset: Dataset,
  { wells, isPreview = false }: DatasetOpening = {},
) {
  const { tabs } = session;
  const replaced = isPreview ? tabs.store.getState().preview : null;
  const { model, title } = createNumbered(session, { dataset }, replaced);
  tabs.actions.open(queryKind.open(model), { title, ...(wells ? { wells } : {}) }, isPreview);
  // Its text was made before its tab was open, for the selected wells.
  if (wells) model.actions.refill();
  return { model, scoped: refillOnScope(session, model) };
}

/** Opens a query on a dataset for the selected wells, or with the given text. */
export function openQuery(session: Session, dataset: Dataset, query?: string): QueryTab {
  const { model } = openWithScope(session, dataset);
  if (query !== undefined) model.actions.type('find', { query });
  return model;
}

/** Opens and runs a query; without a text, the dataset's initial query. */
export function openRecords(
  session: Session,
  dataset: Dataset,
  text: { readonly query: string; readonly sort: string } | null,
): void {
  const { actions } = openQuery(session, dataset);
  if (text) actions.type('find', text);
  void actions.run();
}

/** The preview if it is of a dataset and wells; null: it isn't, or there is none. */
function previewOf({ tabs }: Session, dataset: Dataset, wells?: readonly ScopedWell[]): Tab | null {
  const state = tabs.store.getState();
  const tab = state.tabs.find(({ id }) => id === state.preview) ?? null;
  const shown = tab?.content?.dataset();
  const idsOf = (of: readonly ScopedWell[]) => of.map(({ assetId }) => assetId).join();
  const isSame =
    tab &&
    shown &&
    isSameAddress(shown, dataset) &&
    idsOf(tab.wells) === idsOf(wells ?? selectedWells(state));
  return isSame ? tab : null;
}

/**
 * Opens a query and loads its first records, unless the user typed meanwhile.
 * @param opening absent: a tab that stays, for the selected wells
 */
export async function openDataset(
  session: Session,
  dataset: Dataset,
  opening: DatasetOpening = {},
): Promise<void> {
  const preview = opening.isPreview ? previewOf(session, dataset, opening.wells) : null;
  if (preview) return session.tabs.actions.show(preview.id);
  const { model, scoped } = openWithScope(session, dataset, opening);
  model.actions.focusEditor(true);
  await scoped;
  // Another preview may have replaced it meanwhile.
  const isOpen = queryKind.tabOf(session.tabs.store.getState(), model) !== null;
  const isIdle = model.results.store.getState().run.status === 'idle';
  const { runOnOpen } = session.app.settings.store.getState().values;
  if (isOpen && runOnOpen && isIdle && model.actions.isUnchanged())
    await model.actions.run({ isOpening: true });
}

/** Opens another query on the dataset of the active one, or else the list of datasets. */
export function openAnother(session: Session): void {
  const { tabs, active } = session.tabs.store.getState();
  const query = queryKind.of(tabs.find(({ id }) => id === active) ?? null);
  if (query) openQuery(session, query.dataset);
  else session.app.sidebar.actions.focus('datasets');
}

/** @throws AppError `not_found` if its dataset no longer exists */
export async function openStoredQuery(session: Session, query: StoredQuery): Promise<void> {
  const { address, text, name = null, assetIds, look, run } = query;
  const { tabs, wells: listing } = session;
  const dataset = await findDataset(session, address);
  const listed = listedWells(listing.store.getState());
  const wells = assetIds
    ? listed.wellsBy('assetId', assetIds).filter(hasAssetId)
    : selectedWells(tabs.store.getState());
  // Wells that aren't listed can't be selected; the query then names its wells itself.
  const isListed = !assetIds || assetIds.every((id) => wells.some(({ assetId }) => assetId === id));
  const queryText = isListed ? text : (await import('./bound-query.ts')).withWellIds(text, assetIds);
  const { model, title } = createNumbered(session, { dataset, text: queryText });
  if (look) model.results.actions.setLook(look);
  tabs.actions.open(queryKind.open(model), { title, name, wells });
  if (run) void model.actions.run();
}

/**
 * Opens a query of a file, a link, or the saved ones in the current connection.
 * @param run whether it runs: one of a stranger never does
 * @throws AppError `not_found` if its dataset no longer exists
 */
export async function openSharedQuery(
  { sessions }: Pick<App, 'sessions'>,
  { name, provider, dataset, question: text, look }: SharedQuery,
  { run }: { readonly run: boolean },
): Promise<void> {
  const session = sessions.getState().current;
  if (session) await openStoredQuery(session, { address: { provider, dataset }, text, name, look, run });
}

/** Opens a query with the first rows of a table of SQL. @throws AppError */
export const openSqlRows = (session: Session, address: DatasetAddress, table: string): Promise<void> =>
  openStoredQuery(session, {
    address,
    text: questionText.parse({ mode: 'sql', sql: { statement: firstRows(table) } }),
    run: true,
  });
