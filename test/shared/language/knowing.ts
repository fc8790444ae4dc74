import { datasetIndex, type Dataset, type DatasetType } from '../../../src/shared/datasets/datasets.ts';
import { noKnowledge, type Knowledge, type KnownWell } from '../../../src/shared/language/knowledge.ts';
import { assetId, platformWellId } from '../../../src/shared/wells/wells.ts';

const index = (
  ...fields: readonly (readonly [path: string, direction: 1 | -1])[]
): Dataset['indexes'][number] =>
  datasetIndex.parse({
    name: fields.map(([path]) => path).join('_'),
    fields: fields.map(([path, direction]) => ({ path, direction })),
    unique: false,
  });

/** As the services define them: by well and then by the index field of the type. */
const indexes: Record<DatasetType, Dataset['indexes']> = {
  time: [index(['_id', 1]), index(['asset_id', 1], ['timestamp', -1])],
  depth: [index(['_id', 1]), index(['asset_id', 1], ['log_identifier', 1], ['measured_depth', 1])],
  reference: [index(['_id', 1])],
  timeseries: [index(['metadata.asset_id', 1], ['datetime', 1])],
};

const well = (name: string, platform: number, asset: number | null): KnownWell => ({
  name,
  platformId: platformWellId.parse(platform),
  assetId: asset === null ? null : assetId.parse(asset),
});

/** Three wells: one whose two ids differ, one whose platform id is another's asset id, one without an asset id. */
export const wells: readonly KnownWell[] = [
  well('Ridge A-100H', 901, 5003),
  well('Ridge C-102H', 5003, 5004),
  well('Ridge D-103H', 903, null),
];

/** The known facts about a dataset of a type, in a connection with {@link wells}. */
export const knowing = (type: DatasetType, more: Partial<Knowledge> = {}): Knowledge => ({
  ...noKnowledge,
  type,
  indexes: indexes[type],
  wells,
  ...more,
});
