import { describe, expect, it } from 'vitest';
import { filterFor } from '../../../../src/renderer/features/dataset-tab/dataset-tab-view.tsx';
import { parseRelaxedObject } from '../../../../src/shared/language/relaxed.ts';
import type { DatasetField } from '../../../../src/shared/datasets/fields.ts';
import type { ScopedWell } from '../../../../src/shared/wells/wells.ts';

const well = { assetId: 5003, companyId: 3 } as ScopedWell;
const field = (path: string, more: Partial<DatasetField>): DatasetField => ({
  path,
  from: 'sample',
  types: ['number'],
  ...more,
});

describe('a query that filters by a field', () => {
  it.each([
    [field('data.rop', { example: '142.7' }), '{ asset_id: {{wells}}, "data.rop": { $gte: 142.7 } }'],
    [
      field('data.state', { types: ['string'], values: ['In Slips', 'Say "so"'], example: '"x"' }),
      '{ asset_id: {{wells}}, "data.state": { $in: ["In Slips", "Say \\"so\\""] } }',
    ],
    [field('data.ok', { types: ['boolean'], example: 'true' }), '{ asset_id: {{wells}}, "data.ok": true }'],
    [
      field('data.serial', { types: ['integer'], example: '10000000000000000001' }),
      '{ asset_id: {{wells}}, "data.serial": { $gte: 10000000000000000001 } }',
    ],
    [field('asset_id', { types: ['integer'], example: '7' }), '{ asset_id: { $gte: 7 } }'],
  ])('%j gives %s', (field, query) => {
    expect(filterFor(field, 'time', [well], 'asset_id')).toBe(query);
    expect(Object.keys(parseRelaxedObject(query.replace('{{wells}}', '1'), 'query'))).toContain(field.path);
  });

  it.each([
    field('data', { types: ['object'] }),
    field('data.tags', { types: ['array'], example: '["a"]' }),
    field('data.long', { types: ['string'], example: '"cut off…"' }),
  ])('does not exist for %j', (field) => {
    expect(filterFor(field, 'time', [well], 'asset_id')).toBeNull();
  });
});
