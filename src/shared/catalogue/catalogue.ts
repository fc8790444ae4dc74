import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { datasetAddress } from '../datasets/datasets.ts';
import { platformFilters, platformResource } from '../wells/platform-filters.ts';

/** Who says what comes: this machine, which kept it, or the service, which was asked just now. */
const source = z.enum(['kept', 'service']);

const besideItems = [
  /** All of it has come from this source; `asOf`: when the service was asked, ISO 8601. */
  z.object({ kind: z.literal('whole'), source, asOf: z.string() }),
  /** What was kept turned out to be damaged: the kept items that came do not count. */
  z.object({ kind: z.literal('damaged') }),
  /** The service says what was kept, which is as good as new; no item comes twice. */
  z.object({ kind: z.literal('same'), asOf: z.string() }),
] as const;

/**
 * What is heard of a list, in this order: what was kept of it, at once; then what the service says. Items come in
 * parts, as they arrive. The stream ends when the service has said it all, and throws when it can't: what came stands.
 */
export const catalogueEvent = <I extends z.ZodType>(item: I) =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('items'), source, items: z.array(item) }),
    ...besideItems,
  ]);

/**
 * The same of a list of tens of thousands: its items come as the JSON text that they are kept as, an array for each
 * part (wells as rows, `packed-wells.ts`). Checked one by one and taken apart for the way, they would hold up both sides for seconds.
 */
export const longCatalogueEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('items'), source, text: z.string() }),
  ...besideItems,
]);
export type LongCatalogueEvent = z.infer<typeof longCatalogueEvent>;

/** An event of a list of `T`. */
export type CatalogueEvent<T> =
  | { readonly kind: 'items'; readonly source: 'kept' | 'service'; readonly items: T[] }
  | { readonly kind: 'whole'; readonly source: 'kept' | 'service'; readonly asOf: string }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'same'; readonly asOf: string };

export const catalogueQuery = z.object({ connection: connectionId });
/** With a filter the service is asked, and nothing is kept. */
export const wellsCatalogueQuery = catalogueQuery.extend({ filter: platformFilters.wells.default({}) });
export const entitiesCatalogueQuery = catalogueQuery.extend({
  resource: platformResource,
  /** Checked against the filters of the resource before anything is sent. */
  filter: z.record(z.string(), z.unknown()).default({}),
});
export const datasetCatalogueQuery = catalogueQuery.extend(datasetAddress.shape);

/** A company by its name, as far as the services say it. */
export const company = z.object({ id: z.int(), name: z.string() });
export type Company = z.infer<typeof company>;
