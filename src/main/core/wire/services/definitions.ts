import * as z from 'zod';
import {
  dataset as datasetSchema,
  datasetType,
  type Dataset,
  type DatasetAddress,
} from '../../../../shared/datasets/datasets.ts';
import { isObject, isWithinDepth, type JsonValue } from '../../../../shared/json.ts';
import type { CompanyDataset } from './services.ts';
import {
  looseBoolean,
  looseInteger,
  looseNumber,
  looseText,
  maxDepth,
  readBy,
  readEach,
  type ReadItems,
} from './tolerant.ts';

const objectOrEmpty = z
  .record(z.string(), z.unknown())
  .refine((object) => isWithinDepth(object, maxDepth))
  .catch({});

const definition = z.looseObject({
  id: looseInteger.optional(),
  company_id: looseInteger.optional(),
  provider: looseText.optional(),
  name: z.string().min(1),
  friendly_name: looseText.optional(),
  description: looseText.optional(),
  schema: objectOrEmpty.optional(),
  data_type: looseText.optional(),
  plottable: looseBoolean.optional(),
  temporary: looseBoolean.optional(),
  permission_workflow: z.record(z.string(), looseText).catch({}).optional(),
  indexes: z.array(z.unknown()).catch([]).optional(),
  statistics: z
    .looseObject({
      size: looseNumber.optional(),
      count: looseNumber.optional(),
      storage_size: looseNumber.optional(),
      index_size: looseNumber.optional(),
    })
    .catch({})
    .optional(),
});

const indexItem = z.looseObject({
  name: z.string(),
  fields: z
    .array(z.record(z.string(), z.union([z.literal(1), z.literal(-1)])))
    .min(1)
    .transform((fields) => fields.flatMap((field) => Object.entries(field)))
    .transform((fields) => fields.map(([path, direction]) => ({ path, direction }))),
  unique: looseBoolean.optional(),
});

/**
 * Parses a dataset definition (specification, section 2.2). Missing and unknown keys and ids as digits are
 * accepted.
 * @throws UnreadableResponse when it isn't an object with a name
 */
export function readDefinition(value: unknown): Dataset {
  const raw = readBy(definition, value, 'the definition of a dataset');
  const { provider, dataset } = parseAddress(raw.provider ?? '', raw.name);
  const typeName = raw.data_type ?? '';
  const statistics = raw.statistics ?? {};
  return {
    provider,
    dataset,
    id: raw.id ?? null,
    companyId: raw.company_id ?? null,
    friendlyName: raw.friendly_name || dataset,
    description: raw.description ?? '',
    type: datasetType.safeParse(typeName).data ?? null,
    typeSaid: typeName,
    plottable: raw.plottable ?? false,
    temporary: raw.temporary ?? false,
    permissions: raw.permission_workflow ?? {},
    indexes: (raw.indexes ?? []).flatMap(readIndex),
    statistics: {
      size: statistics.size ?? null,
      count: statistics.count ?? null,
      storageSize: statistics.storage_size ?? null,
      indexSize: statistics.index_size ?? null,
    },
    schema: raw.schema ?? {},
  };
}

/** Items of another shape are skipped. */
function readIndex(item: unknown): Dataset['indexes'] {
  const { data } = indexItem.safeParse(item);
  return data ? [{ name: data.name, fields: data.fields, unique: data.unique ?? false }] : [];
}

/** The address in a name such as `demo#wits`; a name without a separator is the dataset. */
export function parseAddress(provider: string, name: string): DatasetAddress {
  const mark = name.indexOf('#');
  if (mark > 0 && mark < name.length - 1) {
    return { provider: provider || name.slice(0, mark), dataset: name.slice(mark + 1) };
  }
  const ownName = provider !== '' && name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : '';
  return { provider, dataset: ownName || name };
}

/**
 * Parses a list of definitions. Invalid items, and those without a valid address, are skipped.
 * @throws UnreadableResponse when it isn't a list
 */
export function readDefinitions(value: JsonValue): ReadItems<Dataset> {
  const items = readBy(z.array(z.unknown()), unwrapData(value), 'a list of datasets');
  return readEach(items, (item) => {
    const { data } = datasetSchema.safeParse(readDefinition(item));
    return data ? withUncountedStatistics(data) : null;
  });
}

/** Lists have zero for all statistics (notes beside the specification): it means "not counted". */
function withUncountedStatistics(dataset: Dataset): Dataset {
  const isCounted = Object.values(dataset.statistics).some((value) => value !== null && value > 0);
  if (isCounted) return dataset;
  return { ...dataset, statistics: { size: null, count: null, storageSize: null, indexSize: null } };
}

function unwrapData(value: JsonValue): JsonValue {
  return isObject(value) && Array.isArray(value['data']) ? value['data'] : value;
}

const companyItem = z.looseObject({
  id: looseInteger.optional(),
  provider: looseText.optional(),
  name: z.string().min(1),
  type: looseText.optional(),
});

const companyEntry = z.object({ company: z.string(), item: companyItem });

/**
 * Parses the company listing: an object of company names to items. A name such as `demo#wits` is split. Invalid items
 * are skipped.
 * @throws UnreadableResponse when it isn't an object
 */
export function readCompanyListing(value: JsonValue): ReadItems<CompanyDataset> {
  const companies = readBy(z.record(z.string(), z.unknown()), value, 'a list of companies');
  const entries = Object.entries(companies).flatMap(([company, items]) =>
    (Array.isArray(items) ? items : [items]).map((item: unknown) => ({ company, item })),
  );
  return readEach(entries, (entry) => {
    const { company, item } = companyEntry.parse(entry);
    const { provider, dataset } = parseAddress(item.provider ?? '', item.name);
    return { company, id: item.id ?? null, provider, name: dataset, type: item.type ?? '' };
  });
}
