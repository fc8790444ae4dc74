import { useMemo } from 'react';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { DatasetFields } from '../../../shared/contract/catalogue.ts';
import { isPassing } from '../../../shared/errors/errors.ts';
import { unitsByPath } from '../../../shared/datasets/fields.ts';
import { type KeptSettings, rememberedUnits } from '../../../shared/settings/settings.ts';
import type { Api } from '../../api/api.ts';
import { useApp, useSession } from '../../contexts.ts';
import { valueOr } from '../../state/loadable.ts';
import { notLoaded, Resource, useResource } from '../../state/resource.ts';

export type UnitsByField = ReadonlyMap<string, string>;

/** The asset ids and companies of the wells whose records are sampled; absent: any. */
interface SampledWells {
  readonly assets?: readonly number[];
  readonly companies?: readonly number[];
}

interface FieldsKey {
  readonly connection: string;
  readonly address: DatasetAddress;
  readonly wells?: SampledWells;
}

interface Catalogue extends DatasetFields {
  readonly units: UnitsByField;
}

const noUnits: UnitsByField = new Map();

export type FieldCatalogue = Resource<FieldsKey, Catalogue>;

/**
 * The fields of datasets as the application's catalogue has them, for everything in the window: tables, plots, live views,
 * exports, completion, and the list of fields. They are requested once, and again when the user or an upload sets a unit.
 * Fields are optional: a table works without them or some of them, and the next one tries again.
 */
export const createFieldCatalogue = (api: {
  readonly datasets: Pick<Api['datasets'], 'fields'>;
}): FieldCatalogue =>
  new Resource(
    async function* read(
      { connection, address: { provider, dataset }, wells: { assets = [], companies = [] } = {} },
      signal: AbortSignal,
    ) {
      const request = { connection, provider, dataset, assets: [...assets], companies: [...companies] };
      const fields = await api.datasets.fields(request, { signal });
      const isStale = fields.problem !== undefined && isPassing(fields.problem);
      yield { value: { ...fields, units: unitsByPath(fields.fields) }, freshness: { ...notLoaded, isStale } };
    },
    {
      idOf: ({ connection, address: { provider, dataset }, wells: { assets = [], companies = [] } = {} }) =>
        JSON.stringify([connection, provider, dataset, assets, companies]),
    },
  );

/** Reads the fields of datasets again whose units the settings have changed. */
export function updateUnits(fields: FieldCatalogue, now: KeptSettings, before: KeptSettings): void {
  for (const key of fields.keys) {
    const unitsOf = (settings: KeptSettings) => JSON.stringify(rememberedUnits(settings, key.address));
    if (unitsOf(now) !== unitsOf(before)) void fields.refresh(key);
  }
}

/** The units of a dataset, now and after each change. @returns stops */
export function watchUnits(
  fields: FieldCatalogue,
  key: FieldsKey,
  onUnits: (units: UnitsByField) => void,
): () => void {
  let shown: UnitsByField | null = null;
  const show = () => {
    const units = valueOr(fields.get(key), null)?.units ?? null;
    if (units && units !== shown) onUnits((shown = units));
  };
  show();
  const stops = [fields.store.subscribe(show), fields.follow(key)];
  return () => stops.forEach((stop) => stop());
}

/** The fields of a dataset, for some wells or for any, as they are loaded and as units are set; null: not loaded. */
export function useFields({ provider, dataset }: DatasetAddress, wells?: SampledWells): Catalogue | null {
  const { fields } = useApp();
  const { connection } = useSession();
  const key = useMemo(
    () => ({ connection, address: { provider, dataset }, ...(wells ? { wells } : {}) }),
    [connection, provider, dataset, wells],
  );
  return valueOr(useResource(fields, key), null);
}

export const useFieldUnits = (address: DatasetAddress): UnitsByField => useFields(address)?.units ?? noUnits;
