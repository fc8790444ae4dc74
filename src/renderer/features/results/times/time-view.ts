import * as z from 'zod';
import { isZone, localZone } from '../../../format/zoned.ts';
import type { TimeZone } from '../../records/cell-text.ts';
import type { WellZones } from './well-zones.ts';

const namedZone = z.templateLiteral([z.string(), '/', z.string()]).refine(isZone);

/**
 * The zone of displayed times: UTC, local, the wells' zone, or an IANA name; `raw`: as the service sends
 * them.
 */
export const timeView = z.enum(['utc', 'local', 'well', 'raw']).or(namedZone);
export type TimeView = z.infer<typeof timeView>;

/** Whether a zone can be selected by name: UTC is an option of its own. */
export const isNamedZone = (zone: string): zone is Extract<TimeView, `${string}/${string}`> =>
  zone.includes('/');

/** The zone of a setting. Wells without a common zone use UTC, and the window says so. */
export function resolveZone(times: TimeView, wells: WellZones): TimeZone {
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
