import { instantOf } from '../../../shared/instants.ts';
import {
  assetId,
  platformWellId,
  readInteger,
  readText,
  relatedTo,
  under,
  type PlatformEntity,
  type Well,
} from '../../../shared/wells/wells.ts';

// Read field by field, not by a schema: of a list of 50,000 wells that would take more than a second, in the process
// that everything else waits for.

/** A well from a platform resource; missing or invalid attributes are null. */
export function toWell(entity: PlatformEntity): Well {
  const attributes = entity.attributes;
  // The only number that scopes records; the id of the resource is never used instead (specification, section
  // 1.4).
  const asset = readInteger(attributes['asset_id']);
  const identifier = readText(attributes['identifier']);
  return {
    platformId: platformWellId.parse(entity.id),
    assetId: asset === null ? null : assetId.parse(asset),
    name: readText(attributes['name']) ?? `Well ${entity.id}`,
    status: readText(attributes['status']),
    state: readText(attributes['state']),
    visibility: readText(attributes['visibility']),
    identifier,
    apiNumber:
      readText(attributes['api_number']) ??
      readText(under(attributes['settings'], 'api_number')) ??
      readApiNumber(identifier),
    area: readText(attributes['area']),
    companyId: readInteger(attributes['company_id']) ?? relatedTo('company', entity),
    lastActiveAt: isoOf(readText(attributes['last_active_at'])),
    programId: relatedTo('program', entity),
    padId: relatedTo('pad', entity),
    rigId: relatedTo('rig', entity),
    fracFleetId: relatedTo('frac_fleet', entity),
    drilloutUnitId: relatedTo('drillout_unit', entity),
    startedAt: isoOf(readInteger(attributes['well_start']) ?? readText(attributes['well_start'])),
    position: readPosition(attributes['lon_lat']),
    timeZone: readText(attributes['timezone']) ?? readText(under(attributes['settings'], 'timezone')),
  };
}

/** An identifier that has the form of an API number: 10, 12 or 14 digits, with dashes or without. */
function readApiNumber(identifier: string | null): string | null {
  if (identifier === null || !/^[\d-]+$/.test(identifier)) return null;
  return [10, 12, 14].includes(identifier.replaceAll('-', '').length) ? identifier : null;
}

const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value);

function readPosition(value: unknown): Well['position'] {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [longitude, latitude]: unknown[] = value;
  return isFiniteNumber(longitude) && isFiniteNumber(latitude) ? [longitude, latitude] : null;
}

/** Unix seconds, as in well filters, or a date text; else null. */
function isoOf(time: number | string | null): string | null {
  const date = new Date(typeof time === 'number' ? time * 1000 : instantOf(time ?? ''));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
