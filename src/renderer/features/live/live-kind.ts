import { lazy } from 'react';
import {
  addressOf,
  datasetAddress,
  datasetName,
  type Dataset,
  datasetShapes,
} from '../../../shared/datasets/datasets.ts';
import type { FindRequest } from '../../../shared/query/query.ts';
import { liveField, livePace, type LiveField } from '../../../shared/tabs/live.ts';
import { plotChoice } from '../../../shared/tabs/plot.ts';
import { hasAssetId, type ScopedWell } from '../../../shared/wells/wells.ts';
import type { TimeView } from '../../../shared/settings/settings.ts';
import { pageStatus } from '../../api/page-status.ts';
import type { Session } from '../../contexts.ts';
import { delay } from '../../state/follow-stream.ts';
import { words } from '../../words/words.ts';
import type { Action, TabCommands } from '../commands/command-table.ts';
import { findDataset, wellsInConditions } from '../datasets/dataset-finder.ts';
import { timeView } from '../../format/time-view.ts';
import { zoneCommands } from '../results/times/use-well-zones.ts';
import { defineTabKind } from '../tabs/tab-kind.ts';
import { freeTitle } from '../tabs/tab-title.ts';
import { listedWells } from '../wells/wells-state.ts';
import { notifyOfLimits, channelLimits } from './limits.ts';
import { createLiveTab, type LiveState, type LiveSubject, type LiveTab } from './live-tab.ts';

import * as z from 'zod';

/** Live views have no raw times, because of their plot. */
const liveZone = (times: TimeView): TimeView => (times === 'raw' ? 'utc' : times);

function createLive(session: Session, subject: Omit<LiveSubject, 'connection'>): LiveTab {
  const { app, connection } = session;
  return createLiveTab(
    {
      live: app.records.live,
      page: pageStatus,
      zone: () => liveZone(app.settings.store.getState().values.times),
      now: Date.now,
      notify: (news, isInView) => void notifyOfLimits(session, subject.dataset, news, isInView),
      wait: delay,
    },
    { connection, ...subject },
  );
}

function liveCommands({ store, actions, plot }: LiveTab): TabCommands {
  const setView = (view: LiveState['view']) => (): Action =>
    store.getState().view === view ? null : () => actions.setView(view);
  return {
    viewTable: setView('table'),
    viewPlot: setView('plot'),
    addNote: () => (store.getState().view === 'plot' ? () => plot.addNote.call() : null),
    ...zoneCommands({ store, actions }),
  };
}

export const liveKind = defineTabKind({
  kind: 'live',
  schema: z.object({
    dataset: datasetAddress,
    query: z.string(),
    fields: z.array(z.string()),
    field: liveField,
    everyMs: z.int().min(livePace.shortest).max(livePace.longest),
    plot: plotChoice.nullable(),
    limits: z.record(z.string(), channelLimits).optional(),
    view: z.enum(['table', 'plot']),
    zone: timeView.catch('utc'),
  }),
  async restore({ dataset, view, zone, ...subject }, session): Promise<LiveTab> {
    const model = createLive(session, { ...subject, dataset: await findDataset(session, dataset) });
    model.actions.setView(view);
    model.actions.show(zone);
    return model;
  },
  serialize({ subject, store, plot }) {
    const { dataset, query, fields, field } = subject;
    const { everyMs, view, zone, limits } = store.getState();
    const { choice } = plot.store.getState();
    return {
      dataset: addressOf(dataset),
      query,
      fields: [...fields],
      field,
      everyMs,
      view,
      zone,
      limits,
      plot: choice,
    };
  },
  stores: ({ store, plot }) => [store, plot.store],
  commands: liveCommands,
  View: lazy(() => import('./live-tab-view.tsx')),
  helpPage: 'look.md#Live',
  // Its limits are watched in the background.
  runsHidden: ({ limits = {} }) => Object.keys(limits).length > 0,
  setVisible: ({ actions }, isVisible) => actions.setVisible(isVisible),
  showTimes: ({ actions }, times) => actions.show(liveZone(times)),
});

/** The field along which a dataset grows; null: the type has none. */
export const liveFieldOf = ({ type }: Pick<Dataset, 'type'>): LiveField | null =>
  type && (liveField.safeParse(datasetShapes[type].indexField).data ?? null);

/** The listed wells that a query asks for by their ids; undefined: it names none. */
function wellsOf(session: Session, dataset: Dataset, query: string): readonly ScopedWell[] | undefined {
  const scope = wellsInConditions(session.datasets, dataset, query);
  if (scope?.kind !== 'ids') return undefined;
  return listedWells(session.wells.store.getState()).wellsBy('assetId', scope.ids).filter(hasAssetId);
}

/** Opens a live view of a query, unless records of the dataset have no order of time or depth. */
export function openLive(
  session: Session,
  dataset: Dataset,
  { query, fields }: Pick<FindRequest, 'query' | 'fields'>,
): void {
  const field = liveFieldOf(dataset);
  if (field === null) return;
  const model = createLive(session, { dataset, query, fields, field });
  const { store, actions } = session.tabs;
  // Other wells may be selected than those of the query.
  const wells = wellsOf(session, dataset, query);
  const title = freeTitle(store.getState().tabs, (number) =>
    words.live.tab(words.tabs.query(datasetName(dataset), number, wells ?? [])),
  );
  actions.open(liveKind.open(model), { title, ...(wells ? { wells } : {}) });
}

export function openLiveOfWell(session: Session, dataset: Dataset, well: ScopedWell): void {
  const scope = session.datasets.actions.scopeOf(dataset) ?? datasetShapes.time.scopeField;
  openLive(session, dataset, { query: JSON.stringify({ [scope]: well.assetId }), fields: [] });
}
