import { eventIterator } from '@orpc/contract';
import { dataset, datasetAddress, datasetType, scopeField } from '../datasets/datasets.ts';
import { maxMarkChanges, platformEntity, wellMarks, wellMarksChange, well } from '../wells/wells.ts';
import { call } from './call.ts';
import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { platformFilters, platformResource } from '../wells/platform-filters.ts';
import { errorBody } from '../errors/errors.ts';
import { datasetField } from '../datasets/fields.ts';

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
const catalogueEvent = <I extends z.ZodType>(item: I) =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('items'), source, items: z.array(item) }),
    ...besideItems,
  ]);

/**
 * The events of a list of tens of thousands of items: each part is JSON text, as cached (wells as rows, see
 * `packed-wells.ts`). Validating and cloning each item would block both sides for seconds.
 */
const longCatalogueEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('items'), source, text: z.string() }),
  ...besideItems,
]);
export type LongCatalogueEvent = z.infer<typeof longCatalogueEvent>;

export type CatalogueEvent<T> =
  | { readonly kind: 'items'; readonly source: z.infer<typeof source>; readonly items: T[] }
  | Readonly<z.infer<(typeof besideItems)[number]>>;

const catalogueQuery = z.object({ connection: connectionId });

/** With a filter the service is queried without the cache. */
const wellsCatalogueQuery = catalogueQuery.extend({ filter: platformFilters.wells.default({}) });

const entitiesCatalogueQuery = catalogueQuery.extend({
  resource: platformResource,
  /** Checked against the filters of the resource before anything is sent. */
  filter: z.record(z.string(), z.unknown()).default({}),
});

const datasetQuery = catalogueQuery.extend(datasetAddress.shape);

/** A company by its name, as far as the services have it. */
export const company = z.object({ id: z.int(), name: z.string() });
export type Company = z.infer<typeof company>;

/** Lists of companies, datasets, and platform resources: the cached list at once, then the service's. */
export const catalogueCalls = {
  wells: call.input(wellsCatalogueQuery).output(eventIterator(longCatalogueEvent)),
  entities: call.input(entitiesCatalogueQuery).output(eventIterator(catalogueEvent(platformEntity))),
  companies: call.input(catalogueQuery).output(eventIterator(catalogueEvent(company))),
  datasets: call.input(catalogueQuery).output(eventIterator(catalogueEvent(dataset))),
  /** A single definition: one item, with its indexes and statistics. */
  dataset: call.input(datasetQuery).output(eventIterator(catalogueEvent(dataset))),
};

const resolveQuery = z.object({
  connection: connectionId,
  names: z.array(z.string().trim().min(1).max(200)).min(1).max(1000),
});

/** Empty: not found. Several: the user selects one. */
const resolvedName = z.object({ name: z.string(), wells: z.array(well) });
export type ResolvedName = z.infer<typeof resolvedName>;

export const wellsCalls = {
  /** Resolves names, API numbers, and asset ids, in order. */
  resolve: call.input(resolveQuery).output(z.array(resolvedName)),
  /** The user's recent and favorite wells, and the visible fields of wells. */
  marks: call.input(catalogueQuery).output(wellMarks),
  /** Changes marks, in order, and returns them. */
  mark: call
    .input(z.object({ connection: connectionId, changes: z.array(wellMarksChange).max(maxMarkChanges) }))
    .output(wellMarks),
};

export const datasetsQuery = z.object({
  connection: connectionId,
  search: z.string().default(''),
  plottable: z.boolean().optional(),
  temporary: z.boolean().optional(),
});

/** The selected wells: their asset ids, never platform ids, and their companies. */
const chosenWells = {
  assets: z.array(z.int()).max(10_000).default([]),
  companies: z.array(z.int()).max(1000).default([]),
};

/** Why a part of a result is missing. */
const problem = errorBody.optional();

const fieldsQuery = datasetQuery.extend(chosenWells);

const datasetFields = z.object({
  fields: z.array(datasetField),
  /** Number of records in the sample. */
  sampled: z.int(),
  /** The sample's records: of the wells, of any wells, or none. */
  of: z.enum(['wells', 'any', 'none']),
  /** The path that scopes the records of this dataset; null: none, or unknown. */
  scope: scopeField.nullable(),
  /** There are more fields than are listed. */
  more: z.boolean(),
  /** Why the definition, or records, could not be read. */
  problem,
});
export type DatasetFields = z.infer<typeof datasetFields>;

const extentQuery = datasetQuery.extend({
  ...chosenWells,
  /** The dataset's type; absent: it is read from the definition. */
  type: datasetType.nullable().optional(),
});

const datasetExtent = z.object({
  /** The path that scopes the records to wells; null: none does. */
  scope: scopeField.nullable(),
  /**
   * Whether the result is for the wells only, or for all records: no wells were given, or no path scopes
   * them.
   */
  of: z.enum(['wells', 'all']),
  /** Null: it could not be counted. */
  count: z.int().nullable(),
  /** The path that orders the records; null: none. */
  field: z.string().nullable(),
  /** The lowest and highest value of that path, as unchanged JSON text. */
  first: z.string().nullable(),
  last: z.string().nullable(),
  /** There are records without a value there. */
  unplaced: z.boolean(),
  problem,
});
export type DatasetExtent = z.infer<typeof datasetExtent>;

const holdingsQuery = z.object({
  connection: connectionId,
  ...chosenWells,
  /** In the order of the checks. */
  datasets: z.array(datasetAddress.extend({ type: datasetType.nullable() })).max(10_000),
});

/** The result for one dataset. */
const holding = datasetAddress.extend({
  holds: z.enum(['some', 'none', 'unknown']),
  /** Why it is unknown. */
  problem,
});
export type Holding = z.infer<typeof holding>;

export const datasetsCalls = {
  list: call.input(datasetsQuery).output(z.array(dataset)),
  /** `maxTries`: for less important reads. */
  get: call.input(datasetQuery.extend({ maxTries: z.int().min(1).max(10).optional() })).output(dataset),
  /** The fields by the dataset's type, its definition, and a few of its records: newest and oldest, of these wells. */
  fields: call.input(fieldsQuery).output(datasetFields),
  /** How many records these wells have in a dataset, and from when to when, or from which depth to which. */
  extent: call.input(extentQuery).output(datasetExtent),
  /** Which datasets have records of these wells: one event for each, with a few concurrent checks. */
  holdings: call.input(holdingsQuery).output(eventIterator(holding)),
};
