import type { Well } from '../../../../shared/wells/wells.ts';
import { isZone } from '../../../format/zoned.ts';

interface ZoneOfWells {
  readonly zone: string;
  readonly wells: readonly string[];
}

export type WellZones =
  /** The wells are unknown or not loaded. */
  | { readonly status: 'unknown' }
  /** The platform service has no zone for them, or one that this computer doesn't know. */
  | { readonly status: 'none'; readonly zone: string | null }
  | { readonly status: 'one'; readonly zone: string }
  | { readonly status: 'several'; readonly zones: readonly ZoneOfWells[] };

/** The zones of wells, by the platform service. */
export function wellZonesOf(wells: readonly Pick<Well, 'name' | 'timeZone'>[]): WellZones {
  if (wells.length === 0) return { status: 'unknown' };
  const wellsByZone = Map.groupBy(wells, ({ timeZone }) => timeZone);
  const zones = [...wellsByZone].flatMap(([zone, those]) =>
    zone !== null && isZone(zone) ? [{ zone, wells: those.map(({ name }) => name) }] : [],
  );
  const [first, ...otherZones] = zones;
  if (!first)
    return { status: 'none', zone: wells.find(({ timeZone }) => timeZone !== null)?.timeZone ?? null };
  return otherZones.length === 0 ? { status: 'one', zone: first.zone } : { status: 'several', zones };
}
