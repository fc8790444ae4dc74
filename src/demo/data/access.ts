import { type JsonObject, type JsonValue, isObject, stringifyJson } from '../../shared/json.ts';
import { type Identity, seesWell } from '../auth.ts';
import type { World } from '../platform/world.ts';
import { type Call, Problem } from '../service.ts';
import { conditionsOf, type Reading } from '../store.ts';

/** Whether an identity may see and write data of an asset. Nobody may for an unknown asset. */
export function mayUseAsset(world: World, identity: Identity, assetId: JsonValue): boolean {
  if (typeof assetId !== 'number') return false;
  const asset = world.assetById.get(assetId);
  return asset !== undefined && (!asset.well || seesWell(identity, asset.well));
}

/** Whether an identity may use data of a company: its own, or one that shares a well with it. */
export function mayUseCompany(world: World, identity: Identity, companyId: JsonValue): boolean {
  if (identity.level === 'admin' || companyId === identity.companyId) return true;
  return world.wells.some(
    (well) => well.companyId === companyId && well.sharedWith.includes(identity.companyId),
  );
}

/** The scopes of records that an identity may see. */
export function visibleScopes(world: World, identity: Identity): Reading['visible'] {
  if (identity.level === 'admin') return () => true;
  return (scope) => {
    const metadata = isObject(scope['metadata']) ? scope['metadata'] : {};
    const asset = scope['asset_id'] ?? metadata['asset_id'];
    if (asset !== undefined && asset !== null) return mayUseAsset(world, identity, asset);
    return (scope['company_id'] ?? identity.companyId) === identity.companyId;
  };
}

/** Rejects a query that names an asset or company without access. @throws Problem 403 */
export function checkScope({ service: { world }, identity }: Call, query: JsonObject): void {
  for (const { path, condition } of conditionsOf(query)) {
    const named = path.endsWith('asset_id') || path.endsWith('company_id') ? namedIds(condition) : [];
    for (const id of named) {
      const well = path.endsWith('asset_id') ? world.assetById.get(Number(id))?.well : undefined;
      if (well && !seesWell(identity, well))
        throw new Problem(403, `no permission for asset ${stringifyJson(id)}`);
      const company = path.endsWith('company_id') && world.companies.some((item) => item.id === id);
      if (company && !mayUseCompany(world, identity, id))
        throw new Problem(403, `no permission for company ${stringifyJson(id)}`);
    }
  }
}

function namedIds(condition: JsonValue): JsonValue[] {
  if (!isObject(condition)) return [condition];
  const list = condition['$in'];
  return [
    ...(condition['$eq'] === undefined ? [] : [condition['$eq']]),
    ...(Array.isArray(list) ? list : []),
  ];
}
