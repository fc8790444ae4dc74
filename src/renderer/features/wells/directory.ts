import { createStore } from 'zustand/vanilla';
import type { CatalogueEvent } from '../../../shared/catalogue/catalogue.ts';
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

/** What wells belong to, each with a list of its own. */
export const groups = ['companies', 'programs', 'pads', 'rigs', 'frac_fleets', 'drillout_units'] as const;
export type Group = (typeof groups)[number];

/** Something wells belong to. */
export interface Member {
  readonly id: number;
  readonly name: string;
}

export interface Members {
  readonly names: ReadonlyMap<number, string>;
  readonly freshness: Freshness;
}

export type DirectoryState = Readonly<Record<Group, Members>>;

export type Directory = ReturnType<typeof createDirectory>;

const nobody: Members = { names: new Map(), freshness: notLoaded };
const defaults: DirectoryState = {
  companies: nobody,
  programs: nobody,
  pads: nobody,
  rigs: nobody,
  frac_fleets: nobody,
  drillout_units: nobody,
};

interface Until {
  readonly signal: AbortSignal;
}

/** Where the names come from. */
interface NameSource {
  readonly catalogue: {
    readonly companies: (
      of: { readonly connection: string },
      options: Until,
    ) => Promise<AsyncIterable<CatalogueEvent<Member>>>;
    readonly entities: (
      of: { readonly connection: string; readonly resource: Exclude<Group, 'companies'> },
      options: Until,
    ) => Promise<AsyncIterable<CatalogueEvent<PlatformEntity>>>;
  };
}

/** The names of what wells belong to, for filters and facts: nobody is to know an id by heart. */
export function createDirectory(api: NameSource, now: () => number = Date.now) {
  const store = createStore<DirectoryState>()(() => defaults);
  const tasks = new Map<Group, LatestTask>();
  // What fails is not asked for again by itself: whoever looks would ask without end.
  const wasAsked = new Set<Group>();
  let connection: string | null = null;

  async function fetch(of: string, group: Group): Promise<void> {
    const task = tasks.get(group) ?? createLatestTask();
    tasks.set(group, task);
    let coming: StreamedList<Member> = emptyLoadingList;
    const isShown = createRenderThrottle(now);
    // Names that are known stand until others come.
    store.setState((state) => ({ [group]: { names: state[group].names, freshness: coming.freshness } }));
    const show = () =>
      store.setState({
        [group]: {
          names: new Map(coming.items.map(({ id, name }) => [id, name])),
          freshness: coming.freshness,
        },
      });
    const follow = async <T>(
      events: AsyncIterable<CatalogueEvent<T>>,
      memberOf: (item: T) => Member,
      signal: AbortSignal,
    ) => {
      for await (const event of events) {
        if (signal.aborted) return;
        coming = applyEvent(
          coming,
          event.kind === 'items' ? { ...event, items: event.items.map(memberOf) } : event,
        );
        if (isShown(event)) show();
      }
    };
    await task.run(
      async (signal) =>
        group === 'companies'
          ? follow(
              await api.catalogue.companies({ connection: of }, { signal }),
              (company) => company,
              signal,
            )
          : follow(
              await api.catalogue.entities({ connection: of, resource: group }, { signal }),
              memberIn,
              signal,
            ),
      {
        onDone: () => undefined,
        onFailed(error) {
          coming = interruptList(coming, error);
          show();
        },
        onCanceled: () => undefined,
      },
    );
  }

  const actions = {
    /** Fetches the names of these, where that has not been done. */
    look(wanted: readonly Group[]): void {
      for (const group of wanted) {
        if (connection === null || wasAsked.has(group)) continue;
        wasAsked.add(group);
        void fetch(connection, group);
      }
    },
    /** Fetches what was looked at anew. */
    load(of: string): void {
      connection = of;
      const again = new Set<Group>(['companies', ...wasAsked]);
      wasAsked.clear();
      actions.look([...again]);
    },
    again(): void {
      if (connection !== null) actions.load(connection);
    },
    clear() {
      for (const task of tasks.values()) task.drop();
      connection = null;
      wasAsked.clear();
      store.setState(defaults);
    },
  };
  return { store, actions };
}

/** A resource by its name, or by its id where it has none. */
export function memberIn({ id, attributes }: PlatformEntity): Member {
  const { name } = attributes;
  return { id, name: typeof name === 'string' && name !== '' ? name : String(id) };
}

declare module '../../state/contexts.ts' {
  interface Session {
    readonly directory: Directory;
  }
}
