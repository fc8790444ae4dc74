import { lazy } from 'react';
import * as z from 'zod';
import { addressOf, datasetAddress, datasetName } from '../../../shared/datasets/datasets.ts';
import type { ParameterValues } from '../../../shared/language/parameters.ts';
import { questionText } from '../../../shared/query/question.ts';
import { resultsLook } from '../../../shared/tabs/results-view.ts';
import { scopeOf, type ScopedWell } from '../../../shared/wells/scope.ts';
import type { Session } from '../../contexts.ts';
import { localZone } from '../../format/zoned.ts';
import { words } from '../../words/words.ts';
import { monotonicClock } from '../../state/use-now.ts';
import { findDataset } from '../datasets/dataset-finder.ts';
import { timeView } from '../results/times/time-view.ts';
import { defineTabKind } from '../tabs/tab-kind.ts';
import { queryCommands } from './query-commands.ts';
import { ownNumber } from './query-number.ts';
import { listedWells } from '../wells/wells-state.ts';
import { createQueryTab, type QuerySubject, type QueryTab } from './query-tab.ts';
import { recordTimesOf, startRecord } from './record-runs.ts';
import { SaveQuery } from './save-query.tsx';

/**
 * The current values of parameters other than `ask`: the selected wells of a tab, and their company if they have
 * one in common.
 */
function currentValues(
  { store }: Pick<Session['wells'], 'store'>,
  wells: readonly ScopedWell[],
): Omit<ParameterValues, 'answers'> {
  const { knownValues } = store.getState();
  const companies =
    wells.length > 0 ? new Set(wells.map(({ companyId }) => companyId)) : knownValues.ids.companyId;
  const [company = null, ...otherCompanies] = companies;
  return {
    wells: scopeOf(wells),
    company: otherCompanies.length === 0 ? company : null,
    now: Date.now(),
    zone: localZone(),
  };
}

/** Creates a query of a dataset. */
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
      watchUnits: (dataset, onUnits) => app.fields.actions.watch(connection, dataset, onUnits),
      defaults: settings,
      initialZone: () => settings().times,
      now: monotonicClock,
      values: () => currentValues(wells, ownWells()),
      startRecord(tab, isOpening) {
        const openTab = ownTab();
        if (openTab && !isOpening) tabs.actions.keep(openTab.id);
        const end = startRecord(session, tab, ownWells());
        return (answer) => {
          end(answer);
          if (answer.status === 'loaded') wells.actions.noteRecords(recordTimesOf(answer.value, tab.dataset));
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
  title: ({ dataset, number, store, askedWells }, wells) =>
    store.getState().text.mode === 'sql'
      ? words.tabs.query(words.query.modes.sql, number, [])
      : words.tabs.query(datasetName(dataset), number, askedWells(wells)),
  dataset: ({ dataset }) => dataset,
  // Where it is looked at, as a table or a plot, changes nothing.
  isUntouched: ({ actions, results }) =>
    actions.isUnchanged() && results.plot.store.getState().choice === null,
  setVisible: ({ results }, isVisible) => results.actions.setVisible(isVisible),
  onWellsSelected: ({ actions }) => actions.refill(),
  showTimes: ({ results }, times) => results.actions.show(times),
});
