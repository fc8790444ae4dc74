import { useEffect, useMemo, useState } from 'react';
import type { DatasetAddress } from '../../../shared/datasets.ts';
import { valueOr } from '../../state/loadable.ts';
import { useWells } from '../wells/context.ts';
import { usePlotNeeds } from './context.ts';
import type { PlotNames } from './names.ts';
import type { UnitsByField } from './units.ts';

const none: UnitsByField = new Map();

/** The names of wells and the units of fields, as they become known. */
export function useNames(connection: string, { provider, dataset }: DatasetAddress): PlotNames {
  const { units } = usePlotNeeds();
  const [byField, setByField] = useState(none);
  useEffect(() => {
    let gone = false;
    void units.of(connection, { provider, dataset }).then((found) => {
      if (!gone) setByField(found);
    });
    return () => {
      gone = true;
    };
  }, [units, connection, provider, dataset]);
  const list = useWells((state) => state.list);
  return useMemo(() => {
    const wells = valueOr(list, []);
    const names = new Map(
      wells.flatMap(({ assetId, name }) => (assetId === null ? [] : [[String(assetId), name]])),
    );
    return {
      unitOf: (field) => byField.get(field),
      wellName: (asset) => names.get(asset) ?? undefined,
    };
  }, [byField, list]);
}
