import { dataset, type Dataset } from '../../../../src/shared/datasets/datasets.ts';

/** A definition as in a list: without statistics. */
export const made = (name: string, more: Partial<Dataset> = {}): Dataset =>
  dataset.parse({
    provider: 'demo',
    dataset: name,
    id: null,
    companyId: null,
    friendlyName: name,
    description: '',
    type: 'time',
    typeSaid: 'time',
    plottable: true,
    temporary: false,
    permissions: {},
    indexes: [],
    statistics: { size: null, count: null, storageSize: null, indexSize: null },
    schema: {},
    ...more,
  });
