import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { plainView, type GridView } from '../../../shared/tabs/grid-view.ts';
import type { Api } from '../../api/api.ts';

/** Stores the layout of each dataset's grid. */
export interface ViewStore {
  readonly read: (of: DatasetAddress) => Promise<GridView>;
  readonly write: (of: DatasetAddress, view: GridView) => void;
}

/**
 * Views in the application's store. Errors are ignored: without it, layouts last as long as the tab. Changes
 * are written in order.
 */
export function createViewStore({
  workspace,
}: {
  workspace: Pick<Api['workspace'], 'view' | 'keepView'>;
}): ViewStore {
  let line: Promise<unknown> = Promise.resolve();
  return {
    read: ({ provider, dataset }) => workspace.view({ provider, dataset }).catch(() => plainView),
    write({ provider, dataset }, view) {
      line = line.then(() => workspace.keepView({ provider, dataset, view })).catch(() => undefined);
    },
  };
}
