import { apiDigits } from './api-numbers.ts';
import type { PlatformEntity } from './wells.ts';

type OfIds = Pick<PlatformEntity, 'id' | 'attributes'>;

/** Filters that are lists of ids, and how an entity has its own. */
const idFilters: Readonly<Record<string, (entity: OfIds) => unknown>> = {
  ids: ({ id }) => id,
  asset_id: ({ attributes }) => attributes['asset_id'],
  api_number: ({ attributes }) => attributes['api_number'],
};

/** API numbers have ids of their own in any notation; all other ids are integers. */
const keyOf = (id: unknown): string => apiDigits(String(id));

/**
 * The ids in the lists of a filter that none of the entities has, which the service sent for it.
 * @param filter named as in the specification, section 4.2
 */
export class MissingIds {
  /** The ids as they are in the filter, for each kind. */
  readonly #missing: readonly (readonly [idOf: (entity: OfIds) => unknown, ids: Map<string, string>])[];

  constructor(filter: Readonly<Record<string, unknown>>) {
    this.#missing = Object.entries(idFilters).map(([name, idOf]) => {
      const ids = filter[name];
      return [idOf, new Map(Array.isArray(ids) ? ids.map((id) => [keyOf(id), String(id)]) : [])];
    });
  }

  remove(entities: Iterable<OfIds>): void {
    for (const entity of entities) for (const [idOf, ids] of this.#missing) ids.delete(keyOf(idOf(entity)));
  }

  /** The remaining ids. */
  get texts(): string[] {
    return this.#missing.flatMap(([, ids]) => [...ids.values()]);
  }
}
