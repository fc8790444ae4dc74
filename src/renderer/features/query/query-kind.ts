import * as z from 'zod';
import { lazy } from 'react';
import {
  addressOf,
  datasetAddress,
  datasetName,
  type Dataset,
  datasetShapes,
} from '../../../shared/datasets/datasets.ts';
import type { ParameterValues } from '../../../shared/language/parameters.ts';
import { questionText, type QuestionMode, type QuestionText } from '../../../shared/query/question.ts';
import { resultsLook, type ResultsView } from '../../../shared/tabs/plot.ts';
import { scopeOf, type ScopedWell, assetId, type AssetId } from '../../../shared/wells/wells.ts';
import type { Session } from '../../contexts.ts';
import { localZone } from '../../format/zoned.ts';
import { words } from '../../words/words.ts';
import { monotonicClock } from '../../state/use-now.ts';
import { watchUnits } from '../datasets/field-catalogue.ts';
import { valueOr } from '../../state/loadable.ts';
import { wellIdsOf } from '../datasets/well-ids.ts';
import { findDataset } from '../datasets/dataset-finder.ts';
import { timeView } from '../../format/time-view.ts';
import { zoneCommands } from '../results/times/use-well-zones.ts';
import { defineTabKind } from '../tabs/tab-kind.ts';
import { listedWells } from '../wells/wells-state.ts';
import { createQueryTab, type QuerySubject, type QueryTab, type RecordedQuery } from './query-tab.ts';
import { SaveQuery } from './save-query.tsx';
import { toAppError } from '../../../shared/errors/errors.ts';
import type { CopyLanguage } from '../../../shared/query/query.ts';
import { copyText } from '../../ui/clipboard.ts';
import type { Action, TabCommands } from '../commands/command-table.ts';
import { liveFieldOf, openLive } from '../live/live-kind.ts';
import type { CopyFormat } from '../records/row-writer.ts';
import { isLimited } from '../results/load-all.ts';
import type { Result, RunOutcome } from '../results/results.ts';
import type { Tab } from '../tabs/tabs.ts';
import { tabTitle } from '../tabs/tab-title.ts';
import { sentRequest, hasParameters, usesSelectedWells } from './query-request.ts';
import { pathId } from '../../../shared/column-paths.ts';
import type { RunNote } from '../../../shared/contract/query.ts';
import { readScope } from '../../../shared/language/text/conditions.ts';
import { conditionsOf } from '../datasets/conditions.ts';

/** The maximum number of wells in an entry. */
const maxWells = 100;

type NotedWell = RunNote['wells'][number];

/** When the newest records of wells are from, by the first rows of a result. */
export function recordTimesOf(
  { head }: Pick<Result, 'head'>,
  { type }: Pick<Dataset, 'type'>,
): (readonly [assetId: number, at: number])[] {
  const shape = type && datasetShapes[type];
  const columnOf = (id: string | null | undefined) => head.columns.find(({ path }) => pathId(path) === id);
  const [wells, times] = [columnOf(shape?.scopeField), columnOf(shape?.indexField)];
  if (!wells || times?.kind !== 'time') return [];
  const rows = Array.from(times.cells, (at, row) => [Number(wells.cells[row]), Number(at)] as const);
  return rows.filter(([assetId, at]) => Number.isInteger(assetId) && Number.isFinite(at));
}

/**
 * Records a run with the query and its wells at its start.
 * @param query as it is sent
 * @returns adds the run to the history, by its result
 */
export function beginHistoryEntry(
  { wells: listing, history }: Pick<Session, 'wells' | 'history'>,
  { text, dataset, scopePath }: RecordedQuery,
  tabWells: readonly ScopedWell[],
): (outcome: RunOutcome) => void {
  const nameOf = (id: AssetId) => listedWells(listing.store.getState()).well('assetId', id)?.name;
  const note = (run: Omit<RunNote, 'connection'>) => void history.actions.note(run);
  /** The wells that a query asks for: those it names, otherwise the selected ones. */
  function wellsOf(text: QuestionText): readonly NotedWell[] {
    const [conditions, path] = [conditionsOf(text), scopePath()];
    const scope = conditions === null || path === null ? null : readScope(conditions, path);
    if (scope?.kind === 'none' && !usesSelectedWells(text)) return [];
    if (scope?.kind !== 'ids') return tabWells;
    return scope.ids.flatMap((id) => {
      const asset = assetId.safeParse(id);
      return asset.success ? [{ name: nameOf(asset.data) ?? String(id), assetId: asset.data }] : [];
    });
  }
  /** Notes a run. The list of many wells is cut; the query then names all of them. */
  function noteRun({
    question,
    wells,
    ...run
  }: Omit<RunNote, 'connection' | 'wells'> & { readonly wells: readonly NotedWell[] }): void {
    const stored = wells
      .slice(0, maxWells)
      .map(({ name, assetId: id }) => ({ name: name.slice(0, 300), assetId: id }));
    if (wells.length <= maxWells || !hasParameters(question)) note({ ...run, question, wells: stored });
    else
      // The language module is large, and rarely needed here.
      void import('./bound-query.ts').then(({ withWellIds }) => {
        const ids = wells.map((well) => well.assetId);
        note({ ...run, question: withWellIds(question, ids), wells: stored });
      });
  }
  const about = {
    ...addressOf(dataset),
    mode: text.mode,
    question: text,
    wells: wellsOf(text),
    rows: null,
    ms: null,
    code: null,
  };
  return (run) => {
    if (run.status === 'cancelled') noteRun({ ...about, outcome: 'cancelled' });
    else if (run.status === 'loaded')
      noteRun({ ...about, outcome: 'done', rows: run.value.records, ms: run.value.ms });
    // Invalid queries are not sent.
    else if (run.status === 'failed' && !run.error.is('invalid_input'))
      noteRun({ ...about, outcome: 'failed', code: run.error.code });
  };
}

/** Copies the request of the result, or of the query as typed. The bar of the result says so. */
async function copyRequest({ actions, results }: QueryTab, language: CopyLanguage): Promise<void> {
  const { request } = words.query;
  try {
    const sent = sentRequest(results.store.getState().run);
    const { copies } = await actions.describe(sent?.request ?? null);
    const isCopied = await copyText(copies[language]);
    results.actions.showNotice(isCopied ? request.copied(request.languages[language]) : words.notCopied);
  } catch (error) {
    results.actions.showNotice(toAppError(error).message);
  }
}

function copyCommands(query: QueryTab, copyRows: (format: CopyFormat) => () => Action): TabCommands {
  // A statement is no request of a service.
  const copyAs = (language: CopyLanguage) => (): Action =>
    query.store.getState().text.mode === 'sql' && !sentRequest(query.results.store.getState().run)
      ? null
      : () => void copyRequest(query, language);
  return {
    copyTsv: copyRows('tsv'),
    copyCsv: copyRows('csv'),
    copyJson: copyRows('json'),
    copyMarkdown: copyRows('markdown'),
    copyCurl: copyAs('curl'),
    copyPowershell: copyAs('powershell'),
    copyPython: copyAs('python'),
    copyTypescript: copyAs('typescript'),
    copyCommand: copyAs('command'),
  };
}

export function queryCommands(query: QueryTab, { id: tab }: Pick<Tab, 'id'>, session: Session): TabCommands {
  const { store, results, actions } = query;
  const isInMode = (mode: QuestionMode): boolean => store.getState().text.mode === mode;
  /** What shows in the query, which maximized results hide. */
  const inQuery = (act: () => void) => () => {
    results.actions.maximize(false);
    act();
  };
  const switchTo = (mode: QuestionMode) => (): Action =>
    isInMode(mode) ? null : inQuery(() => actions.switchTo(mode));
  const isSummary = (): boolean => isInMode('pipeline') && store.getState().text.pipeline.view === 'summary';
  const setView = (view: ResultsView) => (): Action =>
    results.store.getState().view === view ? null : () => results.actions.setView(view);
  const ofResult = (action: (result: Result) => Action) => (): Action => {
    const { lastResult } = results.store.getState();
    return lastResult ? action(lastResult) : null;
  };
  const ofTable = (action: () => void) =>
    ofResult(({ records }) => {
      const { view } = results.store.getState();
      return records > 0 && (view === 'table' || view === 'both') ? action : null;
    });
  return {
    run: () => () => void actions.run(),
    count: () => (actions.canCount() ? inQuery(() => void actions.count()) : null),
    stop: () => {
      const isRunning = results.store.getState().run.status === 'running';
      return isRunning || store.getState().count.status === 'running' ? actions.cancel : null;
    },
    maximize: () => {
      const { isMaximized, lastResult } = results.store.getState();
      return isMaximized || lastResult ? () => results.actions.maximize(!isMaximized) : null;
    },
    find: ofTable(() => results.calls.focusFind.call()),
    addNote: ofResult(({ records }) => {
      const { view } = results.store.getState();
      const isPlot = view === 'plot' || view === 'both';
      // Bars have no axis.
      const isBars = results.plot.store.getState().choice?.kind === 'bars';
      return records > 0 && isPlot && !isBars ? () => results.plot.addNote.call() : null;
    }),
    calculate: ofTable(() => results.calls.calculate.call()),
    distributions: ofTable(() => {
      const { distributions } = results.store.getState().grid;
      results.actions.arrange({ distributions: !distributions });
    }),
    // The rows of a statement have a button of their own.
    export: () => (isInMode('sql') ? null : () => actions.showExport(true)),
    save: () => () => session.tabs.actions.showForm({ tab, form: 'save' }),
    askFind: switchTo('find'),
    askSummary: () => (isSummary() ? null : () => void actions.summarize(null)),
    askPipeline: switchTo('pipeline'),
    askSql: switchTo('sql'),
    viewTable: setView('table'),
    viewPlot: setView('plot'),
    viewBoth: setView('both'),
    viewQuality: setView('quality'),
    showAll: ofResult((result) =>
      result.request.kind === 'find' && isLimited(result) ? () => void results.actions.showAll() : null,
    ),
    follow: ofResult(({ request }) => {
      if (request.kind !== 'find' || liveFieldOf(query.dataset) === null) return null;
      return () => openLive(session, query.dataset, request.request);
    }),
    ...zoneCommands(results),
    zoneOther: ofResult(({ records }) => (records > 0 ? () => results.actions.pickZone(true) : null)),
    ...copyCommands(query, (format) => ofTable(() => results.calls.copy.call(format))),
  };
}

/**
 * The current values of parameters other than `ask`: the selected wells of a tab, and their company if they have
 * one in common.
 */
export function currentValues(
  { store }: Pick<Session['wells'], 'store'>,
  wells: readonly ScopedWell[],
): Omit<ParameterValues, 'answers'> {
  const companies =
    wells.length > 0
      ? new Set(wells.map(({ companyId }) => companyId))
      : listedWells(store.getState()).ids('companyId');
  const [company = null, ...otherCompanies] = companies;
  return {
    wells: scopeOf(wells),
    company: otherCompanies.length === 0 ? company : null,
    now: Date.now(),
    zone: localZone(),
  };
}

export function createQuery(
  session: Session,
  subject: Pick<QuerySubject, 'dataset' | 'text' | 'number'>,
): QueryTab {
  const { app, connection, wells, datasets, tabs, views } = session;
  const settings = () => app.settings.store.getState().values;
  let model: QueryTab | null = null;
  const ownTab = () => queryKind.tabOf(tabs.store.getState(), model);
  const ownWells = () => queryKind.wellsOf(tabs.store.getState(), model);
  model = createQueryTab(
    {
      api: app.api,
      records: app.records,
      views,
      watchUnits: (address, onUnits) => watchUnits(app.fields, { connection, address }, onUnits),
      defaults: settings,
      initialZone: () => settings().times,
      now: monotonicClock,
      values: () => currentValues(wells, ownWells()),
      async fields() {
        const ofAny = { connection, address: subject.dataset };
        const key = { ...ofAny, wells: wellIdsOf(ownWells()) };
        const loaded = valueOr(app.fields.get(key), null) ?? valueOr(app.fields.get(ofAny), null);
        return (loaded ?? (await app.fields.value(key))).fields;
      },
      beginHistoryEntry(tab, isOpening) {
        const openTab = ownTab();
        if (openTab && !isOpening) tabs.actions.pin(openTab.id);
        const end = beginHistoryEntry(session, tab, ownWells());
        return (run) => {
          end(run);
          if (run.status === 'loaded') wells.actions.noteRecords(recordTimesOf(run.value, tab.dataset));
        };
      },
    },
    {
      connection,
      scope: () => datasets.actions.scopeOf(subject.dataset),
      wells: ownWells,
      nameOfWell: (id) => listedWells(wells.store.getState()).well('assetId', id)?.name,
      selectWells: (selected) => wells.actions.selectWells(selected, ownTab()?.id),
      ...subject,
    },
  );
  return model;
}

/** Queries of all modes, and statements of SQL. */
export const queryKind = defineTabKind({
  kind: 'query',
  schema: z.object({
    dataset: datasetAddress,
    text: questionText,
    /** Distinguishes it from other queries of its dataset. */
    number: z.int().min(1).default(1),
    zone: timeView.catch('utc'),
    ...resultsLook.shape,
  }),
  async restore({ dataset, text, number, zone, ...look }, session): Promise<QueryTab> {
    const listed = await findDataset(session, dataset);
    const { tabs } = session.tabs.store.getState();
    const model = createQuery(session, {
      dataset: listed,
      text,
      number: ownNumber(tabs, datasetName(listed), number),
    });
    model.results.actions.show(zone);
    model.results.actions.setLook(look);
    return model;
  },
  serialize({ dataset, number, store, results }) {
    const { zone } = results.store.getState();
    return {
      dataset: addressOf(dataset),
      text: store.getState().text,
      number,
      zone,
      ...results.actions.look(),
    };
  },
  stores: ({ store, results }) => [store, results.store, results.plot.store, results.calculated.store],
  commands: queryCommands,
  View: lazy(() => import('./query-tab-view.tsx')),
  StripPart: SaveQuery,
  helpPage: 'ask.md',
  // By what its query asks: other wells may be selected beside it.
  title: ({ dataset, number, store, requestedWells }, wells) =>
    store.getState().text.mode === 'sql'
      ? words.tabs.query(words.query.modes.sql, number, [])
      : words.tabs.query(datasetName(dataset), number, requestedWells(wells)),
  dataset: ({ dataset }) => dataset,
  // Where it is looked at, as a table or a plot, changes nothing.
  isPristine: ({ actions, results }) =>
    actions.isUnchanged() && results.plot.store.getState().choice === null,
  setVisible: ({ results }, isVisible) => results.actions.setVisible(isVisible),
  onWellsSelected: ({ actions }) => actions.refill(),
  showTimes: ({ results }, times) => results.actions.show(times),
});

const hasNumber = (tab: Tab, name: string, number: number): boolean => {
  // Tabs that aren't loaded have their last title only.
  const title = tabTitle({ ...tab, name: null, wells: [] });
  const numbered = words.tabs.query(name, number, []);
  // Other kinds of tabs, such as live views, are numbered among themselves.
  return tab.kind === 'query' && (title === numbered || title.startsWith(`${numbered} · `));
};

/** @returns the first number that no query of the dataset has */
export function freeNumber(tabs: readonly Tab[], name: string): number {
  let number = 1;
  while (tabs.some((tab) => hasNumber(tab, name, number))) number += 1;
  return number;
}

/**
 * Numbers a query that is open already, but may be a duplicate.
 * @param tabs the open tabs, with its own
 * @returns the stored number, or a free one if another query has it, too
 */
export const ownNumber = (tabs: readonly Tab[], name: string, number: number): number =>
  tabs.filter((tab) => hasNumber(tab, name, number)).length > 1 ? freeNumber(tabs, name) : number;
