import * as z from 'zod';
import type { Well } from '../../shared/wells/wells.ts';
import { isZone, localZone } from './zoned.ts';

const namedZone = z.templateLiteral([z.string(), '/', z.string()]).refine(isZone);

/** UTC, local, the wells' zone, or an IANA name; `raw`: as the service sends them. */
export const timeView = z.enum(['utc', 'local', 'well', 'raw']).or(namedZone);
export type TimeView = z.infer<typeof timeView>;

/** Whether a zone can be selected by name: UTC is an option of its own. */
export const isNamedZone = (zone: string): zone is Extract<TimeView, `${string}/${string}`> =>
  zone.includes('/');

/** The zone of a setting; null: raw times. Wells without a common zone use UTC, and the window says so. */
export function resolveZone(times: TimeView, wells: WellZones): string | null {
  switch (times) {
    case 'raw':
      return null;
    case 'utc':
      return 'UTC';
    case 'local':
      return localZone();
    case 'well':
      return wells.status === 'one' ? wells.zone : 'UTC';
    default:
      return times;
  }
}

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
