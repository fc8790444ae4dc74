import * as z from 'zod';
import { datasetAddress, type Dataset, type DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { liveField, livePace } from '../../../shared/tabs/live.ts';
import { timeView } from '../../features/results/times/time-view.ts';
import { plotChoice } from '../../../shared/tabs/plot.ts';
import type { LiveSubject, LiveTab } from '../../features/live/live-tab.ts';
import type { TabContent } from '../tabs.ts';
import type { TabKind } from './kind.ts';

const keptLive = z.object({
  dataset: datasetAddress,
  query: z.string(),
  fields: z.array(z.string()),
  field: liveField,
  everyMs: z.int().min(livePace.shortest).max(livePace.longest),
  plot: plotChoice.nullable(),
  view: z.enum(['table', 'plot']),
  zone: timeView.catch('utc'),
});
export type KeptLive = z.infer<typeof keptLive>;

export interface LiveKindNeeds {
  readonly make: (subject: Omit<LiveSubject, 'connection'>) => LiveTab;
  /** @throws AppError `not_found` for one that is gone */
  readonly findDataset: (address: DatasetAddress) => Promise<Dataset>;
}

/** What is followed is kept, and how it is looked at; records come anew. */
export function liveKind({ make, findDataset }: LiveKindNeeds): TabKind<TabContent & { kind: 'live' }> {
  return {
    keep({ subject, store, plot }): KeptLive {
      const { dataset, query, fields, field } = subject;
      const { everyMs, view, zone } = store.getState();
      const address = { provider: dataset.provider, dataset: dataset.dataset };
      return {
        dataset: address,
        query,
        fields: [...fields],
        field,
        everyMs,
        view,
        zone,
        plot: plot.store.getState().choice,
      };
    },
    watch({ store, plot }, changed) {
      const stops = [
        store.subscribe(
          (now, before) =>
            (now.everyMs !== before.everyMs || now.view !== before.view || now.zone !== before.zone) &&
            changed(),
        ),
        plot.store.subscribe(changed),
      ];
      return () => stops.forEach((stop) => stop());
    },
    async restore(state, { title }) {
      const { dataset, view, zone, ...kept } = keptLive.parse(state);
      const model = make({ ...kept, dataset: await findDataset(dataset) });
      model.actions.lookAt(view);
      model.actions.show(zone);
      return { kind: 'live', title, model };
    },
  };
}
