import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Entity, Well, World } from './world.ts';

export type Related = { readonly type: string; readonly id: number } | null;

/** How the entities of one list are filtered, sorted, and shown. */
export interface ResourceKind<E extends Entity> {
  /** The `type` of the resource and the prefix of its sparse fields, for example `well`. */
  readonly type: string;
  readonly list: (world: World) => readonly E[];
  /** The well of an entity, which decides who sees it; absent: both companies see all, as of a joint venture. */
  readonly wellOf?: (entity: E) => Well | null;
  readonly attributes: (entity: E, world: World) => JsonObject;
  readonly relationships: (entity: E) => Record<string, Related>;
  /** The fields by which the list can be sorted (specification, section 4.2). */
  readonly sorts: Readonly<Record<string, (entity: E, world: World) => string | number | null>>;
}

/** The JSON:API form of an entity; `fields` are the requested names, or null for all. */
export function present<E extends Entity>(
  kind: ResourceKind<E>,
  entity: E,
  world: World,
  fields: ReadonlySet<string> | null,
  idsAsText = false,
): JsonObject {
  const attributes = kind.attributes(entity, world);
  const relationships = Object.fromEntries(
    Object.entries(kind.relationships(entity)).map(([name, to]): [string, JsonValue] => [
      name,
      { data: to && { id: idsAsText ? String(to.id) : to.id, type: to.type } },
    ]),
  );
  const chosen: JsonObject = fields ? pick(relationships, fields) : relationships;
  return {
    id: idsAsText ? String(entity.id) : entity.id,
    type: kind.type,
    attributes: fields ? pick(attributes, fields) : attributes,
    ...(Object.keys(chosen).length > 0 ? { relationships: chosen } : {}),
  };
}

function pick(from: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.has(name)));
}

/** A time in the platform's format. */
export function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** The attributes that every resource has. */
export function commonAttributes(entity: Entity): JsonObject {
  return {
    name: entity.name,
    company_id: entity.companyId,
    lon_lat: [entity.lonLat[0], entity.lonLat[1]],
    last_active_at: isoTime(entity.lastActiveAt),
  };
}

/** The name of a company. */
export function companyName(world: World, id: number): string {
  return world.companies.find((company) => company.id === id)?.name ?? '';
}
