import { expect, it } from 'vitest';
import { readFilterValues } from '../../../../../src/renderer/features/query/filters/filter-values.ts';
import type { DatasetField } from '../../../../../src/shared/datasets/fields.ts';

const rop: DatasetField = { path: 'data.rop', from: 'sample', types: ['number'] };
const rig: DatasetField = { path: 'rig', from: 'sample', types: ['string'] };

it('reads parameters for fields of any type, beside values of the type', () => {
  expect(readFilterValues('between', ['{{ask:min}}', '90'], rop)).toEqual(['{{ask:min}}', 90]);
  expect(readFilterValues('between', ['{{ask:min}}', 'high'], rop)).toBeNull();
  expect(readFilterValues('oneOf', [' {{ask:rig}} ', 'Rig 7'], rig)).toEqual(['{{ask:rig}}', 'Rig 7']);
});
