import { useEffect, useMemo, useState } from 'react';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { useApp, useSession, useSessionState } from '../../state/contexts.ts';
import type { PlotNames } from './names.ts';
import type { UnitsByField } from './units.ts';

const none: UnitsByField = new Map();

/** The names of wells and the units of fields, as they become known. */
export function useNames(connection: string, { provider, dataset }: DatasetAddress): PlotNames {
  const { units } = useApp();
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
  const names = useSessionState('wells', (state) => state.names);
  const { wantName } = useSession().wells.actions;
  return useMemo(
    () => ({
      unitOf: (field) => byField.get(field),
      wellName(asset) {
        const name = names.get(Number(asset));
        if (name === undefined && /^\d{1,15}$/.test(asset)) wantName(Number(asset));
        return name;
      },
    }),
    [byField, names, wantName],
  );
}
