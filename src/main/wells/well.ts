import { instantOf } from '../../shared/instants.ts';
import { isObject } from '../../shared/json.ts';
import { assetId, platformWellId } from '../../shared/wells/well-ids.ts';
import type { PlatformEntity, Well } from '../../shared/wells/wells.ts';

// Read field by field, not by a schema: of a list of 50,000 wells that would take more than a second, in the process
// that everything else waits for.

const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

function integerIn(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

const under = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** A well out of a platform resource; what the platform did not say, or said in another form, is null. */
export function toWell(entity: PlatformEntity): Well {
  const said = entity.attributes;
  // The one number that scopes records; the id of the resource never stands in for it (specification, section 1.4).
  const asset = integerIn(said['asset_id']);
  const identifier = textIn(said['identifier']);
  return {
    platformId: platformWellId.parse(entity.id),
    assetId: asset === null ? null : assetId.parse(asset),
    name: textIn(said['name']) ?? `Well ${entity.id}`,
    status: textIn(said['status']),
    state: textIn(said['state']),
    visibility: textIn(said['visibility']),
    identifier,
    apiNumber:
      textIn(said['api_number']) ?? textIn(under(said['settings'], 'api_number')) ?? apiNumberIn(identifier),
    area: textIn(said['area']),
    companyId: integerIn(said['company_id']) ?? relatedTo('company', entity),
    lastActiveAt: textIn(said['last_active_at']),
    programId: relatedTo('program', entity),
    padId: relatedTo('pad', entity),
    rigId: relatedTo('rig', entity),
    fracFleetId: relatedTo('frac_fleet', entity),
    drilloutUnitId: relatedTo('drillout_unit', entity),
    startedAt: isoOf(integerIn(said['well_start']) ?? textIn(said['well_start'])),
    position: positionIn(said['lon_lat']),
    timeZone: textIn(said['timezone']) ?? textIn(under(said['settings'], 'timezone')),
  };
}

/** An identifier that has the form of an API number: 10, 12 or 14 digits, with dashes or without. */
function apiNumberIn(identifier: string | null): string | null {
  if (identifier === null || !/^[\d-]+$/.test(identifier)) return null;
  return [10, 12, 14].includes(identifier.replaceAll('-', '').length) ? identifier : null;
}

const relatedTo = (name: string, { relationships }: PlatformEntity): number | null =>
  integerIn(under(under(relationships?.[name], 'data'), 'id'));

function positionIn(value: unknown): Well['position'] {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [longitude, latitude]: unknown[] = value;
  return typeof longitude === 'number' && typeof latitude === 'number' ? [longitude, latitude] : null;
}

/** Unix seconds, as the filters of wells count them, or a text that is a date; else nothing is known. */
function isoOf(said: number | string | null): string | null {
  const date = new Date(typeof said === 'number' ? said * 1000 : instantOf(said ?? ''));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
