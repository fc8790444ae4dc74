import { type AssetId, assetId } from '../../../shared/wells/well-ids.ts';
import type { PlatformEntity } from '../../../shared/wells/wells.ts';
import type { Group } from './directory.ts';
import type { EntityKind } from './entity-filters.ts';
import type { RelatedField } from './filter.ts';

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

const integer = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
};

/** The id of a related entity by the name of the relationship; null: none. */
export function relatedId({ relationships }: PlatformEntity, name: string): number | null {
  const related = relationships?.[name];
  if (typeof related !== 'object' || related === null || !('data' in related)) return null;
  const { data } = related;
  return typeof data === 'object' && data !== null && 'id' in data ? integer(data.id) : null;
}

export const attributeText = ({ attributes }: PlatformEntity, name: string): string | null =>
  text(attributes[name]);

export const companyIdOf = (entity: PlatformEntity): number | null =>
  integer(entity.attributes['company_id']) ?? relatedId(entity, 'company');

/** For `/v2/assets`: the type of the asset. */
export const assetTypeOf = (entity: PlatformEntity): string | null =>
  attributeText(entity, 'asset_type') ?? (entity.type === 'asset' ? null : text(entity.type));

/** For `/v2/assets`: the id of the parent asset. */
export const parentIdOf = (entity: PlatformEntity): number | null =>
  integer(entity.attributes['parent_asset_id']) ?? relatedId(entity, 'parent');

/**
 * The asset id of an entity. In `/v2/assets`, `id` is the asset id. In other lists `id` is the platform's
 * own, and the asset id is `attributes.asset_id` (specification, section 1.4).
 */
export function assetIdOf(kind: EntityKind, entity: PlatformEntity): AssetId | null {
  const id = kind === 'assets' ? entity.id : integer(entity.attributes['asset_id']);
  return id === null ? null : assetId.parse(id);
}

/** The field of a well that refers to each list. */
export const wellFieldByKind: Readonly<Record<Exclude<EntityKind, 'assets'>, RelatedField>> = {
  programs: 'programId',
  pads: 'padId',
  rigs: 'rigId',
  drillout_units: 'drilloutUnitId',
  frac_fleets: 'fracFleetId',
};

/** A column of a list of entities. */
export interface EntityColumn {
  readonly id: string;
  readonly width: number;
  readonly align: 'start' | 'end';
  readonly of:
    | { readonly attribute: string }
    | { readonly time: string }
    | { readonly related: string; readonly group: Group | null }
    | { readonly what: 'id' | 'company' | 'type' | 'parent' };
}

const column = (id: string, width: number, of: EntityColumn['of'], align: 'start' | 'end' = 'start') => ({
  id,
  width,
  of,
  align,
});
const name = column('name', 220, { attribute: 'name' });
const company = column('company', 150, { what: 'company' });
const program = column('program', 190, { related: 'program', group: 'programs' });
const lastActive = column('lastActive', 130, { time: 'last_active_at' });
const id = column('id', 80, { what: 'id' }, 'end');
const assetIdColumn = column('assetId', 90, { attribute: 'asset_id' }, 'end');

/** The columns of each list, in order. */
export const entityColumns: Readonly<Record<EntityKind, readonly EntityColumn[]>> = {
  assets: [
    name,
    column('type', 90, { what: 'type' }),
    column('parent', 190, { what: 'parent' }),
    column('status', 100, { attribute: 'status' }),
    company,
    program,
    column('apiNumber', 180, { attribute: 'api_number' }),
    column('assetId', 90, { what: 'id' }, 'end'),
    lastActive,
    column('visibility', 120, { attribute: 'visibility' }),
  ],
  programs: [name, company, lastActive, id],
  pads: [
    name,
    company,
    program,
    column('currentFracFleet', 160, { related: 'current_frac_fleet', group: 'frac_fleets' }),
    column('drilloutUnit', 160, { related: 'drillout_unit', group: 'drillout_units' }),
    column('active', 70, { attribute: 'active' }),
    lastActive,
    id,
  ],
  rigs: [
    name,
    company,
    program,
    column('activeWell', 190, { related: 'active_well', group: null }),
    lastActive,
    assetIdColumn,
    id,
  ],
  drillout_units: [
    name,
    company,
    program,
    column('pad', 170, { related: 'pad', group: 'pads' }),
    column('well', 190, { related: 'well', group: null }),
    lastActive,
    id,
  ],
  frac_fleets: [
    name,
    company,
    column('currentPad', 170, { related: 'current_pad', group: 'pads' }),
    lastActive,
    id,
  ],
};
