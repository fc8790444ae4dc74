import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError, isAppError } from '../../../src/shared/errors/errors.ts';
import { stringifyJson } from '../../../src/shared/json.ts';
import {
  requiredAnswers,
  bindTexts,
  findParameters,
  type ParameterValues,
} from '../../../src/shared/language/parameters.ts';
import { parseRelaxed } from '../../../src/shared/language/relaxed.ts';
import { assetId } from '../../../src/shared/wells/wells.ts';

// 10 March 2024, 15:30 UTC, is 10:30 in Chicago, where daylight saving started that night.
const now = Date.UTC(2024, 2, 10, 15, 30);
const wells = (...ids: number[]) => ids.map((id) => assetId.parse(id));
const values: ParameterValues = {
  wells: wells(5003, 5004),
  company: 3,
  now,
  zone: 'America/Chicago',
  answers: new Map([
    ['depth', '11850.5'],
    ['stage', '12'],
    ['from', 'now-1h'],
    ['api number', '0042'],
    ['big', '9007199254740993'],
    ['blank', '  '],
  ]),
};

const bind = (text: string, given: Partial<ParameterValues> = {}) =>
  bindTexts({ query: text }, { ...values, ...given }).query;

function refusalOf(text: string, given: Partial<ParameterValues> = {}): string {
  try {
    return `no refusal, but ${bind(text, given)}`;
  } catch (error) {
    if (!isAppError(error, 'invalid_input')) throw error;
    return error.details.issues
      .map(({ place, message }) => `${place?.line}:${place?.column} ${message}`)
      .join('\n');
  }
}

describe('the parameter of wells', () => {
  it.each([
    ['{asset_id: {{wells}}}', '{asset_id: {"$in":[5003,5004]}}'],
    ['{"metadata.asset_id": {{wells}}}', '{"metadata.asset_id": {"$in":[5003,5004]}}'],
    ['{asset_id: {$in: {{wells}}}}', '{asset_id: {$in: [5003,5004]}}'],
    ['{asset_id: {$nin: {{wells}}}}', '{asset_id: {$nin: [5003,5004]}}'],
    ['{asset_id: {$in: [{{wells}}]}}', '{asset_id: {$in: [5003,5004]}}'],
    ['{asset_id: {$in: [1, {{wells}}, 2]}}', '{asset_id: {$in: [1, 5003,5004, 2]}}'],
    ['{asset_id: {$not: {{wells}}}}', '{asset_id: {$not: {"$in":[5003,5004]}}}'],
    ['{$expr: {$in: ["$asset_id", {{wells}}]}}', '{$expr: {$in: ["$asset_id", [5003,5004]]}}'],
    ['{$expr: {$in: [{$toInt: "$id"}, {{wells}}]}}', '{$expr: {$in: [{$toInt: "$id"}, [5003,5004]]}}'],
    ['{{wells}}', '[5003,5004]'],
  ])('with several: %s becomes %s', (text, bound) => expect(bind(text)).toBe(bound));

  it.each([
    ['{asset_id: {{wells}}}', '{asset_id: 5003}'],
    ['{asset_id: {$in: {{wells}}}}', '{asset_id: {$in: [5003]}}'],
    ['{asset_id: {$in: [{{wells}}]}}', '{asset_id: {$in: [5003]}}'],
    ['{asset_id: {$ne: {{wells}}}}', '{asset_id: {$ne: 5003}}'],
    ['{asset_id: {$not: {{wells}}}}', '{asset_id: {$not: {"$in":[5003]}}}'],
  ])('with one: %s becomes %s', (text, bound) => expect(bind(text, { wells: wells(5003) })).toBe(bound));

  it('has each well once', () => {
    expect(bind('{asset_id: {{wells}}}', { wells: wells(5003, 5003) })).toBe('{asset_id: 5003}');
  });

  it('is rejected when none is selected, rather than matching nothing', () => {
    expect(refusalOf('{asset_id: {{wells}}}', { wells: [] })).toBe(
      '1:12 No well is selected. Select one, or replace {{wells}} with its asset ID.',
    );
  });

  it('is rejected when an operator takes one value and several are selected', () => {
    expect(refusalOf('{asset_id: {$ne: {{wells}}}}')).toContain(
      '1:18 $ne takes one well, but 2 are selected.',
    );
  });
});

describe('relative times', () => {
  it.each([
    ['{timestamp: {$gte: {{now-24h}}}}', `{timestamp: {$gte: ${now - 86_400_000}}}`],
    ['{timestamp: {{ now - 30m }}}', `{timestamp: ${now - 1_800_000}}`],
    ['{timestamp: {{today}}}', `{timestamp: ${Date.UTC(2024, 2, 10, 6)}}`],
    ['{timestamp: {{today@UTC}}}', `{timestamp: ${Date.UTC(2024, 2, 10)}}`],
    ['{datetime: {$gte: {{now-24h}}}}', '{datetime: {$gte: "2024-03-09T15:30:00.000Z"}}'],
    ['{$expr: {$gte: ["$datetime", {{now}}]}}', '{$expr: {$gte: ["$datetime", "2024-03-10T15:30:00.000Z"]}}'],
    [
      '{a: new Date({{now}}), datetime: ISODate({{now}})}',
      `{a: new Date(${now}), datetime: ISODate(${now})}`,
    ],
  ])('%s becomes %s', (text, bound) => expect(bind(text)).toBe(bound));
});

describe('requested parameters', () => {
  it.each([
    ['{measured_depth: {$gte: {{ask:depth:number}}}}', '{measured_depth: {$gte: 11850.5}}'],
    ['{stage_number: {{ask:stage:integer}}}', '{stage_number: 12}'],
    ['{stage_number: {{ask:stage}}}', '{stage_number: 12}'],
    ['{a: {{ask:stage:text}}}', '{a: "12"}'],
    ['{a: {{ask:api number}}}', '{a: "0042"}'],
    ['{a: {{ask:big}}}', '{a: 9007199254740993}'],
    [
      '{timestamp: {{ask:from:date}}, datetime: {{ask:from:date}}}',
      `{timestamp: ${now - 3_600_000}, datetime: "2024-03-10T14:30:00.000Z"}`,
    ],
    ['{a: NumberLong({{ask:stage}}), b: {{company}}}', '{a: NumberLong(12), b: 3}'],
  ])('%s becomes %s', (text, bound) => expect(bind(text)).toBe(bound));

  it('take their type from another occurrence of the name', () => {
    expect(bind('{a: {{ask:stage}}, b: {{ask:stage:text}}}')).toBe('{a: "12", b: "12"}');
  });

  it('take their type from another text of the request, too', () => {
    const texts = { match: '{a: {{ask:stage:text}}}', sort: '{}', project: '{b: {{ask:stage}}}' };
    expect(bindTexts(texts, values)).toEqual({ match: '{a: "12"}', sort: '{}', project: '{b: "12"}' });
  });

  it('are listed once for each name, for the form', () => {
    const found = findParameters(
      '{a: {{ask:depth}}, b: {{ask:depth:number}}, c: {{ask:top:date}}, d: {{now}}}',
      'query',
    );
    expect(requiredAnswers(found)).toEqual([
      { name: 'depth', type: 'number' },
      { name: 'top', type: 'date' },
    ]);
  });
});

describe('invalid parameters', () => {
  it.each([
    ['{a: {{well}}}', '1:5 {{well}} isn’t a parameter'],
    ['{a: {{yesterday}}}', '1:5 {{yesterday}} isn’t a parameter'],
    ['{a: {{}}}', '1:5 {{}} isn’t a parameter'],
    ['{a: {{now-24}}}', '1:5 -24 has no unit. Add one of s, m, h, d, w, mo, y after it.'],
    ['{a: {{now-3M}}}', '1:5 M isn’t a unit of time'],
    ['{a: {{today@Texas}}}', '1:5 Texas isn’t a time zone'],
    ['{a: {{now-99999999999y}}}', '1:5 This time is out of range'],
    ['{a: {{ask}}}', '1:5 Write the parameter as {{ask:name}} or {{ask:name:number}}.'],
    ['{a: {{ask-depth:number}}}', '1:5 Write the parameter as {{ask:name}} or {{ask:name:number}}'],
    ['{a: {{ask:depth:nubmer}}}', '1:5 nubmer isn’t a parameter type'],
    ['{a: {{ask:top}}}', '1:5 top has no value. Enter one.'],
    ['{a: {{ask:blank}}}', '1:5 blank has no value'],
    ['{a: {{ask:api number:number}}}', '1:5 api number: “0042” is not a number.'],
    ['{a: -{{company}}}', '1:5 Expressions aren’t evaluated here'],
    ['{{{wells}}: 1}', '1:2 {{wells}} can’t be a field name.'],
    ['{a: {{now}} {{now}}}', '1:13 A comma is missing before {{now}}.'],
  ])('%s: %s', (text, says) => expect(refusalOf(text)).toContain(says));

  it('are rejected without a company', () => {
    expect(refusalOf('{company_id: {{company}}}', { company: null })).toContain(
      '1:14 The company is unknown',
    );
  });

  it('are all reported, with every other error, at their position in the typed text', () => {
    const refusal = refusalOf('{\n  asset_id: {{wells}}, a: {{now-24}},\n  state: active,\n}');
    expect(refusal.split('\n').map((line) => line.split(' ')[0])).toEqual(['2:27', '3:10']);
  });
});

describe('text that only looks like a parameter', () => {
  it.each([
    '// {{wells}}\n{a: 1}',
    '/* {{now-24h}} */ {a: 1}',
    '{a: "{{mustache}}"}',
    '{a: /x{{2}}/}',
    '{a: "\\u007b{wells}}"}',
    '{a: {b: {}}}',
    '',
    '{broken',
    '{a: {{now}',
  ])('stays unchanged: %j', (text) => expect(bind(text)).toBe(text));

  it.each(['{a: "{{wells}}"}', "{a: 'since {{ now-24h }}'}", '{a: `{{ask:x}}`}', '{a: /{{company}}/}'])(
    'is rejected within quotes, where it would be sent literally: %s',
    (text) => expect(refusalOf(text)).toContain('is inside quotes, so it isn’t replaced'),
  );

  it('is found with its position, and not in comments or quotes', () => {
    const found = findParameters('// {{now}}\n{a: {{wells}},\r\n "b{{now}}": {{nwo}}}', 'query');
    expect(found.map(({ written, place }) => [written, place.line, place.column])).toEqual([
      ['wells', 2, 5],
      ['nwo', 3, 14],
    ]);
    expect(found.map(({ parameter, problem }) => [parameter, problem])).toEqual([
      [{ kind: 'wells' }, null],
      [null, '{{nwo}} isn’t a parameter. Did you mean {{now}}?'],
    ]);
  });
});

describe('laws of binding', () => {
  const pieces = fc.constantFrom(
    ...'{ } [ ] , , : : ( ) a asset_id $in $ne $not datetime "x" 12 -5 // /* */ \' ` ISODate( NumberLong('.split(
      ' ',
    ),
    ...'{{wells}} {{wells}} {{now-1d}} {{company}} {{ask:depth}} {{ask:stage:text}} {{nwo}} {{'.split(' '),
    ' ',
    '\n',
  );
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join('')),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', 'datetime'), pieces), { maxLength: 4 })
      .map(
        (fields) =>
          `{${fields.map(([name, piece], at) => `${name}${at}: {$in: [${piece}], $ne: ${piece}, x: ${piece}}`).join(', ')}}`,
      ),
  );

  it('the result is valid, has as many lines, and no parameter left', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(wells(1), wells(1, 2)), (text, chosen) => {
        let bound;
        try {
          bound = bind(text, { wells: chosen });
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          return;
        }
        expect(bound.split('\n')).toHaveLength(text.split('\n').length);
        if (bound === text) return;
        expect(findParameters(bound, 'query')).toEqual([]);
        expect(stringifyJson(parseRelaxed(bound, 'query'))).not.toContain('{{');
      }),
      { numRuns: 3000 },
    );
  });

  it('a hundred thousand parameters are bound', () => {
    const text = `[${'{{company}},\n'.repeat(100_000)}]`;
    expect(parseRelaxed(bind(text), 'query')).toHaveLength(100_000);
  });
});
