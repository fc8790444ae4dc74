import type { StoreApi } from 'zustand/vanilla';
import type { AppError } from '../../../shared/errors.ts';
import type { Well } from '../../../shared/wells.ts';
import type { Api } from '../../api/api.ts';
import { asked, brokenOff, heard, type Coming } from '../../state/kept.ts';
import { latest } from '../../state/latest.ts';
import { failed, full, idle, loading, valueOr } from '../../state/loadable.ts';
import type { Finder } from './finder.ts';
import type { Looking } from './looking.ts';
import { learn, nothingSaid } from './said.ts';
import { asListed } from './scope.ts';
import { inItems, type WellsEvent } from './well-text.ts';
import type { WellsState } from './wells-state.ts';

/** While a list comes in, what is seen of it grows at most this often, in milliseconds: each time it is searched. */
const growsEvery = 250;

export interface ListingNeeds {
  readonly api: Pick<Api, 'catalogue'>;
  readonly finder: Finder;
  readonly looking: Looking;
  readonly store: StoreApi<WellsState>;
  readonly now: () => number;
}

/** Parts of the list that have come and are not seen yet; `anew`: they are all of it, what is seen goes. */
interface Unseen {
  readonly anew: boolean;
  readonly parts: readonly { readonly items: readonly Well[]; readonly text?: string }[];
}
const nothingUnseen: Unseen = { anew: false, parts: [] };

/** Brings in the wells of a connection: those kept at once, then what the service says. */
export function createListing({ api, finder, looking, store, now }: ListingNeeds) {
  const listing = latest();

  const show = ({ items, freshness }: Coming<Well>, { anew, parts }: Unseen) => {
    const added = parts.flatMap((part) => part.items);
    const said = learn(anew ? nothingSaid : store.getState().said, added);
    const shown = items.length > 0 || !freshness.asking;
    store.setState({ freshness, said, ...(shown ? { list: full(items) } : {}) });
    // The finder holds the list, unless it holds what a filter found.
    if (store.getState().answer.face === 'idle') {
      if (anew) finder.replace(items);
      else for (const part of parts) finder.add(part.items, part.text);
    }
    if (shown && (anew || added.length > 0)) looking.refilter();
  };

  const end = (coming: Coming<Well>, error: AppError | null) => {
    const { items, freshness } = brokenOff(coming, error);
    const some = items.length > 0;
    if (some || store.getState().list.face === 'full') {
      const changed = { ...(some ? freshness : {}), asking: false, error };
      store.setState((state) => ({ freshness: { ...state.freshness, ...changed } }));
    } else store.setState({ list: error ? failed(error) : idle, freshness });
  };

  return {
    cancel: listing.cancel,
    drop: listing.drop,
    async load(connection: string): Promise<void> {
      let coming: Coming<Well> = asked;
      // Wells that are seen already stay until all of the new ones are there.
      const first = valueOr(store.getState().list, []).length === 0;
      let unseen: Unseen = { anew: true, parts: [] };
      let shownAt = -Infinity;
      if (first) store.setState({ list: loading });
      store.setState(({ freshness }) => ({ freshness: { ...freshness, asking: true, error: null } }));

      const tell = () => {
        show(coming, unseen);
        unseen = nothingUnseen;
        shownAt = now();
      };
      const take = (event: WellsEvent) => {
        const before = coming.items;
        coming = heard(coming, event);
        if (coming.items !== before) {
          if (event.kind === 'items') unseen = { ...unseen, parts: [...unseen.parts, event] };
          else unseen = { anew: true, parts: [{ items: coming.items }] };
        }
        if (!first && coming.freshness.asOf === null) return;
        if (event.kind !== 'items' || now() - shownAt >= growsEvery) tell();
        if (event.kind === 'whole')
          store.setState(({ chosen }) => ({ chosen: asListed(chosen, coming.items) }));
      };
      const left = (error: AppError | null) => {
        // What has come since it was shown last stands too.
        if (first && unseen.parts.length > 0) tell();
        end(coming, error);
      };
      await listing.run(
        async (signal) => {
          for await (const event of await api.catalogue.wells({ connection }, { signal })) {
            if (signal.aborted) return;
            take(inItems(event));
          }
        },
        { done: () => undefined, failed: left, cancelled: () => left(null) },
      );
    },
  };
}
