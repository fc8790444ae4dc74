import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { unitsByPath } from '../../../shared/datasets/fields.ts';
import { unitsKey, type KeptSettings } from '../../../shared/settings/settings.ts';
import type { Api } from '../../api/api.ts';
import type { SaveFile } from '../../api/save.ts';

export type UnitsByField = ReadonlyMap<string, string>;

const noUnits: UnitsByField = new Map();

export interface FieldUnitsState {
  /** By {@link keyOf}; absent: not loaded, or they can't be determined. */
  readonly units: Readonly<Record<string, UnitsByField>>;
}

const keyOf = (connection: string, { provider, dataset }: DatasetAddress): string =>
  JSON.stringify([connection, provider, dataset]);

export type FieldUnits = ReturnType<typeof createFieldUnits>;

/**
 * The units of the fields of datasets, by dotted path, as the application's catalogue of fields has them: for tables, plots, live
 * views, and exports. They are requested once, and again when the user or an upload sets a unit.
 */
export function createFieldUnits(
  api: { readonly datasets: Pick<Api['datasets'], 'fields'> },
  settings: Pick<StoreApi<{ readonly stored: KeptSettings }>, 'subscribe'>,
) {
  const store = createStore<FieldUnitsState>()(() => ({ units: {} }));
  const loaded = new Map<string, { readonly address: DatasetAddress; readonly load: () => Promise<void> }>();

  async function request(connection: string, { provider, dataset }: DatasetAddress): Promise<void> {
    const key = keyOf(connection, { provider, dataset });
    try {
      const { fields } = await api.datasets.fields({ connection, provider, dataset });
      store.setState((state) => ({ units: { ...state.units, [key]: unitsByPath(fields) } }));
    } catch {
      // Units are optional: a table works without them, and the next one tries again.
      loaded.delete(key);
    }
  }
  settings.subscribe(({ stored: now }, { stored: before }) => {
    if (now.fieldUnits === before.fieldUnits) return;
    for (const { address, load } of loaded.values()) {
      const of = ({ fieldUnits }: KeptSettings) => JSON.stringify(fieldUnits?.[unitsKey(address)]);
      if (of(now) !== of(before)) void load();
    }
  });

  const actions = {
    /** Requests the units of a dataset, unless they are loaded. Never rejects. */
    load(connection: string, address: DatasetAddress): void {
      const key = keyOf(connection, address);
      if (loaded.has(key)) return;
      const load = () => request(connection, address);
      loaded.set(key, { address, load });
      void load();
    },
    /** The units of a dataset, now and after each change. @returns stops */
    watch(connection: string, address: DatasetAddress, onUnits: (units: UnitsByField) => void): () => void {
      const key = keyOf(connection, address);
      const now = store.getState().units[key];
      if (now) onUnits(now);
      const stop = store.subscribe(({ units }, { units: before }) => {
        const next = units[key];
        if (next && next !== before[key]) onUnits(next);
      });
      actions.load(connection, address);
      return stop;
    },
    /** The units of a dataset in a state; empty until they are loaded. */
    of: ({ units }: FieldUnitsState, connection: string, address: DatasetAddress): UnitsByField =>
      units[keyOf(connection, address)] ?? noUnits,
  };
  return { store, actions };
}

declare module '../../state/contexts.ts' {
  interface App {
    readonly units: FieldUnits;
    readonly save: SaveFile;
  }
}
