import { Aggregator } from 'mingo';
import { describe, expect, it } from 'vitest';
import { parseRelaxedArray } from '../../../../src/shared/language/relaxed.ts';
import type { JsonObject } from '../../../../src/shared/json.ts';
import {
  summaryPipeline,
  combineGroups,
} from '../../../../src/renderer/features/results/summary-pipeline.ts';

const find = {
  connection: 'sample',
  provider: 'demo',
  dataset: 'wits',
  query: '{ well: { $lt: 9 } } // mine',
  sort: '{}',
  limit: 10,
  skip: 0,
  fields: [],
  includeCount: false,
};

function summaryOf(records: JsonObject[]) {
  const { stages } = summaryPipeline(find, ['data', 'rop']);
  const pipeline = parseRelaxedArray(stages, 'stages') as Record<string, unknown>[];
  return combineGroups(new Aggregator(pipeline).run(records));
}

describe('the summary of all matching records', () => {
  it('is computed by the service, in one pass, over the matching records', () => {
    const rops = [1, 2.5, 100, -999.25, -9999, null, 'x'];
    const records: JsonObject[] = rops.map((rop) => ({ well: 1, data: { rop } }));
    expect(
      summaryOf([...records, { well: 1 }, { well: 1, data: {} }, { well: 10, data: { rop: 1e6 } }]),
    ).toEqual({
      records: 9,
      nulls: 1,
      absent: 2,
      sentinels: 2,
      numbers: 3,
      min: 1,
      max: 100,
      mean: 34.5,
    });
  });

  it('is empty when none match, and has no figures without numbers', () => {
    expect(summaryOf([])).toMatchObject({ records: 0, numbers: 0, min: null, mean: null });
    expect(summaryOf([{ well: 1, data: { rop: 'x' } }])).toMatchObject({ records: 1, numbers: 0, max: null });
  });
});
