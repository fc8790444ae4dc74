import type { DatasetAddress } from '../../../shared/datasets.ts';
import { gridView, plainView, type GridView } from './grid-view.ts';

/** Where it is kept how a person looks at each dataset. */
export interface KeptViews {
  readonly read: (of: DatasetAddress) => GridView;
  readonly write: (of: DatasetAddress, view: GridView) => void;
}

const keyOf = ({ provider, dataset }: DatasetAddress) => `wellbench.view.${provider}/${dataset}`;

/** Views kept by the window; what can't be read is as if there were none. */
export function viewsIn(storage: Pick<Storage, 'getItem' | 'setItem'>): KeptViews {
  return {
    read(of) {
      try {
        const kept: unknown = JSON.parse(storage.getItem(keyOf(of)) ?? '{}');
        const parsed = gridView.safeParse(kept);
        return parsed.success ? parsed.data : plainView;
      } catch {
        return plainView;
      }
    },
    write(of, view) {
      try {
        storage.setItem(keyOf(of), JSON.stringify(view));
      } catch {
        // A full store forgets how columns stood; the records are there all the same.
      }
    },
  };
}
