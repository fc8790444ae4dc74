import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenText } from '../broken-texts.ts';
import type { DatasetField } from '../../../../src/shared/datasets/fields.ts';
import { noKnowledge, type TextKind } from '../../../../src/shared/language/knowledge.ts';
import type { Finding, QuickFix } from '../../../../src/shared/language/lint/notes.ts';
import { applyEdits } from '../../../../src/shared/language/text/edits.ts';
import { lintText } from '../../../../src/shared/language/lint/lint.ts';
import { lintRequest } from '../../../../src/shared/language/lint/request.ts';
import { badQueries } from '../bad-queries.ts';
import { goodQueries } from '../good-queries.ts';
import { cleanCases, errorCases, warningCases } from './cases.ts';
import { knowing } from '../knowing.ts';

const withCode = (findings: readonly Finding[], code: string) =>
  findings.filter((each) => each.code === code);

const placeAfter = (at: number, { edits }: QuickFix): number =>
  edits.reduce(
    (moved, { start, end, text }) => (end <= at ? moved + text.length - (end - start) : moved),
    at,
  );

describe.each([
  ['error', errorCases],
  ['warning', warningCases],
] as const)('a finding of severity %s', (severity, cases) => {
  it.each(cases)('%s in a %s of %s: %s', (code, kind, type, text, marked, fixed) => {
    const found = lintText(text, kind, knowing(type));
    expect(found.map((each) => each.code)).toEqual([code]);
    const [finding] = found;
    if (!finding) throw new Error('nothing was found');
    expect(finding.severity).toBe(severity);
    expect(text.slice(finding.start, finding.end)).toBe(marked);
    expect(text.split('\n')[finding.line - 1]?.slice(finding.column - 1)).toMatch(
      marked === '' ? /^/ : text.slice(finding.start).split('\n')[0] === '' ? /^$/ : /./,
    );
    expect(finding.message).toMatch(/^\S.*[.?:] .*[.?]$/s);
    expect(finding.fix ? applyEdits(text, finding.fix.edits) : null).toBe(fixed);
  });

  it.each(cases.filter(([, , , , , fixed]) => fixed !== null))(
    '%s in a %s of %s is removed by its fix, which leaves a valid text: %s',
    (code, kind, type, text) => {
      const [finding] = lintText(text, kind, knowing(type));
      const after = lintText(finding?.fix ? applyEdits(text, finding.fix.edits) : text, kind, knowing(type));
      expect(withCode(after, code)).toEqual([]);
      expect(withCode(after, 'syntax')).toEqual([]);
    },
  );
});

it.each(cleanCases)('a %s of %s has no findings: %s', (kind, type, text) => {
  expect(lintText(text, kind, knowing(type))).toEqual([]);
});

it('every finding has a rule, and every rule has a case', () => {
  const codes = new Set([...errorCases, ...warningCases].map(([code]) => code));
  expect(codes.size).toBeGreaterThanOrEqual(20);
});

it('the linter ignores unknown facts: indexes, wells, the type', () => {
  expect(lintText('{ "data.rop": 1 }', 'sort', noKnowledge)).toEqual([]);
  expect(lintText('{ asset_id: 901 }', 'query', noKnowledge)).toEqual([]);
  expect(lintText('{ "metadata.asset_id": 901 }', 'query', noKnowledge)).toEqual([]);
});

describe('a field', () => {
  const field = (path: string): DatasetField => ({ path, from: 'sample', types: ['number'] });
  const fields = ['data.rop', 'data.bit_depth', 'data.extra', 'list'].map(field);
  const found = (text: string, kind: TextKind = 'query') =>
    lintText(text, kind, knowing('time', { fields })).filter(({ code }) => code === 'field_unknown');

  const date: DatasetField = {
    ...field('data.day'),
    types: ['date', 'null'],
    example: '"2026-01-30T18:00:00.000Z"',
  };
  const whole = (condition: string) => `{ asset_id: 5003, "data.day": ${condition} }`;
  const ofDates = (condition: string, example = date.example) =>
    lintText(
      whole(condition),
      'query',
      knowing('time', { fields: [{ ...date, ...(example ? { example } : {}) }] }),
    );

  it.each([
    ['{ asset_id: 5003, "data.rpo": 1 }', 'query', '{ asset_id: 5003, "data.rop": 1 }'],
    ['{ asset_id: 5003, rop: 1 }', 'query', '{ asset_id: 5003, "data.rop": 1 }'],
    ['{ asset_id: 5003, $or: [{ tmestamp: 1 }] }', 'query', '{ asset_id: 5003, $or: [{ timestamp: 1 }] }'],
    ["{ 'data.bitdepth': -1 }", 'sort', "{ 'data.bit_depth': -1 }"],
    ['{ asset_id: 5003, pressure: 1 }', 'query', null],
  ] as const)('that doesn’t exist has a warning, and a similar one as the fix: %s', (text, kind, fixed) => {
    const [finding, ...others] = found(text, kind);
    expect([finding?.severity, others.length]).toEqual(['warning', 0]);
    expect(finding?.fix ? applyEdits(text, finding.fix.edits) : null).toBe(fixed);
  });

  it.each([
    '{ asset_id: 5003, "data.rop": 1, data: { rop: 1 } }',
    '{ asset_id: 5003, "data.extra.any": 1, "list.0": 2, "list.0.name": 3, _id: 4, timestamp: 5 }',
  ])('that exists, or is inside one with unknown members, has no warning: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['{ $gte: 1769817600000 }', '{ $gte: "2026-01-31T00:00:00.000Z" }'],
    ['{ $gte: ISODate("2026-01-31") }', '{ $gte: "2026-01-31T00:00:00.000Z" }'],
    ['{ $lt: "2026-01-31 06:00" }', '{ $lt: "2026-01-31T06:00:00.000Z" }'],
    ['{ $in: ["31.01.2026"] }', null],
    ['{ $gte: {{today-7d}} }', null],
    ['{ $gte: {{ask:day:date}} }', null],
    ['{ $gte: {{ask:day:number}} }', null],
    ['{ $in: [{{wells}}] }', null],
  ])('of dates as text has a warning for what isn’t text in their form: %s', (condition, fixed) => {
    const [finding, ...others] = ofDates(condition);
    expect([finding?.severity, others.length]).toEqual(['warning', 0]);
    expect(finding?.fix ? applyEdits(whole(condition), finding.fix.edits) : null).toBe(fixed && whole(fixed));
  });

  it.each([
    '{ $gte: "2026-01-31" }',
    '{ $gte: "2026-01-31T00:00:00Z", $lt: "2026-02-01T00:00:00.123456Z" }',
    '{ $gte: {{ask:day}} }',
    '{ $ne: null }',
    '{ $regex: "^2026" }',
    '{ $gte: "2026-01", $lt: "" }',
  ])('of dates as text has none for such text: %s', (condition) => {
    expect(ofDates(condition)).toEqual([]);
  });

  it.each([
    '2026-01-31T06:00:00+0000',
    '2026-01-31T06:00:00+01',
    '2026-01-31T06:00:00,5Z',
    '2026-01-31t06:00:00z',
    '2026-01-31T06:00:00',
    '2026-01-31 06:00',
    '2026-01-31',
  ])('of dates as text has none for text in the form that is stored: %s', (text) => {
    expect(ofDates(JSON.stringify(text), JSON.stringify(text))).toEqual([]);
    expect(ofDates('{ $gte: 1769817600000 }', JSON.stringify(text))).toHaveLength(1);
  });

  it('of dates as text accepts another offset, as with daylight saving time, if times have one', () => {
    expect(ofDates('"2026-07-31T06:00:00-05:00"', '"2026-01-31T06:00:00-06:00"')).toEqual([]);
    expect(ofDates('"2026-07-31T06:00:00-05:00"')).toHaveLength(1);
    expect(ofDates('"2026-07-31T06:00:00"')).toHaveLength(1);
  });

  it('has no warning when the fields are unknown', () => {
    expect(lintText('{ asset_id: 5003, rop: 1 }', 'query', knowing('time'))).toEqual([]);
  });
});

describe('an accumulator of a field with numbers that probably mean null', () => {
  const tokens = [{ value: -999.25, share: 0.03 }];
  const fields: DatasetField[] = [
    { path: 'data.rop', from: 'sample', types: ['number'], tokens },
    { path: 'data.wob', from: 'sample', types: ['number'] },
  ];
  const found = (stages: string) =>
    lintText(`[{ $match: { asset_id: 5003 } }, ${stages}]`, 'stages', knowing('time', { fields })).filter(
      ({ code }) => code === 'null_numbers',
    );
  const without = '{ $cond: [{ $in: ["$data.rop", [-999.25]] }, null, "$data.rop"] }';

  it('has the same warning in the group of an aggregate, unless its match has a condition for the field', () => {
    const group = '{ _id: "$asset_id", a: { $avg: "$data.rop" } }';
    const inGroup = (text: string, match: string) =>
      lintRequest({ kind: 'aggregate', match, sort: '{}', group: text }, knowing('time', { fields })).filter(
        ({ code }) => code === 'null_numbers',
      );
    const [finding, ...others] = inGroup(group, '{ asset_id: 5003 }');
    expect([finding?.field, others.length]).toEqual(['group', 0]);
    const fixed = finding?.fix ? applyEdits(group, finding.fix.edits) : group;
    expect(fixed).toContain(without);
    expect(inGroup(fixed, '{}')).toEqual([]);
    expect(inGroup(group, '{ "data.rop": { $gt: -999 } }')).toEqual([]);
    expect(inGroup(group, '{ "data.rop": { $ne: 0 } }')).toHaveLength(1);
  });

  it.each([
    ['{ $lt: 500 }', true],
    ['{ $ne: 0 }', true],
    ['{ $exists: true, $lte: {{ask:max:number}} }', true],
    ['{ $gte: -999.25 }', true],
    ['{ $in: [1, -999.25] }', true],
    ['{ $gt: -999.25, $lt: 500 }', false],
    ['{ $gte: {{ask:min:number}} }', false],
    ['{ $in: [1, 2] }', false],
    ['{ $nin: [0, -999.25] }', false],
    ['{ $ne: -999.25 }', false],
    ['{ $not: { $lt: -900 } }', false],
    ['{ $not: { $gt: 100 } }', true],
    ['{ $not: { $lt: {{ask:min:number}} } }', false],
    ['{ $not: /^n/ }', true],
    ['12', false],
  ])('after a $match with %s has a warning: %s', (condition, expected) => {
    const group = '{ $group: { _id: null, a: { $avg: "$data.rop" } } }';
    expect(found(`{ $match: { $and: [{ "data.rop": ${condition} }] } }, ${group}`)).toHaveLength(
      Number(expected),
    );
    expect(found(`{ $facet: { a: [{ $match: { "data.rop": ${condition} } }, ${group}] } }`)).toHaveLength(
      Number(expected),
    );
    // Records with other values come through as well.
    expect(
      found(`{ $match: { $or: [{ "data.rop": ${condition} }, { version: 1 }] } }, ${group}`),
    ).toHaveLength(1);
  });

  it('is as in other branches after a $match in one of them', () => {
    const group = '{ $group: { _id: null, a: { $avg: "$data.rop" } } }';
    const match = '{ $match: { "data.rop": { $gt: 0 } } }';
    expect(found(`{ $facet: { a: [${match}, ${group}], b: [${group}] } }`)).toHaveLength(1);
    expect(found(`{ $facet: { b: [${group}], a: [${match}, ${group}] } }`)).toHaveLength(1);
    expect(found(`{ $unionWith: { coll: "c", pipeline: [${match}] } }, ${group}`)).toHaveLength(1);
    expect(found(`${match}, { $facet: { a: [${group}], b: [${group}] } }`)).toEqual([]);
  });

  it.each([
    ['{ $group: { _id: null, a: { $avg: "$data.rop" } } }', `{ $avg: ${without} }`],
    ['{ $group: { _id: null, a: { $median: { input: "$data.rop", method: "approximate" } } } }', without],
    ['{ $bucket: { groupBy: "$x", boundaries: [0, 1], output: { a: { $min: "$data.rop" } } } }', without],
    [
      '{ $setWindowFields: { sortBy: { timestamp: 1 }, output: { a: { $avg: "$data.rop", window: {} } } } }',
      `{ $avg: ${without}, window: {} }`,
    ],
  ])('has a warning, whose fix leaves them out: %s', (stages, fixed) => {
    const [finding, ...others] = found(stages);
    expect([finding?.severity, others.length]).toEqual(['warning', 0]);
    expect(finding?.message).toContain('3%');
    const text = `[{ $match: { asset_id: 5003 } }, ${stages}]`;
    const after = finding?.fix ? applyEdits(text, finding.fix.edits) : text;
    expect(after).toContain(fixed);
    expect(lintText(after, 'stages', knowing('time', { fields }))).toEqual([]);
  });

  it.each([
    ['of another field', '{ $group: { _id: null, a: { $avg: "$data.wob" } } }'],
    ['that they don’t change', '{ $group: { _id: null, a: { $max: "$data.rop" } } }'],
    [
      'after a condition for the field',
      '{ $match: { "data.rop": { $gt: 0 } } }, { $group: { _id: null, a: { $avg: "$data.rop" } } }',
    ],
    [
      'after the fields have changed',
      '{ $set: { "data.rop": 1 } }, { $group: { _id: null, a: { $avg: "$data.rop" } } }',
    ],
    ['of a text', '{ $group: { _id: null, a: { $avg: "data.rop" } } }'],
  ])('%s has none', (_, stages) => {
    expect(found(stages)).toEqual([]);
  });
});

describe('a sort with its query', () => {
  it.each([
    ['{ asset_id: 5003 }', '{ timestamp: 1 }', true],
    ['{ asset_id: { $in: [1, 2] } }', '{ timestamp: 1 }', true],
    ['{ asset_id: {{wells}} }', '{ timestamp: -1 }', true],
    ['{ $and: [{ asset_id: 5 }] }', '{ timestamp: 1 }', true],
    ['{ company_id: 1 }', '{ timestamp: 1 }', false],
    ['{ asset_id: { $gt: 5 } }', '{ timestamp: 1 }', false],
    ['{ company_id: 1 }', '{ asset_id: 1, timestamp: -1 }', true],
    ['{ asset_id: 5003 }', '{ asset_id: 1, timestamp: 1 }', true],
  ])('%s sorted by %s: %s', (query, sort, served) => {
    const found = lintText(sort, 'sort', knowing('time', { query }));
    expect(found.map(({ code }) => code)).toEqual(served ? [] : ['sort_unindexed']);
  });

  it.each([
    ['time', '{ company_id: 1 }', '{ timestamp: -1 }', 'condition for asset_id.'],
    ['depth', '{ asset_id: 5003 }', '{ measured_depth: -1 }', 'condition for log_identifier.'],
    ['time', '{ asset_id: 5003 }', '{ "data.rop": -1 }', 'Sort by timestamp, or'],
    ['time', '{ asset_id: 5003 }', '{ timestamp: -1, "data.rop": 1 }', 'Sort by timestamp alone, or'],
  ] as const)('has a hint about the index: %s, %s sorted by %s', (type, query, sort, advice) => {
    const [found] = lintText(sort, 'sort', knowing(type, { query }));
    expect(found?.message).toContain(advice);
  });
});

it('the linter finds what the parser rejects in the corpus, and no other error in valid queries', () => {
  for (const [typed, , says] of badQueries) {
    // With a value for its parameters it may be valid. An empty text is not an invalid query.
    if (typed.includes('{{') || says === 'A value is missing') continue;
    const found = lintText(typed, 'body:$project', noKnowledge);
    expect(
      found.map(({ code }) => code),
      typed,
    ).toContain('syntax');
  }
  for (const [typed] of goodQueries.filter(([text]) => !text.includes('{{')))
    expect(withCode(lintText(typed, 'query', noKnowledge), 'syntax'), typed).toEqual([]);
});

/** Texts made of the tokens that rules match, many of them invalid. */
const leaf = fc.constantFrom(
  '1',
  '-1',
  '0',
  '"desc"',
  '901',
  '5003',
  '"2024-01-31"',
  '1700000000',
  '{{wells}}',
  '{{now}}',
  'true',
);
const key = fc.constantFrom(
  'asset_id', 'timestamp', 'datetime', '"data.rop"', '$match', '$sort', '$limit', '$gorup', '$group', '$out', '$or',
  '$in', '$gte', 'gte', '$gtee', '$where', '_id', '$facet', '$expr', '$agv', '$mulitply', '"metadata.asset_id"',
); // oxfmt-ignore
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    fc
      .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 3, selector: ([name]) => name })
      .map((members) => `{ ${members.map(([name, of]) => `${name}: ${of}`).join(', ')} }`),
  ),
}));

it('any fix removes its finding and keeps the text valid, for any text', () => {
  fc.assert(
    fc.property(
      value,
      fc.constantFrom('query', 'sort', 'group', 'project', 'stages', 'stage', 'body:$match'),
      fc.constantFrom('time', 'depth', 'reference', 'timeseries'),
      (text, kind, type) => {
        const before = lintText(text, kind, knowing(type));
        for (const finding of before) {
          expect(text.length).toBeGreaterThanOrEqual(finding.end);
          expect(finding.end).toBeGreaterThanOrEqual(finding.start);
          if (!finding.fix) continue;
          const after = lintText(applyEdits(text, finding.fix.edits), kind, knowing(type));
          expect(withCode(after, 'syntax')).toEqual([]);
          // A part that was not checked before may now have a finding of the same rule, at another position.
          const fewer = withCode(after, finding.code).length < withCode(before, finding.code).length;
          const at = placeAfter(finding.start, finding.fix);
          expect(fewer || !withCode(after, finding.code).some(({ start }) => start === at)).toBe(true);
        }
      },
    ),
    { numRuns: 600 },
  );
});

it('the linter never throws, however malformed the text', () => {
  fc.assert(
    fc.property(brokenText, (text) => {
      lintText(text, 'stages', knowing('time'));
    }),
  );
});
