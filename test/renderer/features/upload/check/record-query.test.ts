import { describe, expect, it } from 'vitest';
import { uploadedRecordsQuery } from '../../../../../src/renderer/features/upload/check/record-query.ts';
import { parseRelaxedObject } from '../../../../../src/shared/language/relaxed.ts';

const times = { path: 'timestamp', from: '1475229841000', to: '1475729955000' };

describe('the query that shows the uploaded records', () => {
  it('names the asset of all rows and the time range of the file', () => {
    const { query, sort } = uploadedRecordsQuery('time', [times], { asset_id: 5003, version: 1 });
    expect(query).toBe('{ asset_id: 5003, timestamp: { $gte: 1475229841000, $lte: 1475729955000 } }');
    expect(sort).toBe('{ timestamp: 1 }');
  });

  it('names the assets of a column by their range, a single one by its id', () => {
    const depth = { path: 'measured_depth', from: '1.5', to: '2.5' };
    const several = [{ path: 'asset_id', from: '5001', to: '5003' }, depth];
    expect(uploadedRecordsQuery('depth', several, { log_identifier: 'run "1"' }).query).toBe(
      '{ asset_id: { $gte: 5001, $lte: 5003 }, log_identifier: "run \\"1\\"", measured_depth: { $gte: 1.5, $lte: 2.5 } }',
    );
    const single = [{ path: 'asset_id', from: '5001', to: '5001' }];
    expect(uploadedRecordsQuery('depth', single, {}).query).toBe('{ asset_id: 5001 }');
  });

  it('is wide when the range is unknown', () => {
    expect(uploadedRecordsQuery('reference', [], {})).toEqual({ query: '{}', sort: '{ _id: 1 }' });
    expect(uploadedRecordsQuery(null, [], {}).query).toBe('{}');
  });

  it('is valid in the application', () => {
    const { query } = uploadedRecordsQuery('timeseries', [], { 'metadata.asset_id': 5003 });
    expect(parseRelaxedObject(query, 'query')).toEqual({ 'metadata.asset_id': 5003 });
  });
});
