import * as z from 'zod';
import { isZone, localZone } from '../../../format/zoned.ts';
import type { TimeZone } from '../../records/cell-text.ts';
import type { WellZones } from './well-zones.ts';

const namedZone = z.templateLiteral([z.string(), '/', z.string()]).refine(isZone);

/**
 * In which zone times are shown: UTC, the machine's own, the one that the wells lie in, or one by its IANA name; `raw`: as
 * the service gave them.
 */
export const timeView = z.enum(['utc', 'local', 'well', 'raw']).or(namedZone);
export type TimeView = z.infer<typeof timeView>;

/** Whether a zone's name is one that can be chosen by itself: UTC is a choice of its own. */
export const isNamed = (zone: string): zone is Extract<TimeView, `${string}/${string}`> => zone.includes('/');

/** The zone that a choice stands for. That of wells which have no zone in common, or tell none, is UTC, and says so. */
export function zoneOf(times: TimeView, wells: WellZones): TimeZone {
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
