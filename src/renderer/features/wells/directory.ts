import { createStore } from 'zustand/vanilla';
import type { CatalogueEvent } from '../../../shared/contract/catalogue.ts';
import type { PlatformEntity } from '../../../shared/wells/wells.ts';
import {
  emptyLoadingList,
  interruptList,
  applyEvent,
  notLoaded,
  type StreamedList,
  type Freshness,
} from '../../state/streamed-list.ts';
import { createLatestTask, type LatestTask } from '../../state/latest-task.ts';
import { createRenderThrottle } from '../../state/render-throttle.ts';

/** The groups that wells belong to, each with its own list. */
export const groups = ['companies', 'programs', 'pads', 'rigs', 'frac_fleets', 'drillout_units'] as const;
export type Group = (typeof groups)[number];

/** A company, rig, or another group member. */
interface Member {
  readonly id: number;
  readonly name: string;
}

export interface MemberList {
  readonly names: ReadonlyMap<number, string>;
  readonly freshness: Freshness;
}

export type DirectoryState = Readonly<Record<Group, MemberList>>;

export type Directory = ReturnType<typeof createDirectory>;

const emptyMembers: MemberList = { names: new Map(), freshness: notLoaded };
const defaults: DirectoryState = {
  companies: emptyMembers,
  programs: emptyMembers,
  pads: emptyMembers,
  rigs: emptyMembers,
  frac_fleets: emptyMembers,
  drillout_units: emptyMembers,
};

interface Source<Request, T> {
  (request: Request, options: { readonly signal: AbortSignal }): Promise<AsyncIterable<CatalogueEvent<T>>>;
}
interface NameSource {
  readonly catalogue: {
    readonly companies: Source<{ readonly connection: string }, Member>;
    readonly entities: Source<
      { readonly connection: string; readonly resource: Exclude<Group, 'companies'> },
      PlatformEntity
    >;
  };
}

const memberOf = (item: Member | PlatformEntity): Member =>
  'attributes' in item ? { id: item.id, name: entityName(item) } : item;

/** The names of what wells belong to, for filters and facts. */
export function createDirectory(api: NameSource, now: () => number = Date.now) {
  const store = createStore<DirectoryState>()(() => defaults);
  const tasks = new Map<Group, LatestTask>();
  // A failed list isn't requested again automatically: each render would repeat the request.
  const requestedGroups = new Set<Group>();
  let connection: string | null = null;

  async function fetch(of: string, group: Group): Promise<void> {
    const task = tasks.get(group) ?? createLatestTask();
    tasks.set(group, task);
    let coming: StreamedList<Member> = emptyLoadingList;
    const isShown = createRenderThrottle(now);
    // Earlier names stay until new ones arrive.
    store.setState((state) => ({ [group]: { names: state[group].names, freshness: coming.freshness } }));
    const show = () => {
      const names = new Map(coming.items.map(({ id, name }) => [id, name]));
      store.setState({ [group]: { names, freshness: coming.freshness } });
    };
    const read = async (signal: AbortSignal) => {
      const { companies, entities } = api.catalogue;
      for await (const event of group === 'companies'
        ? await companies({ connection: of }, { signal })
        : await entities({ connection: of, resource: group }, { signal })) {
        if (signal.aborted) return;
        const members = event.kind === 'items' ? { ...event, items: event.items.map(memberOf) } : event;
        coming = applyEvent(coming, members);
        if (isShown(event)) show();
      }
    };
    await task.run(read, {
      onDone: () => undefined,
      onFailed(error) {
        coming = interruptList(coming, error);
        show();
      },
      onCanceled: () => undefined,
    });
  }

  const actions = {
    /** Loads the names of groups that were not loaded yet. */
    loadGroups(requested: readonly Group[]): void {
      for (const group of requested) {
        if (connection === null || requestedGroups.has(group)) continue;
        requestedGroups.add(group);
        void fetch(connection, group);
      }
    },
    /** Loads the names of requested groups again. */
    load(of: string): void {
      connection = of;
      const reloadGroups = new Set<Group>(['companies', ...requestedGroups]);
      requestedGroups.clear();
      actions.loadGroups([...reloadGroups]);
    },
    again(): void {
      if (connection !== null) actions.load(connection);
    },
    clear() {
      for (const task of tasks.values()) task.drop();
      connection = null;
      requestedGroups.clear();
      store.setState(defaults);
    },
  };
  return { store, actions };
}

/** The name of an entity, or its id if it has none. */
export function entityName({ id, attributes: { name } }: PlatformEntity): string {
  const isNamed = (typeof name === 'string' && name !== '') || typeof name === 'number';
  return String(isNamed ? name : id);
}
