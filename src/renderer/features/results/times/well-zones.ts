import type { Well } from '../../../../shared/wells/wells.ts';
import { isZone } from '../../../format/zoned.ts';

/** A zone, and the names of the wells that lie in it. */
export interface ZoneOfWells {
  readonly zone: string;
  readonly wells: readonly string[];
}

/** In which zones the wells of some records lie. */
export type WellZones =
  /** It is not known which wells they are, or nothing is known of them yet. */
  | { readonly status: 'unknown' }
  /** The platform service tells no zone of theirs; or one that nobody here knows, by this name. */
  | { readonly status: 'none'; readonly said: string | null }
  | { readonly status: 'one'; readonly zone: string }
  | { readonly status: 'several'; readonly zones: readonly ZoneOfWells[] };

/** In which zones these wells lie, by what the platform service tells of them. */
export function zonesOf(wells: readonly Pick<Well, 'name' | 'timeZone'>[]): WellZones {
  if (wells.length === 0) return { status: 'unknown' };
  const told = Map.groupBy(wells, ({ timeZone }) => timeZone);
  const zones = [...told].flatMap(([zone, those]) =>
    zone !== null && isZone(zone) ? [{ zone, wells: those.map(({ name }) => name) }] : [],
  );
  const [first, ...others] = zones;
  if (!first)
    return { status: 'none', said: wells.find(({ timeZone }) => timeZone !== null)?.timeZone ?? null };
  return others.length === 0 ? { status: 'one', zone: first.zone } : { status: 'several', zones };
}
