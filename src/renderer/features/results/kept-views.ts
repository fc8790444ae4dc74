import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { plainView, type GridView } from '../../../shared/tabs/grid-view.ts';
import type { Api } from '../../api/api.ts';

/** Where it is kept how a person looks at each dataset. */
export interface KeptViews {
  readonly read: (of: DatasetAddress) => Promise<GridView>;
  readonly write: (of: DatasetAddress, view: GridView) => void;
}

/**
 * Views kept by the application. What can't be read is as if there were none, and what can't be kept is forgotten: the
 * records are there all the same. Changes are kept one after the other, so that the last one stands.
 */
export function createKeptViews({
  workspace,
}: {
  workspace: Pick<Api['workspace'], 'view' | 'keepView'>;
}): KeptViews {
  let line: Promise<unknown> = Promise.resolve();
  return {
    read: ({ provider, dataset }) => workspace.view({ provider, dataset }).catch(() => plainView),
    write({ provider, dataset }, view) {
      line = line.then(() => workspace.keepView({ provider, dataset, view })).catch(() => undefined);
    },
  };
}
