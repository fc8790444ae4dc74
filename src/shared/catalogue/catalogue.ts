import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { datasetAddress } from '../datasets/datasets.ts';
import { platformFilters, platformResource } from '../wells/platform-filters.ts';

/** The source of items: the cache on this computer, or the service. */
const source = z.enum(['kept', 'service']);

const besideItems = [
  /** The list from this source is complete; `asOf`: when the service was queried, ISO 8601. */
  z.object({ kind: z.literal('whole'), source, asOf: z.string() }),
  /** The cached list is damaged; its items so far are invalid. */
  z.object({ kind: z.literal('damaged') }),
  /** The service confirmed the cached list; no item is repeated. */
  z.object({ kind: z.literal('same'), asOf: z.string() }),
] as const;

/**
 * The events of a list, in order: the cached list at once, then the service's, in parts. The stream ends when
 * the service's list is complete, and throws if it fails; items so far remain valid.
 */
export const catalogueEvent = <I extends z.ZodType>(item: I) =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('items'), source, items: z.array(item) }),
    ...besideItems,
  ]);

/**
 * The events of a list of tens of thousands of items: each part is JSON text, as cached (wells as rows, see
 * `packed-wells.ts`). Validating and cloning each item would block both sides for seconds.
 */
export const longCatalogueEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('items'), source, text: z.string() }),
  ...besideItems,
]);
export type LongCatalogueEvent = z.infer<typeof longCatalogueEvent>;

/** An event of a list of `T`. */
export type CatalogueEvent<T> =
  | { readonly kind: 'items'; readonly source: z.infer<typeof source>; readonly items: T[] }
  | Readonly<z.infer<(typeof besideItems)[number]>>;

export const catalogueQuery = z.object({ connection: connectionId });
/** With a filter the service is queried without the cache. */
export const wellsCatalogueQuery = catalogueQuery.extend({ filter: platformFilters.wells.default({}) });
export const entitiesCatalogueQuery = catalogueQuery.extend({
  resource: platformResource,
  /** Checked against the filters of the resource before anything is sent. */
  filter: z.record(z.string(), z.unknown()).default({}),
});
export const datasetCatalogueQuery = catalogueQuery.extend(datasetAddress.shape);

/** A company by its name, as far as the services have it. */
export const company = z.object({ id: z.int(), name: z.string() });
export type Company = z.infer<typeof company>;
