import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { plainView, type GridView } from '../../../shared/tabs/tabs.ts';
import type { Api } from '../../api/api.ts';

export interface ViewStore {
  readonly read: (of: DatasetAddress) => Promise<GridView>;
  /** @param before the layout that the tab has changed; null: all of it is replaced */
  readonly write: (of: DatasetAddress, before: GridView | null, view: GridView) => void;
}

/**
 * Views in the application's store. Errors are ignored: without it, layouts last as long as the tab. Changes
 * are written in order.
 */
export function createViewStore({
  workspace,
}: {
  workspace: Pick<Api['workspace'], 'view' | 'changeView'>;
}): ViewStore {
  let line: Promise<unknown> = Promise.resolve();
  return {
    read: ({ provider, dataset }) => workspace.view({ provider, dataset }).catch(() => plainView),
    write({ provider, dataset }, before, view) {
      const change = { provider, dataset, before, view };
      line = line.then(() => workspace.changeView(change)).catch(() => undefined);
    },
  };
}
