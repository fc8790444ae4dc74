import type { StoreApi } from 'zustand/vanilla';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { Api } from '../../api/api.ts';
import type { Freshness } from '../../state/kept.ts';
import { latest } from '../../state/latest.ts';
import { failed, full, idle, loading } from '../../state/loadable.ts';
import { bringIn } from './list/bring-in.ts';
import type { WellThread } from './list/client.ts';
import type { Seen } from './list/protocol.ts';
import type { Looking } from './looking.ts';
import type { WellsState } from './wells-state.ts';

export interface ListingNeeds {
  readonly api: Pick<Api, 'catalogue'>;
  readonly thread: WellThread;
  readonly looking: Looking;
  readonly store: StoreApi<WellsState>;
  readonly now: () => number;
  /** All wells have come: what is known of single ones may be another. */
  readonly onWhole: () => void;
}

/** Brings in the wells of a connection: those kept at once, then what the service says. */
export function createListing({ api, thread, looking, store, now, onWhole }: ListingNeeds) {
  const listing = latest();

  const show = ({ count, version, said }: Seen, freshness: Freshness) => {
    const { list } = store.getState();
    const shown = count > 0 || !freshness.asking;
    const others = list.face !== 'full' || list.value.version !== version;
    store.setState({ freshness, said, ...(shown && others ? { list: full({ count, version }) } : {}) });
    if (shown && others) looking.refilter();
  };

  /** It broke off: what has come stands, unless there is a list before it that is whole. */
  const left = async (first: boolean, error: AppError | null, isLatest: () => boolean) => {
    thread.end('all');
    const seen = first ? await thread.look('all').catch(() => null) : null;
    if (!isLatest()) return;
    const ended = { asking: false, error };
    if (seen && seen.count > 0) show(seen, { ...store.getState().freshness, ...ended });
    else if (store.getState().list.face === 'full')
      store.setState(({ freshness }) => ({ freshness: { ...freshness, ...ended } }));
    else
      store.setState(({ freshness }) => ({
        list: error ? failed(error) : idle,
        freshness: { ...freshness, ...ended },
      }));
  };

  let loads = 0;
  return {
    cancel: listing.cancel,
    drop() {
      loads += 1;
      listing.drop();
    },
    async load(connection: string): Promise<void> {
      const mine = (loads += 1);
      const isLatest = () => mine === loads;
      const { list } = store.getState();
      // Wells that are seen already stay until all of the new ones are there.
      const first = list.face !== 'full' || list.value.count === 0;
      if (first) store.setState({ list: loading });
      store.setState(({ freshness }) => ({ freshness: { ...freshness, asking: true, error: null } }));
      thread.begin('all');
      let ending: Promise<void> = Promise.resolve();
      await listing.run(
        async (signal) =>
          bringIn({
            thread,
            list: 'all',
            events: await api.catalogue.wells({ connection }, { signal }),
            now,
            signal,
            tell(seen, freshness, whole) {
              if (first || freshness.asOf !== null) show(seen, freshness);
              if (whole) onWhole();
            },
          }),
        {
          done: () => undefined,
          failed: (error) => void (ending = left(first, error, isLatest)),
          cancelled: () => void (ending = left(first, null, isLatest)),
        },
      );
      await ending;
    },
  };
}
