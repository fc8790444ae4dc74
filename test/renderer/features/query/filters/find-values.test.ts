import { describe, expect, it } from 'vitest';
import { findValues, valuesStages } from '../../../../../src/renderer/features/query/filters/find-values.ts';
import { parseRelaxedArray } from '../../../../../src/shared/language/relaxed.ts';

const target = { connection: 'c', provider: 'p', dataset: 'd' };
const bytes = (records: unknown) => new TextEncoder().encode(JSON.stringify(records));

describe('the values of a field', () => {
  it('are those of records that match the conditions on other fields', () => {
    const stages = valuesStages(
      '{ asset_id: 1, "data.state": "a", "data.rop": { $gt: 2 } // fast\n}',
      'data.state',
    );
    expect(parseRelaxedArray(stages, 'stages')[0]).toEqual({
      $match: { asset_id: 1, 'data.rop': { $gt: 2 } },
    });
    // Several conditions on the field can't be taken out: its values are of the records that match them.
    const several = '{ "data.state": "a", "data.state": "b" }';
    expect(valuesStages(several, 'data.state')).toContain(several);
    // Those of a pipeline that begins with another stage are blank.
    for (const blank of ['', ' '])
      expect(parseRelaxedArray(valuesStages(blank, 'data.state'), 'stages')[0]).toEqual({ $match: {} });
  });

  it('are the fifty most frequent, and say that there are more', async () => {
    const groups = Array.from({ length: 51 }, (_, at) => ({ _id: `s${at}`, records: 100 - at }));
    const ask = (answer: unknown[]) =>
      findValues(
        { pipeline: async () => ({ records: bytes(answer), count: answer.length, total: null, ms: 1 }) },
        target,
        '[]',
        new AbortController().signal,
      );
    const many = await ask(groups);
    expect(many.values).toHaveLength(50);
    expect(many.values[0]).toEqual({ value: 's0', records: 100 });
    expect(many.hasMore).toBe(true);
    expect(await ask(groups.slice(0, 2))).toMatchObject({ hasMore: false, values: { length: 2 } });
    // Groups of other kinds of values aren't texts.
    expect((await ask([{ _id: null, records: 3 }, 5])).values).toEqual([]);
  });
});
