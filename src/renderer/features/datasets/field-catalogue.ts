import { createStore } from 'zustand/vanilla';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { DatasetFields } from '../../../shared/contract/catalogue.ts';
import { unitsByPath } from '../../../shared/datasets/fields.ts';
import { fieldsKey, type KeptSettings } from '../../../shared/settings/settings.ts';
import type { Api } from '../../api/api.ts';

export type UnitsByField = ReadonlyMap<string, string>;

/** The asset ids and companies of the wells whose records are sampled; absent: any. */
interface SampledWells {
  readonly assets?: readonly number[];
  readonly companies?: readonly number[];
}

interface Catalogue {
  readonly found: DatasetFields;
  readonly units: UnitsByField;
}

interface FieldCatalogueState {
  /** By {@link keyOf}; absent: not loaded, or it can't be read. */
  readonly catalogues: Readonly<Record<string, Catalogue>>;
}

const noUnits: UnitsByField = new Map();

const keyOf = (
  connection: string,
  { provider, dataset }: DatasetAddress,
  { assets = [], companies = [] }: SampledWells = {},
): string => JSON.stringify([connection, provider, dataset, assets, companies]);

export type FieldCatalogue = ReturnType<typeof createFieldCatalogue>;

/**
 * The fields of datasets as the application's catalogue has them, for everything in the window: tables, plots, live views,
 * exports, completion, and the list of fields. They are requested once, and again when the user or an upload sets a unit.
 */
export function createFieldCatalogue(api: { readonly datasets: Pick<Api['datasets'], 'fields'> }) {
  const store = createStore<FieldCatalogueState>()(() => ({ catalogues: {} }));
  const loaded = new Map<
    string,
    { readonly address: DatasetAddress; readonly reload: () => Promise<void> }
  >();

  async function read(
    connection: string,
    { provider, dataset }: DatasetAddress,
    { assets = [], companies = [] }: SampledWells = {},
    signal?: AbortSignal,
  ): Promise<DatasetFields> {
    const address = { provider, dataset };
    const request = { connection, ...address, assets: [...assets], companies: [...companies] };
    const fields = await api.datasets.fields(request, signal ? { signal } : {});
    const key = keyOf(connection, address, { assets, companies });
    const catalogue = { found: fields, units: unitsByPath(fields.fields) };
    store.setState(({ catalogues }) => ({ catalogues: { ...catalogues, [key]: catalogue } }));
    loaded.set(key, { address, reload: () => tryRead(connection, address, { assets, companies }) });
    return fields;
  }

  /** Fields are optional: a table works without them, and the next one tries again. */
  async function tryRead(connection: string, address: DatasetAddress, wells?: SampledWells): Promise<void> {
    await read(connection, address, wells).catch(() => loaded.delete(keyOf(connection, address, wells)));
  }

  const actions = {
    /** Reads the fields of a dataset, also if they are loaded. @throws AppError of the data service */
    read,
    /** Requests the fields of a dataset, unless they are loaded. Never rejects. */
    load(connection: string, address: DatasetAddress, wells?: SampledWells): void {
      const key = keyOf(connection, address, wells);
      if (loaded.has(key)) return;
      loaded.set(key, { address, reload: () => tryRead(connection, address, wells) });
      void tryRead(connection, address, wells);
    },
    /** The units of a dataset, now and after each change. @returns stops */
    watch(connection: string, address: DatasetAddress, onUnits: (units: UnitsByField) => void): () => void {
      const key = keyOf(connection, address);
      const now = store.getState().catalogues[key];
      if (now) onUnits(now.units);
      const stop = store.subscribe(({ catalogues }, { catalogues: before }) => {
        const next = catalogues[key];
        if (next && next !== before[key]) onUnits(next.units);
      });
      actions.load(connection, address);
      return stop;
    },
    /** Reads the fields of datasets again whose units the settings have changed. */
    updateUnits(now: KeptSettings, before: KeptSettings): void {
      for (const { address, reload } of loaded.values()) {
        const of = ({ fieldUnits }: KeptSettings) => JSON.stringify(fieldUnits?.[fieldsKey(address)]);
        if (of(now) !== of(before)) void reload();
      }
    },
    /** The fields of a dataset for some wells, after each change. @returns stops */
    watchFields(
      connection: string,
      address: DatasetAddress,
      wells: () => SampledWells,
      onFields: (fields: DatasetFields) => void,
    ): () => void {
      return store.subscribe(({ catalogues }, { catalogues: before }) => {
        const key = keyOf(connection, address, wells());
        const next = catalogues[key];
        if (next && next !== before[key]) onFields(next.found);
      });
    },
    /** The fields of a dataset in a state; undefined until they are loaded. */
    of: (
      { catalogues }: FieldCatalogueState,
      connection: string,
      address: DatasetAddress,
      wells?: SampledWells,
    ): DatasetFields | undefined => catalogues[keyOf(connection, address, wells)]?.found,
    /** The units of a dataset in a state; empty until they are loaded. */
    unitsOf: (
      { catalogues }: FieldCatalogueState,
      connection: string,
      address: DatasetAddress,
    ): UnitsByField => catalogues[keyOf(connection, address)]?.units ?? noUnits,
  };
  return { store, actions };
}
