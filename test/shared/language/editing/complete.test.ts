import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenText } from '../broken-texts.ts';
import type { DatasetType } from '../../../../src/shared/datasets/datasets.ts';
import type { DatasetField } from '../../../../src/shared/datasets/fields.ts';
import { complete, withStops, type Suggestion } from '../../../../src/shared/language/editing/complete.ts';
import type { TextKind } from '../../../../src/shared/language/knowledge.ts';
import { lintText } from '../../../../src/shared/language/lint/lint.ts';
import { knowing } from '../knowing.ts';
import { plainName } from '../../../../src/shared/channels/plain-names.ts';
import { synonymsOf } from '../../../../src/shared/channels/channels.ts';

const fields: readonly DatasetField[] = [
  { path: 'data.rop', from: 'sample', types: ['number', 'null'], unit: 'ft/h', example: '142.7' },
  { path: 'data.state', from: 'sample', types: ['string'], values: ['Rotary Drilling', 'In Slips'] },
  { path: 'data.valid', from: 'sample', types: ['boolean'] },
  { path: 'timestamp', from: 'definition', types: ['integer'], example: '1700000000000' },
];

/** The completions at `|`. */
function at(
  marked: string,
  kind: TextKind,
  type: DatasetType = 'time',
): { text: string; offers: Suggestion[] } {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  return { text, offers: complete(text, kind, offset, knowing(type, { fields })) };
}

/** The text after a completion was accepted, with the caret at `|`. */
function taken(marked: string, kind: TextKind, label: string, type?: DatasetType): string {
  const { text, offers } = at(marked, kind, type);
  const offer = offers.find((each) => each.label === label);
  if (!offer)
    throw new Error(`not offered: ${label}; offered: ${offers.map((each) => each.label).join(' ')}`);
  const { replace, insert, stops: [caret = insert.length] = [] } = offer;
  const put = `${insert.slice(0, caret)}|${insert.slice(caret)}`;
  return text.slice(0, replace.start) + put + text.slice(replace.end);
}

type Row = readonly [marked: string, kind: TextKind, label: string, result: string, type?: DatasetType];
const rows: readonly Row[] = [
    // Fields.
    ['{ | }', 'query', 'data.rop', '{ "data.rop": | }'],
    ['{ da| }', 'query', 'data.rop', '{ "data.rop": | }'],
    ['{ "da|" }', 'query', 'data.rop', '{ "data.rop": | }'],
    ['{ "data.r|op": 5 }', 'query', 'data.state', '{ "data.state"|: 5 }'],
    ['{ asset_id: 5003, | }', 'query', 'timestamp', '{ asset_id: 5003, timestamp: | }'],
    ['{ asset_id: 5003,\n  t|\n  a: 1 }', 'query', 'timestamp', '{ asset_id: 5003,\n  timestamp: |\n  a: 1 }'],
    ['{|', 'query', 'asset_id', '{asset_id: |'],
    ['{ $or: [{ | }] }', 'query', 'data.rop', '{ $or: [{ "data.rop": | }] }'],
    ['{ | }', 'query', 'metadata.asset_id', '{ "metadata.asset_id": | }', 'timeseries'],
    ['{ | }', 'sort', 'timestamp', '{ timestamp: -1| }'],
    ['{ | }', 'project', 'data.rop', '{ "data.rop": 1| }'],
    // Operators by their context.
    ['{ timestamp: { | } }', 'query', '$gte', '{ timestamp: { $gte: | } }'],
    ['{ timestamp: { $g| } }', 'query', '$gt', '{ timestamp: { $gt: | } }'],
    ['{ timestamp: { $g|: 5 } }', 'query', '$gte', '{ timestamp: { $gte|: 5 } }'],
    ['{ $| }', 'query', '$or', '{ $or: [{ | }] }'],
    ['{ stations: { $elemMatch: { $| } } }', 'query', '$gt', '{ stations: { $elemMatch: { $gt: | } } }'],
    // Stages.
    ['|', 'stages', '[{ $match: { } }]', '[{ $match: { | } }]'],
    ['[|]', 'stages', '$match', '[{ $match: { | } }]'],
    ['[{ | }]', 'stages', '$group', '[{ $group: { _id: "$|" } }]'],
    ['[{ $m|: {} }]', 'stages', '$match', '[{ $match|: {} }]'],
    ['{ $so| }', 'stage', '$sort', '{ $sort: { |: -1 } }'],
    ['[{ $match: { | } }]', 'stages', 'data.rop', '[{ $match: { "data.rop": | } }]'],
    ['{ | }', 'body:$match', 'data.rop', '{ "data.rop": | }'],
    ['[{ $facet: { a: [{ | }] } }]', 'stages', '$limit', '[{ $facet: { a: [{ $limit: 100| }] } }]'],
    ['[{ $unwind: { | } }]', 'stages', 'path', '[{ $unwind: { path: | } }]'],
    // Accumulators and expressions.
    ['{ _id: null, top: { | } }', 'group', '$max', '{ _id: null, top: { $max: "$|" } }'],
    ['{ _id: null, top: | }', 'group', '$avg', '{ _id: null, top: { $avg: "$|" } }'],
    ['{ _id: "$|" }', 'group', '$data.rop', '{ _id: "$data.rop"| }'],
    ['{ _id: | }', 'group', '$asset_id', '{ _id: "$asset_id"| }'],
    ['{ _id: null, top: { $max: "$da|" } }', 'group', '$data.rop', '{ _id: null, top: { $max: "$data.rop"| } }'],
    ['{ a: { $mult| } }', 'body:$addFields', '$multiply', '{ a: { $multiply: ["$|", 2] } }'],
    ['[{ $unwind: "$|" }]', 'stages', '$data.rop', '[{ $unwind: "$data.rop"| }]'],
    // Values.
    ['{ "data.state": | }', 'query', '"In Slips"', '{ "data.state": "In Slips"| }'],
    ['{ "data.state": "In|" }', 'query', '"In Slips"', '{ "data.state": "In Slips"| }'],
    ['{ "data.state": { $in: ["Rotary Drilling", |] } }', 'query', '"In Slips"',
      '{ "data.state": { $in: ["Rotary Drilling", "In Slips"|] } }'],
    ['{ "data.valid": | }', 'query', 'true', '{ "data.valid": true| }'],
    ['{ timestamp: | }', 'sort', '-1', '{ timestamp: -1| }'],
    ['{ asset_id: | }', 'query', 'Ridge A-100H', '{ asset_id: 5003| }'],
    ['{ asset_id: Rid| }', 'query', 'Ridge C-102H', '{ asset_id: 5004| }'],
    ['{ asset_id: { $in: [5003, |] } }', 'query', 'Ridge C-102H', '{ asset_id: { $in: [5003, 5004|] } }'],
    ['{ "metadata.asset_id": | }', 'query', 'Ridge A-100H', '{ "metadata.asset_id": 5003| }', 'timeseries'],
    ['{ a: { $exists: | } }', 'query', 'false', '{ a: { $exists: false| } }'],
    // Parameters.
    ['{ asset_id: | }', 'query', '{{wells}}', '{ asset_id: {{wells}}| }'],
    ['{ asset_id: {{|}} }', 'query', '{{wells}}', '{ asset_id: {{wells}}| }'],
    ['{ asset_id: {{we|', 'query', '{{wells}}', '{ asset_id: {{wells}}|'],
    ['{ timestamp: { $gte: {{no|w}} } }', 'query', '{{now-24h}}', '{ timestamp: { $gte: {{now-24h}}| } }'],
    ['{ timestamp: { $gte: | } }', 'query', '{{today@America/Chicago}}', '{ timestamp: { $gte: {{today@America/Chicago}}| } }'],
    ['{ company_id: | }', 'query', '{{company}}', '{ company_id: {{company}}| }'],
    ['{ "data.rop": { $gt: | } }', 'query', '{{ask:name:number}}', '{ "data.rop": { $gt: {{ask:name:number}}| } }'],
  ]; // oxfmt-ignore

describe('an accepted completion', () => {
  const cases = rows.map(([marked, kind, label, result, type]) => ({ marked, kind, label, result, type }));
  it.each(cases)('$marked in a $kind: $label gives $result', ({ marked, kind, label, result, type }) => {
    expect(taken(marked, kind, label, type)).toBe(result);
  });
});

describe('completions', () => {
  const labels = (marked: string, kind: TextKind) => at(marked, kind).offers.map(({ label }) => label);

  it('don’t appear in a comment, after the end, inside an ISODate, or between a name and its colon', () => {
    for (const marked of [
      '{ a: 1 } // {{|',
      '{ /* | */ }',
      '{ a: 1 } |',
      '{ timestamp: ISODate("|") }',
      '{ a |: 1 }',
      '{ a: 1 | }',
    ])
      expect(labels(marked, 'query'), marked).toEqual([]);
  });

  it('don’t include a name that already exists', () => {
    expect(labels('{ asset_id: 5003, | }', 'query')).not.toContain('asset_id');
    expect(labels('{ a: { $gte: 1, | } }', 'query')).not.toContain('$gte');
  });

  it('don’t include operators of another context', () => {
    expect(labels('{ timestamp: { | } }', 'query')).not.toContain('$match');
    expect(labels('{ | }', 'query')).not.toContain('$gte');
    expect(labels('[{ | }]', 'stages')).not.toContain('$avg');
    expect(labels('{ _id: null, a: { | } }', 'group')).not.toContain('$gte');
  });

  it('show further ones at once where the caret is in the middle of the inserted text', () => {
    const next = (marked: string, kind: TextKind, label: string) =>
      at(marked, kind).offers.find((offer) => offer.label === label)?.continues ?? false;
    expect(next('{ _id: null, top: | }', 'group', '$avg')).toBe(true);
    expect(next('[|]', 'stages', '$match')).toBe(true);
    expect(next('{ "data.valid": | }', 'query', 'true')).toBe(false);
  });

  it('don’t include wells without an asset id', () => {
    expect(labels('{ asset_id: | }', 'query')).not.toContain('Ridge D-103H');
  });
});

it('a completion has the type, unit, and example of a field, and the scope comes first', () => {
  const { offers } = at('{ | }', 'query');
  expect(offers.map(({ label }) => label).slice(0, 3)).toEqual(['asset_id', 'timestamp', 'data.rop']);
  expect(offers.find(({ label }) => label === 'data.rop')).toMatchObject({
    detail: 'number, ft/h',
    says: 'For example 142.7.',
  });
});

describe('the fields of a later stage', () => {
  const labels = (before: string) =>
    at(`[${before}, { $match: { | } }]`, 'stages')
      .offers.filter(({ kind }) => kind === 'field')
      .map(({ label }) => label);

  it.each([
    ['{ $group: { _id: "$asset_id", top: { $max: "$data.rop" } } }', ['_id', 'top']],
    ['{ $project: { "data.rop": 1, twice: { $multiply: ["$data.rop", 2] } } }', ['data.rop', '_id', 'twice']],
    ['{ $project: { _id: 0, "data.rop": 1 } }', ['data.rop']],
    ['{ $count: "n" }', ['n']],
    ['{ $sortByCount: "$data.state" }', ['_id', 'count']],
    ['{ $bucket: { groupBy: "$data.rop", boundaries: [0, 1] } }', ['_id', 'count']],
    ['{ $replaceRoot: { newRoot: "$data" } }', []],
    ['{ $facet: { a: [] } }', ['a']],
  ])('after %s are %j', (before, expected) => expect(labels(before)).toEqual(expected));

  it('include added ones, next to the existing ones', () => {
    expect(labels('{ $addFields: { twice: 2 } }')).toEqual(expect.arrayContaining(['twice', 'data.rop']));
    expect(labels('{ $lookup: { from: "x", as: "joined" } }')).toContain('joined');
    expect(labels('{ $setWindowFields: { output: { m: { $avg: "$data.rop" } } } }')).toContain('m');
    expect(labels('{ $project: { "data.rop": 0 } }')).not.toContain('data.rop');
    expect(labels('{ $unset: "data.rop" }')).not.toContain('data.rop');
    expect(labels('{ $unset: ["data.rop", "data.state"] }')).toEqual(
      labels('{ $match: {} }').filter((label) => label !== 'data.rop' && label !== 'data.state'),
    );
    expect(labels('{ $unset: "data" }').filter((label) => label.startsWith('data.'))).toEqual([]);
  });
});

it('completions replace only the piece around the caret, and never throw', () => {
  fc.assert(
    fc.property(
      brokenText,
      fc.constantFrom('query', 'sort', 'stages', 'group'),
      fc.nat(),
      (text, kind, near) => {
        const offset = near % (text.length + 1);
        for (const { replace, stops = [0], insert } of complete(
          text,
          kind,
          offset,
          knowing('time', { fields }),
        )) {
          expect(replace.start).toBeLessThanOrEqual(offset);
          expect(replace.end).toBeGreaterThanOrEqual(offset);
          expect(Math.max(...stops)).toBeLessThanOrEqual(insert.length);
        }
      },
    ),
  );
});

it('a completed value is valid', () => {
  const marks: readonly (readonly [string, TextKind])[] = [
    ['{ "data.state": | }', 'query'], ['{ timestamp: | }', 'query'], ['{ asset_id: | }', 'query'],
    ['{ company_id: | }', 'query'], ['{ timestamp: | }', 'sort'], ['{ "data.rop": | }', 'project'],
    ['[|]', 'stages'], ['{ _id: | }', 'group'],
  ]; // oxfmt-ignore
  for (const [marked, kind] of marks) {
    const { text, offers } = at(marked, kind);
    for (const { insert, stops, replace } of offers) {
      // The text is incomplete while the user types.
      if (stops?.some((stop) => stop < insert.length)) continue;
      const after = text.slice(0, replace.start) + insert + text.slice(replace.end);
      expect(
        lintText(after, kind, knowing('time')).filter(({ code }) => code === 'syntax'),
        after,
      ).toEqual([]);
    }
  }
});

it('Tab moves in a range from its first value to its second', () => {
  expect(withStops('{ $gte: |, $lt: | }')).toEqual({ insert: '{ $gte: , $lt:  }', stops: [8, 15] });
  expect(withStops('{ | }')).toEqual({ insert: '{  }', stops: [2] });
  expect(withStops('null')).toEqual({ insert: 'null' });
});

it('a field with dates as text has only parameters of text', () => {
  const day: DatasetField = { path: 'day', from: 'sample', types: ['date'] };
  const offers = complete('{ day: { $gte:  } }', 'query', 15, knowing('time', { fields: [day] }));
  expect(offers.flatMap(({ kind, label }) => (kind === 'parameter' ? [label] : []))).toEqual([
    '{{ask:name:text}}',
  ]);
});

it('a field of data is found by the mnemonics of its channel', () => {
  for (const marked of ['{ | }', '{ "d|" }']) {
    const offer = at(marked, 'query').offers.find(({ label }) => label.includes('data.rop'));
    expect(offer?.matches).toMatch(/data\.rop.* ROPA/);
  }
});

it('a field is found by its plain name, and by the name that the user gave to it', () => {
  const named = complete(
    '{ d }',
    'query',
    3,
    knowing('time', { fields, renamed: { 'data.rop': 'Bit speed' } }),
  );
  expect(named.find(({ label }) => label.includes('data.rop'))?.matches).toContain('Bit speed');
  const { offers } = at('{ | }', 'query');
  const matchesOf = (path: string) => offers.find(({ label }) => label.includes(path))?.matches;
  for (const path of ['timestamp', 'data.rop']) expect(matchesOf(path)).toContain(plainName(path));
});

it('a field of data is found by a name of its channel that the user has added', () => {
  const synonyms = synonymsOf({ rop: ['Bohrfortschritt'] });
  const offers = complete('{ d }', 'query', 3, knowing('time', { fields, synonyms }));
  expect(offers.find(({ label }) => label.includes('data.rop'))?.matches).toContain('bohrfortschritt');
});
