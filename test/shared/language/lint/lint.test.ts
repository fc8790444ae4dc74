import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenText } from '../broken-texts.ts';
import type { DatasetField } from '../../../../src/shared/datasets/fields.ts';
import { knowingNothing, type TextKind } from '../../../../src/shared/language/knowledge.ts';
import { applyFix, type Finding, type QuickFix } from '../../../../src/shared/language/lint/notes.ts';
import { lintText } from '../../../../src/shared/language/lint/lint.ts';
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
] as const)('what is told as an %s', (severity, cases) => {
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
    expect(finding.fix ? applyFix(text, finding.fix) : null).toBe(fixed);
  });

  it.each(cases.filter(([, , , , , fixed]) => fixed !== null))(
    'a fix of %s in a %s of %s removes it, and leaves a text that can be read: %s',
    (code, kind, type, text) => {
      const [finding] = lintText(text, kind, knowing(type));
      const after = lintText(finding?.fix ? applyFix(text, finding.fix) : text, kind, knowing(type));
      expect(withCode(after, code)).toEqual([]);
      expect(withCode(after, 'syntax')).toEqual([]);
    },
  );
});

it.each(cleanCases)('nothing is said of a %s of %s: %s', (kind, type, text) => {
  expect(lintText(text, kind, knowing(type))).toEqual([]);
});

it('names a rule for each of the findings, and each rule has a case', () => {
  const codes = new Set([...errorCases, ...warningCases].map(([code]) => code));
  expect(codes.size).toBeGreaterThanOrEqual(20);
});

it('says nothing of what is not known: indexes, wells, the type', () => {
  expect(lintText('{ "data.rop": 1 }', 'sort', knowingNothing)).toEqual([]);
  expect(lintText('{ asset_id: 901 }', 'query', knowingNothing)).toEqual([]);
});

describe('a field', () => {
  const field = (path: string): DatasetField => ({ path, from: 'sample', types: ['number'] });
  const fields = ['data.rop', 'data.bit_depth', 'data.extra', 'list'].map(field);
  const found = (text: string, kind: TextKind = 'query') =>
    lintText(text, kind, knowing('time', { fields })).filter(({ code }) => code === 'field_unknown');

  it.each([
    ['{ asset_id: 5003, "data.rpo": 1 }', 'query', '{ asset_id: 5003, "data.rop": 1 }'],
    ['{ asset_id: 5003, rop: 1 }', 'query', '{ asset_id: 5003, "data.rop": 1 }'],
    ['{ asset_id: 5003, $or: [{ tmestamp: 1 }] }', 'query', '{ asset_id: 5003, $or: [{ timestamp: 1 }] }'],
    ["{ 'data.bitdepth': -1 }", 'sort', "{ 'data.bit_depth': -1 }"],
    ['{ asset_id: 5003, pressure: 1 }', 'query', null],
  ] as const)('that none is known as is a warning, and what was meant a fix: %s', (text, kind, fixed) => {
    const [finding, ...others] = found(text, kind);
    expect([finding?.severity, others.length]).toEqual(['warning', 0]);
    expect(finding?.fix ? applyFix(text, finding.fix) : null).toBe(fixed);
  });

  it.each([
    '{ asset_id: 5003, "data.rop": 1, data: { rop: 1 } }',
    '{ asset_id: 5003, "data.extra.any": 1, "list.0": 2, "list.0.name": 3, _id: 4, timestamp: 5 }',
  ])('that is known, or lies in one whose members are not, is none: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('is not judged where none was learnt', () => {
    expect(lintText('{ asset_id: 5003, rop: 1 }', 'query', knowing('time'))).toEqual([]);
  });
});

describe('a sort, beside its query', () => {
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
    ['time', '{ company_id: 1 }', '{ timestamp: -1 }', 'values for asset_id.'],
    ['depth', '{ asset_id: 5003 }', '{ measured_depth: -1 }', 'values for log_identifier.'],
    ['time', '{ asset_id: 5003 }', '{ "data.rop": -1 }', 'Sort by timestamp, or'],
    ['time', '{ asset_id: 5003 }', '{ timestamp: -1, "data.rop": 1 }', 'Sort by timestamp alone, or'],
  ] as const)('says what helps: %s, %s sorted by %s', (type, query, sort, advice) => {
    const [found] = lintText(sort, 'sort', knowing(type, { query }));
    expect(found?.message).toContain(advice);
  });
});

it('finds in the corpus what the parser refuses, and nothing else stops a run of it as a query', () => {
  for (const [typed, , says] of badQueries) {
    // With something in the place of its parameters it may well be right.
    // With nothing in it a query is not broken.
    if (typed.includes('{{') || says === 'A value is missing') continue;
    const found = lintText(typed, 'body:$project', knowingNothing);
    expect(
      found.map(({ code }) => code),
      typed,
    ).toContain('syntax');
  }
  for (const [typed] of goodQueries.filter(([text]) => !text.includes('{{')))
    expect(withCode(lintText(typed, 'query', knowingNothing), 'syntax'), typed).toEqual([]);
});

/** Texts made of the pieces that rules look for, many of them wrong. */
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

it('any fix removes its finding and keeps the text readable, whatever the text', () => {
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
          const after = lintText(applyFix(text, finding.fix), kind, knowing(type));
          expect(withCode(after, 'syntax')).toEqual([]);
          // What could not be looked at before may now be found wrong by the same rule, elsewhere.
          const fewer = withCode(after, finding.code).length < withCode(before, finding.code).length;
          const at = placeAfter(finding.start, finding.fix);
          expect(fewer || !withCode(after, finding.code).some(({ start }) => start === at)).toBe(true);
        }
      },
    ),
    { numRuns: 600 },
  );
});

it('never throws, however broken the text', () => {
  fc.assert(
    fc.property(brokenText, (text) => {
      lintText(text, 'stages', knowing('time'));
    }),
  );
});
