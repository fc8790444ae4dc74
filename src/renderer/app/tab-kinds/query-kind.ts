import * as z from 'zod';
import { timeView } from '../../features/results/times/time-view.ts';
import { resultsViews } from '../../features/results/results.ts';
import { datasetAddress } from '../../../shared/datasets/datasets.ts';
import type { Dataset, DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { plotChoice } from '../../../shared/tabs/plot.ts';
import { questionText } from '../../../shared/query/question.ts';
import type { QuerySubject, QueryTab } from '../../features/query/query-tab.ts';
import type { TabKind } from './kind.ts';
import type { TabContent } from '../tabs.ts';

const keptQuery = z.object({
  dataset: datasetAddress,
  text: questionText,
  zone: timeView.catch('utc'),
  /** How the answer is looked at, and what a plot of it shows. */
  view: z.enum(resultsViews).default('table'),
  plot: plotChoice.nullable().default(null),
});
export type KeptQuery = z.input<typeof keptQuery>;

export interface QueryKindNeeds {
  readonly make: (subject: Omit<QuerySubject, 'connection'>) => QueryTab;
  /** @throws AppError `not_found` for one that is gone */
  readonly findDataset: (address: DatasetAddress) => Promise<Dataset>;
}

/** Questions are kept as they are typed, with the zone of their times; the wells they are for stand in their text. */
export function queryKind({ make, findDataset }: QueryKindNeeds): TabKind<TabContent & { kind: 'query' }> {
  return {
    keep({ dataset: { provider, dataset }, store, results }): KeptQuery {
      const { text } = store.getState();
      const { zone, view } = results.store.getState();
      const plot = results.plot.store.getState().choice;
      return { dataset: { provider, dataset }, text, zone, view, plot };
    },
    watch({ store, results }, changed) {
      const stops = [
        store.subscribe((now, before) => now.text !== before.text && changed()),
        results.store.subscribe(
          (now, before) => (now.zone !== before.zone || now.view !== before.view) && changed(),
        ),
        results.plot.store.subscribe(changed),
      ];
      return () => stops.forEach((stop) => stop());
    },
    async restore(state, { title }) {
      const { dataset, text, zone, view, plot } = keptQuery.parse(state);
      const model = make({ dataset: await findDataset(dataset), wells: [], text });
      model.results.actions.show(zone);
      model.results.actions.lookAt(view);
      if (plot) model.results.plot.actions.choose(plot);
      return { kind: 'query', title, model };
    },
  };
}
