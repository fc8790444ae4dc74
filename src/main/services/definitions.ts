import * as z from 'zod';
import { datasetType, type Dataset } from '../../shared/datasets/datasets.ts';
import { isObject, type JsonValue } from '../../shared/json.ts';
import { looseBoolean, looseInteger, looseNumber, looseText, readBy } from './tolerant.ts';

const anObject = z.record(z.string(), z.unknown()).catch({});

const definition = z.looseObject({
  id: looseInteger.optional(),
  company_id: looseInteger.optional(),
  provider: looseText.optional(),
  name: z.string().min(1),
  friendly_name: looseText.optional(),
  description: looseText.optional(),
  schema: anObject.optional(),
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
 * A dataset definition (specification, section 2.2), read with tolerance: absent keys, unknown ones, ids as
 * digits.
 * @throws UnreadableAnswer when it is not an object with a name
 */
export function readDefinition(value: JsonValue): Dataset {
  const said = readBy(definition, value, 'the definition of a dataset');
  const { provider, dataset } = addressIn(said.provider ?? '', said.name);
  const typeSaid = said.data_type ?? '';
  const statistics = said.statistics ?? {};
  return {
    provider,
    dataset,
    id: said.id ?? null,
    companyId: said.company_id ?? null,
    friendlyName: said.friendly_name || dataset,
    description: said.description ?? '',
    type: datasetType.safeParse(typeSaid).data ?? null,
    typeSaid,
    plottable: said.plottable ?? false,
    temporary: said.temporary ?? false,
    permissions: said.permission_workflow ?? {},
    indexes: (said.indexes ?? []).flatMap(readIndex),
    statistics: {
      size: statistics.size ?? null,
      count: statistics.count ?? null,
      storageSize: statistics.storage_size ?? null,
      indexSize: statistics.index_size ?? null,
    },
    schema: said.schema ?? {},
  };
}

/** Items of another shape say nothing and are left out. */
function readIndex(item: unknown): Dataset['indexes'] {
  const parsed = indexItem.safeParse(item);
  if (!parsed.success) return [];
  return [{ name: parsed.data.name, fields: parsed.data.fields, unique: parsed.data.unique ?? false }];
}

/** The address behind a name such as `demo#wits`; a name without a separator is the dataset's own. */
export function addressIn(provider: string, name: string): { provider: string; dataset: string } {
  const mark = name.indexOf('#');
  if (mark > 0 && mark < name.length - 1) {
    return { provider: provider || name.slice(0, mark), dataset: name.slice(mark + 1) };
  }
  const own = provider !== '' && name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : '';
  return { provider, dataset: own || name };
}

/** The array of definitions; items that are none are left out, so that one of them does not blank the list. */
export function readDefinitions(value: JsonValue): Dataset[] {
  const items = readBy(z.array(z.unknown()), wrapped(value), 'a list of datasets') as JsonValue[];
  return items.flatMap((item) => {
    const known = definition.safeParse(item).success;
    return known ? [asListed(readDefinition(item))] : [];
  });
}

/** Lists carry zero for all statistics (notes beside the specification): there it means "not counted". */
function asListed(dataset: Dataset): Dataset {
  const counted = Object.values(dataset.statistics).some((value) => value !== null && value > 0);
  if (counted) return dataset;
  return { ...dataset, statistics: { size: null, count: null, storageSize: null, indexSize: null } };
}

function wrapped(value: JsonValue): JsonValue {
  return isObject(value) && Array.isArray(value['data']) ? value['data'] : value;
}

const companyItem = z.looseObject({
  id: looseInteger.optional(),
  provider: looseText.optional(),
  name: z.string().min(1),
  type: looseText.optional(),
});

export interface CompanyDataset {
  company: string;
  id: number | null;
  provider: string;
  name: string;
  type: string;
}

/** The company listing: an object of company names to items; a name of the form `demo#wits` is cut to its dataset. */
export function readCompanyListing(value: JsonValue): CompanyDataset[] {
  const companies = readBy(z.record(z.string(), z.unknown()), value, 'a list of companies');
  return Object.entries(companies).flatMap(([company, items]) =>
    (Array.isArray(items) ? items : []).flatMap((item: unknown) => {
      const parsed = companyItem.safeParse(item);
      if (!parsed.success) return [];
      const { provider, dataset } = addressIn(parsed.data.provider ?? '', parsed.data.name);
      return [{ company, id: parsed.data.id ?? null, provider, name: dataset, type: parsed.data.type ?? '' }];
    }),
  );
}
