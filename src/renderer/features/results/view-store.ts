import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { plainView, type GridView } from '../../../shared/tabs/tabs.ts';
import type { Api } from '../../api/api.ts';

export type ViewStore = ReturnType<typeof createViewStore>;

/**
 * Views in the application's store. Errors are ignored: without it, layouts last as long as the tab. Changes
 * are written in order.
 */
export function createViewStore({ workspace }: { workspace: Pick<Api['workspace'], 'view' | 'changeView'> }) {
  let line: Promise<unknown> = Promise.resolve();
  return {
    read: ({ provider, dataset }: DatasetAddress): Promise<GridView> =>
      workspace.view({ provider, dataset }).catch(() => plainView),
    /** @param before the layout that the tab has changed; null: all of it is replaced */
    write({ provider, dataset }: DatasetAddress, before: GridView | null, view: GridView): void {
      const change = { provider, dataset, before, view };
      line = line.then(() => workspace.changeView(change)).catch(() => undefined);
    },
  };
}
