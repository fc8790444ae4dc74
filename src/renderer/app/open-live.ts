import { liveFieldOf } from '../features/live/live-field.ts';
import { createLiveTab, type LiveSubject, type LiveTab, type OpenLive } from '../features/live/live-tab.ts';
import { pageStatus } from '../features/live/page-status.ts';
import type { RecordsThread } from '../features/records/records.ts';
import type { Settings } from '../features/settings/settings.ts';
import { delay } from '../state/delay.ts';
import { words } from '../words/words.ts';
import { liveZone } from './follow-scope.ts';
import type { Tabs } from './tabs.ts';

interface OpenLiveDependencies {
  readonly connection: string;
  readonly tabs: Tabs;
  readonly records: RecordsThread;
  readonly settings: Settings['store'];
}

/** Creates live views of queries, and opens them in tabs. */
export function createLiveLinks({ connection, tabs, records, settings }: OpenLiveDependencies) {
  const make = (subject: Omit<LiveSubject, 'connection'>): LiveTab =>
    createLiveTab(
      {
        live: records.live,
        surroundings: pageStatus,
        zone: () => liveZone(settings.getState().values.times),
        now: Date.now,
        wait: delay,
      },
      { connection, ...subject },
    );
  const open: OpenLive = (dataset, { query, fields }) => {
    const field = liveFieldOf(dataset);
    if (field === null) return;
    const model = make({ dataset, query, fields, field });
    tabs.actions.open({ kind: 'live', title: words.live.tab(dataset.dataset), model });
  };
  return { make, open };
}
