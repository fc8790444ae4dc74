import { createStore } from 'zustand/vanilla';
import type { AssetId, PlatformWellId, ResolvedName, Well } from '../../../shared/wells.ts';
import type { Api } from '../../api/api.ts';
import type { Feature } from '../../state/context.tsx';
import { asked, brokenOff, heard, unasked, type Coming, type Freshness } from '../../state/kept.ts';
import { latest } from '../../state/latest.ts';
import { failed, full, idle, loading, type Loadable } from '../../state/loadable.ts';
import { noFilter, partToAsk, without, type WellFilter } from './filter.ts';
import type { Finder } from './finder.ts';
import { learn, nothingSaid, type Said } from './said.ts';
import type { WellSort } from './well-index.ts';

/** Which wells are looked at: all, or those a person has marked in one way or another. */
export const views = ['all', 'pinned', 'recent', 'chosen'] as const;
export type View = (typeof views)[number];

export interface WellsState {
  /** All wells of the connection, as far as they have come; failed: nothing came. */
  readonly list: Loadable<readonly Well[]>;
  readonly freshness: Freshness;
  /** What the wells say of themselves, to choose filters from. */
  readonly said: Said;
  readonly search: string;
  readonly filter: WellFilter;
  readonly sort: WellSort;
  readonly view: View;
  /** What the service says to a filter that the list can't answer; idle: there is no such filter. */
  readonly answer: Loadable<readonly Well[]>;
  /** What search, filter, view and sort leave; null: it is not known yet. */
  readonly found: readonly Well[] | null;
  /** The chosen wells, in the order they were chosen. All of them have an asset id. */
  readonly chosen: readonly ScopedWell[];
  readonly pinned: ReadonlySet<AssetId>;
  readonly recent: readonly AssetId[];
  /** What rows of the list say, and the columns of the table; null: the usual. */
  readonly facts: readonly string[] | null;
  readonly columns: readonly string[] | null;
}

/** A well whose data can be asked for. */
export type ScopedWell = Well & { readonly assetId: AssetId };

export interface WellsActions {
  readonly load: (connection: string) => Promise<void>;
  readonly cancel: () => void;
  /** Back to nothing, as when the connection is left. */
  readonly clear: () => void;
  readonly search: (text: string) => void;
  readonly filter: (filter: WellFilter) => void;
  /** `names`: of what the wells are sorted by, where that is an id. */
  readonly sort: (sort: WellSort, names?: ReadonlyMap<number, string>) => void;
  /** Names that became known, of what the wells are sorted by. */
  readonly nameAgain: (names: ReadonlyMap<number, string>) => void;
  readonly show: (view: View) => void;
  /** Looks for what the state asks for, anew. */
  readonly askAgain: () => void;
  /** Of the wells found, exactly these are chosen; others stay as they are. Those without an asset id are left out. */
  readonly choose: (platformIds: ReadonlySet<PlatformWellId>) => void;
  /** Chooses these, listed or not, as when the tab that they were chosen for is shown again. */
  readonly restore: (chosen: readonly ScopedWell[]) => void;
  /** Exactly these wells are chosen, wherever they come from. */
  readonly chooseWells: (wells: readonly Well[]) => void;
  /** What names, API numbers or asset ids stand for. @throws AppError */
  readonly resolve: (names: readonly string[], signal: AbortSignal) => Promise<readonly ResolvedName[]>;
  /** Takes one well, or all, out of the choice. */
  readonly drop: (platformId: PlatformWellId) => void;
  readonly dropAll: () => void;
  readonly pin: (well: ScopedWell, pinned: boolean) => void;
  /** What rows say (`facts`), or the columns of the table. */
  readonly tell: (where: 'facts' | 'columns', fields: readonly string[]) => void;
}

export type Wells = Feature<WellsState, WellsActions>;

const defaults: WellsState = {
  list: idle,
  freshness: unasked,
  said: nothingSaid,
  search: '',
  filter: noFilter,
  sort: { by: 'name', descending: false },
  view: 'all',
  answer: idle,
  found: null,
  chosen: [],
  pinned: new Set(),
  recent: [],
  facts: null,
  columns: null,
};

/** So many wells can be chosen: a query that names more is no query any more. */
export const mostChosen = 1000;
/** So many wells that were chosen are remembered. */
const mostRecent = 30;

export const hasAssetId = (well: Well): well is ScopedWell => well.assetId !== null;

/** The asset ids that scope records to these wells; each once. The platform ids never do. */
export function scopeOf(wells: readonly ScopedWell[]): AssetId[] {
  return [...new Set(wells.map(({ assetId }) => assetId))];
}

/** The companies that these wells belong to, as far as it is known; each once. */
export function companiesOf(wells: readonly ScopedWell[]): number[] {
  return [...new Set(wells.map(({ companyId }) => companyId))].filter((id) => id !== null);
}

/** Whether two choices scope to the same assets, in whatever order. */
export function sameScope(one: readonly ScopedWell[], other: readonly ScopedWell[]): boolean {
  const [a, b] = [new Set(scopeOf(one)), new Set(scopeOf(other))];
  return a.size === b.size && a.isSubsetOf(b);
}

/** The well of an asset: never one whose platform id happens to be the same number. */
export function wellOfAsset(wells: readonly Well[], asset: AssetId | null): ScopedWell | null {
  if (asset === null) return null;
  return wells.find((well): well is ScopedWell => well.assetId === asset) ?? null;
}

/** The same wells as they are listed now, where they are. */
function asListed(chosen: readonly ScopedWell[], listed: Loadable<readonly Well[]>): readonly ScopedWell[] {
  if (chosen.length === 0 || listed.face !== 'full') return chosen;
  const wanted = new Set(chosen.map(({ platformId }) => platformId));
  const known = new Map(
    listed.value
      .filter(hasAssetId)
      .filter(({ platformId }) => wanted.has(platformId))
      .map((well) => [well.platformId, well]),
  );
  return chosen.map((well) => known.get(well.platformId) ?? well);
}

export interface WellsNeeds {
  readonly api: Pick<Api, 'wells' | 'catalogue'>;
  readonly finder: Finder;
}

/** The wells of the connection, how they are looked at, and which of them are chosen. */
export function createWells({ api, finder }: WellsNeeds): Wells {
  const store = createStore<WellsState>()(() => defaults);
  const listing = latest();
  const answering = latest();
  const finding = latest();
  let connection = '';
  let names: ReadonlyMap<number, string> | undefined;

  /** Looks for what the state asks for; a newer question silences this one. */
  const find = () => {
    const { search, filter, sort, view, list, said, chosen, pinned, recent } = store.getState();
    if (list.face !== 'full') return;
    const part = partToAsk(filter, said.fields);
    const only = { all: undefined, pinned, recent: new Set(recent), chosen: new Set(scopeOf(chosen)) }[view];
    const question = {
      text: search,
      filter: part ? without(filter, part.fields) : filter,
      sort,
      ...(names ? { names } : {}),
      ...(only ? { only } : {}),
    };
    void finding.run(() => finder.find(question), {
      done: (found) => store.setState({ found }),
      failed: (error) => store.setState({ list: failed(error) }),
      cancelled: () => undefined,
    });
  };

  let sorted = '';
  /** Asks the service where the list can't answer; else the list is searched. */
  const refilter = () => {
    const { filter, said, list, answer } = store.getState();
    if (list.face !== 'full') return;
    const part = partToAsk(filter, said.fields);
    const key = part ? JSON.stringify(part.filter) : '';
    if (key === sorted && answer.face !== 'failed') return find();
    sorted = key;
    answering.drop();
    if (!part) {
      store.setState({ answer: idle });
      finder.replace(list.value);
      return find();
    }
    store.setState({ answer: loading, found: null });
    finder.replace([]);
    let coming: Coming<Well> = asked;
    void answering.run(
      async (signal) => {
        for await (const event of await api.catalogue.wells(
          { connection, filter: part.filter },
          { signal },
        )) {
          if (signal.aborted) return;
          coming = heard(coming, event);
          if (event.kind === 'items') finder.add(event.items);
          store.setState({ answer: full(coming.items) });
          find();
        }
      },
      {
        done: () => undefined,
        failed: (error) => store.setState({ answer: failed(error) }),
        cancelled: () => store.setState({ answer: idle }),
      },
    );
  };

  /** What came is shown; the finder gets it too, unless it holds what a filter found. */
  const show = (before: readonly Well[], { items, freshness }: Coming<Well>) => {
    const grown = before.length > 0 && items.length >= before.length && items[0] === before[0];
    const added = grown ? items.slice(before.length) : items;
    const said = learn(grown ? store.getState().said : nothingSaid, added);
    const shown = items.length > 0 || !freshness.asking;
    store.setState({ freshness, said, ...(shown ? { list: full(items) } : {}) });
    if (store.getState().answer.face !== 'idle') return;
    if (!grown) finder.replace(items);
    else if (added.length > 0) finder.add(added);
    if (shown) refilter();
  };

  const remember = (wells: readonly ScopedWell[]) => {
    if (wells.length === 0 || wells.length > mostRecent) return;
    const recent = [...new Set([...scopeOf(wells), ...store.getState().recent])].slice(0, mostRecent);
    store.setState({ recent });
    void api.wells.mark({ connection, marks: { recent } }).catch(() => undefined);
  };
  const setChosen = (wanted: readonly ScopedWell[]) => {
    const chosen = wanted.slice(0, mostChosen);
    const before = new Set(store.getState().chosen.map(({ platformId }) => platformId));
    store.setState({ chosen });
    remember(chosen.filter(({ platformId }) => !before.has(platformId)));
    if (store.getState().view === 'chosen') find();
  };

  const actions: WellsActions = {
    async load(of) {
      connection = of;
      let coming: Coming<Well> = asked;
      sorted = '';
      // Wells that are seen already stay until all of the new ones are there.
      const { list: earlier } = store.getState();
      let seen: readonly Well[] = earlier.face === 'full' ? earlier.value : [];
      const first = seen.length === 0;
      if (first) store.setState({ list: loading });
      store.setState(({ freshness }) => ({ freshness: { ...freshness, asking: true, error: null } }));
      void api.wells.marks({ connection }).then(
        ({ pinned, ...marks }) => store.setState({ pinned: new Set(pinned), ...marks }),
        () => undefined,
      );
      const end = (error: Parameters<typeof brokenOff>[1]) => {
        coming = brokenOff(coming, error);
        const { list } = store.getState();
        if (coming.items.length > 0 || list.face === 'full') {
          store.setState(({ freshness }) => ({
            freshness: {
              ...freshness,
              ...(coming.items.length > 0 ? coming.freshness : {}),
              asking: false,
              error,
            },
          }));
        } else store.setState({ list: error ? failed(error) : idle, freshness: coming.freshness });
      };
      await listing.run(
        async (signal) => {
          for await (const event of await api.catalogue.wells({ connection }, { signal })) {
            if (signal.aborted) return;
            coming = heard(coming, event);
            if (!first && coming.freshness.asOf === null) continue;
            show(seen, coming);
            seen = coming.items;
            if (event.kind === 'whole')
              store.setState(({ chosen, list }) => ({ chosen: asListed(chosen, list) }));
          }
        },
        { done: () => undefined, failed: end, cancelled: () => end(null) },
      );
    },
    cancel() {
      listing.cancel();
      answering.cancel();
    },
    clear() {
      for (const task of [listing, answering, finding]) task.drop();
      finder.close();
      sorted = '';
      store.setState(defaults);
    },
    search(search) {
      store.setState({ search });
      find();
    },
    filter(filter) {
      store.setState({ filter });
      refilter();
    },
    sort(sort, of) {
      names = of;
      store.setState({ sort });
      find();
    },
    nameAgain(known) {
      if (names === known) return;
      names = known;
      find();
    },
    show(view) {
      store.setState({ view });
      find();
    },
    askAgain: refilter,
    choose(platformIds) {
      const { found, chosen } = store.getState();
      const inView = new Set((found ?? []).map(({ platformId }) => platformId));
      const kept = chosen.filter(({ platformId }) => platformIds.has(platformId) || !inView.has(platformId));
      const before = new Set(kept.map(({ platformId }) => platformId));
      const added = (found ?? [])
        .filter(hasAssetId)
        .filter(({ platformId }) => platformIds.has(platformId) && !before.has(platformId));
      setChosen([...kept, ...added]);
    },
    chooseWells(wells) {
      const once = new Map(wells.filter(hasAssetId).map((well) => [well.platformId, well]));
      setChosen([...once.values()]);
    },
    resolve: (names, signal) => api.wells.resolve({ connection, names: [...names] }, { signal }),
    restore(chosen) {
      store.setState(({ list }) => ({ chosen: asListed(chosen, list) }));
      if (store.getState().view === 'chosen') find();
    },
    drop: (platformId) => setChosen(store.getState().chosen.filter((well) => well.platformId !== platformId)),
    dropAll: () => setChosen([]),
    pin({ assetId }, pinned) {
      const all = new Set(store.getState().pinned);
      if (pinned) all.add(assetId);
      else all.delete(assetId);
      store.setState({ pinned: all });
      void api.wells.mark({ connection, marks: { pinned: [...all] } }).catch(() => undefined);
      if (store.getState().view === 'pinned') find();
    },
    tell(where, fields) {
      store.setState({ [where]: fields });
      void api.wells.mark({ connection, marks: { [where]: [...fields] } }).catch(() => undefined);
    },
  };
  return { store, actions };
}
