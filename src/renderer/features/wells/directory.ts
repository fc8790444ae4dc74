import { createStore } from 'zustand/vanilla';
import type { CatalogueEvent } from '../../../shared/contract/catalogue.ts';
import type { PlatformEntity } from '../../../shared/wells/wells.ts';
import { valueOr } from '../../state/loadable.ts';
import { listOf, notLoaded, Resource, type Freshness } from '../../state/resource.ts';

/** The groups that wells belong to, each with its own list. */
export const groups = ['companies', 'programs', 'pads', 'rigs', 'frac_fleets', 'drillout_units'] as const;
export type Group = (typeof groups)[number];

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

const namesOf = (items: readonly (Member | PlatformEntity)[]): MemberList['names'] =>
  new Map(items.map((item) => [item.id, 'attributes' in item ? entityName(item) : item.name]));

/** The names of what wells belong to, for filters and facts. */
export function createDirectory(api: NameSource, now: () => number = Date.now) {
  const store = createStore<DirectoryState>()(() => defaults);
  let connection: string | null = null;
  async function* read(group: Group, signal: AbortSignal) {
    const { companies, entities } = api.catalogue;
    if (connection === null) return;
    const events =
      group === 'companies'
        ? await companies({ connection }, { signal })
        : await entities({ connection, resource: group }, { signal });
    yield* listOf<Member | PlatformEntity, MemberList['names']>(events, namesOf, signal, now);
  }
  const lists = new Resource(read, {
    onChange: (answer, group) =>
      store.setState((state) => ({
        [group]: { names: valueOr(answer, state[group].names), freshness: answer.freshness },
      })),
  });

  const actions = {
    loadGroups(requested: readonly Group[]): void {
      if (connection === null) return;
      // A failed list isn't requested again automatically: each render would repeat the request.
      for (const group of requested) if (lists.get(group).status === 'idle') void lists.refresh(group);
    },
    /** Loads the companies, and again the groups that were requested before. */
    load(of: string): void {
      connection = of;
      for (const group of groups)
        if (group === 'companies') void lists.refresh(group);
        else void lists.update(group);
    },
    again(): void {
      if (connection !== null) actions.load(connection);
    },
    clear() {
      connection = null;
      lists.clear();
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
