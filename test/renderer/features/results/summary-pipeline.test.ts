import { Aggregator } from 'mingo';
import { describe, expect, it } from 'vitest';
import { parseRelaxedArray } from '../../../../src/shared/language/relaxed.ts';
import { writeSummary } from '../../../../src/shared/language/text/summary.ts';
import { unitsWithComputed } from '../../../../src/renderer/features/results/calculated-columns.ts';
import type { JsonObject } from '../../../../src/shared/json.ts';
import {
  summaryPipeline,
  columnsOfPipeline,
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

  it('is of the service that the records are from', () =>
    expect(summaryPipeline({ ...find, dataUrl: 'https://a.example' }, ['data'])).toMatchObject({
      dataUrl: 'https://a.example',
    }));

  it('is empty when none match, and has no figures without numbers', () => {
    expect(summaryOf([])).toMatchObject({ records: 0, numbers: 0, min: null, mean: null });
    expect(summaryOf([{ well: 1, data: { rop: 'x' } }])).toMatchObject({ records: 1, numbers: 0, max: null });
  });
});

it('the sums of a summary have the units of their fields, except those with an offset', () => {
  const measures = ['data.volume', 'data.temperature'].map((path) => ({ kind: 'sum', path }) as const);
  const stages = writeSummary({ match: '{}', measures, groups: [], order: null });
  const { computed, computesPath } = columnsOfPipeline({ ...find, stages });
  const units = new Map([
    ['data.volume', 'bbl'],
    ['data.temperature', 'degF'],
  ]);
  const all = unitsWithComputed(units, { computed, computesPath });
  expect([all.get('volume_sum'), all.get('temperature_sum')]).toEqual(['bbl', undefined]);
});
