import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { Api } from '../../api/api.ts';
import type { SaveFile } from '../../api/save.ts';

export type UnitsByField = ReadonlyMap<string, string>;

/** The units of the fields of datasets, as far as they are known. */
export interface Units {
  /** Requested once; empty if they can't be determined. Never rejects. */
  readonly of: (connection: string, address: DatasetAddress) => Promise<UnitsByField>;
}

export function createUnits(api: { readonly datasets: Pick<Api['datasets'], 'fields'> }): Units {
  const known = new Map<string, Promise<UnitsByField>>();
  return {
    of(connection, { provider, dataset }) {
      const key = JSON.stringify([connection, provider, dataset]);
      const before = known.get(key);
      if (before) return before;
      const asking = api.datasets
        .fields({ connection, provider, dataset })
        .then(
          ({ fields }) =>
            new Map(fields.flatMap(({ path, unit }) => (unit === undefined ? [] : [[path, unit] as const]))),
        )
        .catch(() => {
          // Units are optional: a plot works without them, and the next plot tries again.
          known.delete(key);
          return new Map<string, string>();
        });
      known.set(key, asking);
      return asking;
    },
  };
}

declare module '../../state/contexts.ts' {
  interface App {
    readonly units: Units;
    readonly save: SaveFile;
  }
}
