import type { Dataset } from '../../shared/datasets/datasets.ts';

/** A definition as the specification names its fields (section 2.2), with its address in front. */
export function definitionOf(dataset: Dataset): object {
  const { statistics } = dataset;
  return {
    dataset: `${dataset.provider}/${dataset.dataset}`,
    id: dataset.id,
    company_id: dataset.companyId,
    provider: dataset.provider,
    name: dataset.dataset,
    friendly_name: dataset.friendlyName,
    description: dataset.description,
    data_type: dataset.typeSaid,
    plottable: dataset.plottable,
    temporary: dataset.temporary,
    permission_workflow: dataset.permissions,
    indexes: dataset.indexes,
    statistics: {
      size: statistics.size,
      count: statistics.count,
      storage_size: statistics.storageSize,
      index_size: statistics.indexSize,
    },
    schema: dataset.schema,
  };
}
