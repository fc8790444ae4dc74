import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindTexts } from '../../../../src/shared/language/parameters.ts';
import { parseRelaxedObject } from '../../../../src/shared/language/relaxed.ts';
import { nullTokens } from '../../../../src/shared/upload/null-tokens.ts';
import {
  filterOperators,
  readFilters,
  removeFilter,
  writeFilter,
  type Filter,
  type FilterOperator,
} from '../../../../src/shared/language/text/filters.ts';
import { assetId } from '../../../../src/shared/wells/wells.ts';

const read = (text: string) => parseRelaxedObject(text, 'query');
const value = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.double({ min: -1e15, max: 1e15, noNaN: true }).filter((number) => !Object.is(number, -0)),
  fc.boolean(),
);
const paths = ['data.state', 'stage_number', 'data.rop (ft)'] as const;
const filter = fc.constantFrom(...filterOperators).chain((operator): fc.Arbitrary<Filter> => {
  const path = fc.constantFrom(...paths);
  const values = {
    hasValue: fc.constant([]),
    hasNone: fc.constant([]),
    between: fc.tuple(value, value),
    oneOf: fc.array(value, { minLength: 1, maxLength: 4 }),
    contains: fc.tuple(fc.string({ maxLength: 12 })),
  };
  const ofOne = fc.tuple(value);
  const own = Object.entries(values).find(([name]) => name === operator)?.[1] ?? ofOne;
  return fc.record({ path, operator: fc.constant(operator), values: own });
});
/** Conditions that other controls show, comments, and conditions that no form shows. */
const query = fc.constantFrom(
  '',
  '{}',
  '{ asset_id: {{wells}} }',
  '{\n  // of two wells\n  asset_id: { $in: [5001, 5002] }, // both\n  timestamp: { $gte: 5 },\n}',
  '{ $or: [{ a: 1 }, { b: 2 }], "data.rop": { $gt: 10, $ne: 12 } }',
);
const picked = ['asset_id', 'timestamp'];

describe('the filters of a query', () => {
  it('are read as they were written, beside each other, and nothing else has changed', () => {
    fc.assert(
      fc.property(query, filter, filter, fc.boolean(), (text, one, other, isOfNumbers) => {
        const written = writeFilter(text, one, isOfNumbers) ?? '';
        const both = writeFilter(written, other) ?? '';
        const wanted = one.path === other.path ? [other] : [one, other];
        expect(readFilters(both, picked)?.filters).toEqual(wanted);
        expect(readFilters(both, picked)?.others).toBe(readFilters(text, picked)?.others);
        const cleared = wanted.reduce((left, { path }) => removeFilter(left, path) ?? '', both);
        const bind = (query: string) => read(query.replace('{{wells}}', '[1, 2]') || '{}');
        expect(bind(cleared)).toEqual(bind(text));
      }),
    );
  });

  it('take numbers such as -999.25 for null, by operators of the specification', () => {
    const path = 'gamma';
    const condition = (operator: FilterOperator, ...values: Filter['values']) => {
      const filter = { path, operator, values };
      const text = writeFilter('{}', filter, true) ?? '';
      expect(readFilters(text, [])?.filters).toEqual([filter]);
      // While the fields of the dataset load.
      expect(writeFilter(text, filter)).toBe(text);
      return text.replace('{ gamma: ', '').slice(0, -2);
    };
    expect(condition('below', 60)).toBe('{ $gt: -999, $lt: 60 }');
    expect(condition('atMost', '{{ask:max:number}}')).toBe('{ $gt: -999, $lte: {{ask:max:number}} }');
    expect(condition('below', -2000)).toBe('{ $lt: -2000 }');
    expect(writeFilter('{}', { path, operator: 'below', values: [60] }, false)).toBe(
      '{ gamma: { $lt: 60 } }',
    );
    // One without the bound doesn't gain it while the fields load.
    for (const before of ['{ gamma: { $lt: 60 } }', '{ gamma: { $lte: 60 } }'])
      expect(writeFilter(before, { path, operator: 'below', values: [70] })).toBe('{ gamma: { $lt: 70 } }');
    for (const before of ['{ gamma: { $lt: -9999 } }', '{ gamma: { $gt: "-999" } }'])
      expect(writeFilter(before, { path, operator: 'hasValue', values: [] })).toContain('$ne');
    expect(condition('above', 10)).toBe('{ $gt: 10 }');
    expect(condition('hasValue')).toBe('{ $gt: -999 }');
    expect(read(condition('hasNone'))).toEqual({ $in: [null, ...nullTokens] });
    expect(writeFilter('{}', { path, operator: 'below', values: [60] })).toContain('$gt: -999');
    // Of texts, and of values that mean something, nothing is left out.
    expect(writeFilter('{}', { path: 'note', operator: 'hasNone', values: [] })).toBe('{ note: null }');
    expect(readFilters('{ gamma: { $lt: 60, $gt: 5 }, rop: { $in: [null, 5] } }', [])?.others).toBe(2);
  });

  it('are not those of pickers, and what no form shows is counted', () => {
    const text = `{ asset_id: {{wells}}, timestamp: { $gt: {{now-24h}} }, $or: [{ "data.rop": 1 }],
      "data.state": { $in: ["In Slips", "Run in Hole"] }, "data.wob": { $gt: 1, $ne: 2 }, note: /^x/ }`;
    expect(readFilters(text, picked)).toEqual({
      filters: [{ path: 'data.state', operator: 'oneOf', values: ['In Slips', 'Run in Hole'] }],
      others: 3,
    });
    expect(readFilters('{ "data.state": ', picked)).toBeNull();
  });

  it('find the text that they contain, whatever its characters mean in an expression', () => {
    for (const text of ['9 5/8" (casing)', 'a.b*c', String.raw`C:\logs`, 'in|out']) {
      const written = read(writeFilter('{}', { path: 'note', operator: 'contains', values: [text] }) ?? '');
      const { $regex } = (written as { note: { $regex: string } }).note;
      expect(`before ${text} after`).toMatch(new RegExp($regex));
      expect(text.replace(/./, '_')).not.toMatch(new RegExp(`^${$regex}$`));
    }
  });

  it('have parameters as values, which a run replaces', () => {
    const from: Filter = { path: 'data.rop', operator: 'between', values: ['{{ask:min:number}}', 90] };
    const rigs: Filter = { path: 'rig', operator: 'oneOf', values: ['{{ask:rig}}', 'Rig 7'] };
    const text = writeFilter(writeFilter('{ asset_id: {{wells}} }', from) ?? '', rigs) ?? '';
    expect(readFilters(text, picked)).toEqual({ filters: [from, rigs], others: 0 });
    const answers = new Map([
      ['min', '20'],
      ['rig', 'Rig 5'],
    ]);
    const values = { now: 0, zone: 'UTC', wells: [assetId.parse(1)], company: null, answers };
    expect(read(bindTexts({ query: text }, values).query)).toEqual({
      asset_id: 1,
      'data.rop': { $gte: 20, $lte: 90 },
      rig: { $in: ['Rig 5', 'Rig 7'] },
    });
  });

  it('do not turn a text into a parameter, and leave one in quotes to the run, which refuses it', () => {
    const escaped = String.raw`{ note: "\u007b{now}}", rig: "{{ask:rig}}", "data.rop": { $regex: {{ask:text}}, $options: "i" } }`;
    expect(readFilters(escaped, picked)).toEqual({ filters: [], others: 3 });
    const texts: Filter = { path: 'note', operator: 'oneOf', values: ['{{name}}', '{{now'] };
    expect(readFilters(writeFilter('{}', texts) ?? '', [])).toEqual({ filters: [texts], others: 0 });
  });

  it('leave a field alone that has several conditions', () => {
    const text = '{ "data.rop": 1, $or: [{ "data.rop": 2 }, { "data.wob": 3 }] }';
    expect(writeFilter(text, { path: 'data.rop', operator: 'is', values: [5] })).toBeNull();
    expect(removeFilter(text, 'data.rop')).toBeNull();
  });
});
