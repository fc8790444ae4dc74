import { expect, it } from 'vitest';
import { maxAddressName } from '../../../src/shared/datasets/datasets.ts';
import { maxTableName, sqlDataset, sqlTableName } from '../../../src/shared/sql/sql.ts';

it('a table has a name of up to 63 characters, and its limit is in the message', () => {
  expect(sqlTableName.safeParse('t'.repeat(maxTableName)).success).toBe(true);
  const { error } = sqlTableName.safeParse('t'.repeat(maxTableName + 1));
  expect(error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining('63')]);
});

it('a table of the dataset with the longest name has its address as its label', () => {
  const [provider, dataset] = ['p'.repeat(maxAddressName), 'd'.repeat(maxAddressName)];
  const table = { connection: 'c', provider, dataset, query: '{}', label: `${provider}/${dataset}` };
  expect(sqlDataset.safeParse(table).success).toBe(true);
  expect(sqlDataset.safeParse({ ...table, dataset: `${dataset}d` }).success).toBe(false);
});
