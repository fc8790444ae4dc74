import { describe, expect, it } from 'vitest';
import { wellOf } from '../../../support/wells.ts';
import { initialQuery } from '../../../../src/renderer/features/query/query-tab.ts';
import { defaultSettings } from '../../../../src/shared/settings/settings.ts';
import { hasAssetId } from '../../../../src/shared/wells/wells.ts';

describe('the initial query', () => {
  const wells = [wellOf(7, 'W-7', 1001), wellOf(1001, 'W-1001', 2002)].filter(hasAssetId);

  it.each([
    ['time', 'asset_id', 'timestamp'],
    ['depth', 'asset_id', 'measured_depth'],
    ['timeseries', 'metadata.asset_id', 'datetime'],
    ['reference', 'asset_id', '_id'],
  ] as const)('scopes %s data by %s to the selected wells', (type, scope, sort) => {
    const inputs = initialQuery(type, wells, undefined, defaultSettings).find;
    expect(inputs.query).toContain(scope);
    expect(inputs.query).toContain('{{wells}}');
    expect(inputs.sort).toContain(sort);
    expect(inputs.limit).toBe('1000');
  });

  it('groups and counts all matching records: nothing limits what is computed', () => {
    const { aggregate, pipeline } = initialQuery('timeseries', wells, undefined, defaultSettings);
    expect(aggregate).toMatchObject({ sort: '', limit: '' });
    expect(pipeline.stages).toContain('{ $group: { _id: "$metadata.asset_id", records: { $sum: 1 } } }');
    expect(pipeline.stages).not.toMatch(/\$limit|\$sort/);
  });

  it('returns all records when no well is selected', () => {
    expect(initialQuery('time', [], undefined, defaultSettings).find.query).toBe('{}');
  });
});
