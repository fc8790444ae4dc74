import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { type Identity, seesWell } from '../auth/identities.ts';
import type { Faults } from '../faults.ts';
import type { Params } from '../http/params.ts';
import { Problem, invalid } from '../problem.ts';
import { compareValues } from '../store/values.ts';
import { assets } from './assets.ts';
import type { Filter } from './filters.ts';
import * as filters from './filters.ts';
import * as kinds from './kinds.ts';
import { type ResourceKind, present } from './resource.ts';
import type { Entity, Visibility, World } from './world.ts';

const defaultPerPage = 100;
const maxPageSize = 10_000;

/** The context of a platform request. */
interface PlatformRequest {
  readonly world: World;
  readonly identity: Identity;
  readonly params: Params;
  readonly faults: Faults;
}

interface PlatformResource {
  list(request: PlatformRequest): JsonObject;
  single(request: PlatformRequest, id: number): JsonObject;
}

function resource<E extends Entity & { visibility?: Visibility }>(
  kind: ResourceKind<E>,
  filtersOf: (params: Params) => readonly (Filter<E> | undefined)[],
): PlatformResource {
  const isVisible = (entity: E, identity: Identity): boolean => {
    if (entity.visibility === 'visible_to_admin' && identity.level !== 'admin') return false;
    const well = kind.wellOf?.(entity);
    return !well || seesWell(identity, well);
  };
  return {
    list(request) {
      const { world, identity, params, faults } = request;
      const tests = [...filters.sharedFilters<E>(params), ...filtersOf(params)].filter(
        (test) => test !== undefined,
      );
      const wanted = params.text('visibility');
      const entities = kind
        .list(world)
        .filter(
          (entity) =>
            isVisible(entity, identity) && (wanted !== undefined || entity.visibility !== 'deleted'),
        )
        .filter((entity) => tests.every((test) => test(entity)));
      const page = pageOf(sorted(entities, kind, params, world), params, faults);
      const fields = sparseFields(kind.type, params);
      return {
        data: page.map((entity): JsonValue => present(kind, entity, world, fields, faults.string_ids)),
      };
    },
    single({ world, identity, params, faults }, id) {
      const entity = kind.list(world).find((candidate) => candidate.id === id);
      if (!entity || !isVisible(entity, identity))
        throw new Problem(404, `there is no ${kind.type} ${String(id)}`);
      return { data: present(kind, entity, world, sparseFields(kind.type, params), faults.string_ids) };
    },
  };
}

/** The lists of the platform service by the name in their path. */
export const resources: Readonly<Record<string, PlatformResource>> = {
  wells: resource(kinds.wells, filters.wellFilters),
  assets: resource(assets, filters.assetFilters),
  programs: resource(kinds.programs, filters.programFilters),
  pads: resource(kinds.pads, filters.padFilters),
  rigs: resource(kinds.rigs, filters.rigFilters),
  drillout_units: resource(kinds.drilloutUnits, filters.drilloutUnitFilters),
  frac_fleets: resource(kinds.fracFleets, filters.fracFleetFilters),
};

function sorted<E extends Entity>(
  entities: readonly E[],
  kind: ResourceKind<E>,
  params: Params,
  world: World,
): readonly E[] {
  const descending = params.word('order', ['asc', 'desc']) === 'desc';
  const sort = params.text('sort') ?? 'name';
  const fields = sort.split(',').map((text) => {
    const name = text.trim().replace(/^-/, '');
    const of = Object.hasOwn(kind.sorts, name) ? kind.sorts[name] : undefined;
    if (!of) throw invalid(`sort must be among ${Object.keys(kind.sorts).join(', ')}`);
    return { of, sign: text.trim().startsWith('-') !== descending ? -1 : 1 };
  });
  const keyed = entities.map((entity) => ({
    entity,
    values: fields.map(({ of }) => sortable(of(entity, world))),
  }));
  keyed.sort((a, b) => {
    for (const [at, { sign }] of fields.entries()) {
      const order = compareValues(a.values[at], b.values[at]) * sign;
      if (order !== 0) return order;
    }
    return a.entity.id - b.entity.id;
  });
  return keyed.map(({ entity }) => entity);
}

// Names are sorted without regard to case.
function sortable(value: string | number | null): string | number | null {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

function pageOf<E>(entities: readonly E[], params: Params, faults: Faults): readonly E[] {
  const requestedSize = params.integer('per_page') ?? defaultPerPage;
  const page = params.integer('page') ?? 1;
  if (requestedSize < 1) throw invalid('per_page must be 1 or more');
  if (page < 1) throw invalid('page must be 1 or more');
  const perPage = Math.min(requestedSize, faults.cap_per_page > 0 ? faults.cap_per_page : maxPageSize);
  const from = faults.ignore_page ? 0 : (page - 1) * perPage;
  return entities.slice(from, from + perPage);
}

// `fields[]=well.name`; names of other resources are ignored, and no names means all fields.
function sparseFields(type: string, params: Params): ReadonlySet<string> | null {
  const fields = params
    .texts('fields')
    .flatMap((text) => text.split(','))
    .map((text) => text.trim());
  const typeFields = fields
    .filter((field) => field.startsWith(`${type}.`))
    .map((field) => field.slice(type.length + 1));
  return typeFields.length === 0 || typeFields.includes('all') ? null : new Set(typeFields);
}
