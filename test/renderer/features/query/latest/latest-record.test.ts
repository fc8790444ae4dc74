import { describe, expect, it } from 'vitest';
import { findLatest, rangeBefore } from '../../../../../src/renderer/features/query/latest/latest-record.ts';
import { recordsRequest } from '../../../../../src/shared/query/query.ts';
import { recordPage } from '../../../../support/records.ts';

const time = { path: 'timestamp', of: 'time' } as const;
const depth = { path: 'measured_depth', of: 'depth' } as const;
const target = { connection: 'sample', provider: 'demo', dataset: 'wits' };
const signal = new AbortController().signal;

async function latestOf(input: object, field: typeof time | typeof depth, answer: string) {
  const sent: object[] = [];
  const find = async (request: object) => {
    sent.push(request);
    return recordPage(answer);
  };
  const latest = await findLatest(find, recordsRequest.parse(input), field, signal);
  return { latest, sent };
}

describe('the latest record of a query without results', () => {
  it('is read by a request of one record without the range, in any mode', async () => {
    const query = '{ asset_id: 7, timestamp: { $gte: 5 }, "data.rop": 1 }';
    const limits = { sort: '{}', limit: 10 };
    for (const [kind, request] of Object.entries({
      find: { query, ...limits },
      aggregate: { match: query, ...limits },
      pipeline: { stages: `[{ $match: ${query} }, { $limit: 3 }]` },
    })) {
      const input = { kind, request: { ...target, ...request } };
      const { latest, sent } = await latestOf(input, time, '[{"timestamp":4}]');
      expect(latest).toBe(4);
      expect(sent).toMatchObject([
        {
          query: '{ asset_id: 7, "data.rop": 1 }',
          sort: '{ timestamp: -1 }',
          limit: 1,
          fields: ['timestamp'],
        },
      ]);
    }
  });

  it.each([
    ['there is no range', { query: '{ asset_id: 7 }' }],
    ['the query skips records', { query: '{ timestamp: { $gte: 5 } }', skip: 10 }],
    ['the condition is not a range', { query: '{ $or: [{ timestamp: { $gte: 5 } }] }' }],
  ])('is not requested if %s', async (_, request) => {
    const input = { kind: 'find', request: { ...target, limit: 10, ...request } };
    const { latest, sent } = await latestOf(input, time, '[{"timestamp":4}]');
    expect([latest, sent]).toEqual([null, []]);
  });

  it('is the deepest one of a depth dataset, and null if none matches', async () => {
    const input = { kind: 'find', request: { ...target, query: '{ measured_depth: { $gt: 9 } }', limit: 1 } };
    expect((await latestOf(input, depth, '[{"measured_depth":8.5}]')).latest).toBe(8.5);
    expect((await latestOf(input, depth, '[]')).latest).toBeNull();
  });

  it('is null if its time is beyond all dates, which no view could show', async () => {
    const input = { kind: 'find', request: { ...target, query: '{ timestamp: { $gte: 5 } }', limit: 1 } };
    expect((await latestOf(input, time, '[{"timestamp":1e20}]')).latest).toBeNull();
    expect((await latestOf(input, depth, '[{"measured_depth":1e20}]')).latest).toBeNull();
  });

  it('is included in the range that ends with it', () => {
    expect(rangeBefore(86_400_500, time)).toEqual({
      from: { kind: 'time', ms: 1000 },
      to: { kind: 'time', ms: 86_401_000 },
    });
    expect(rangeBefore(1500.5, depth)).toEqual({
      from: { kind: 'depth', depth: 501 },
      to: { kind: 'depth', depth: 1501 },
    });
  });
});
