import { describe, expect, it } from 'vitest';
import type { DatasetField } from '../../../../src/shared/datasets/fields.ts';
import { hoverAt } from '../../../../src/shared/language/editing/hover.ts';
import type { TextKind } from '../../../../src/shared/language/knowledge.ts';
import { assetId } from '../../../../src/shared/wells/wells.ts';
import { knowing } from '../knowing.ts';

const fields: readonly DatasetField[] = [
  { path: 'data.rop', from: 'sample', types: ['number', 'null'], unit: 'ft/h', example: '142.7', nulls: 0.25, absent: 0.001, description: 'Rate of penetration.' },
]; // oxfmt-ignore
const now = Date.UTC(2026, 10, 21, 12);
const values = {
  wells: [assetId.parse(5003), assetId.parse(77)],
  company: 3,
  zone: 'America/Chicago',
  answers: new Map([['depth', '8000']]),
};

function hoverText(marked: string, kind: TextKind = 'query') {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const hover = hoverAt(text, kind, offset, knowing('time', { fields, values }), now);
  return (
    hover && { piece: text.slice(hover.start, hover.end), title: hover.title, says: hover.says.join(' ') }
  );
}

describe('a hover', () => {
  it.each<readonly [string, TextKind, string, string, RegExp]>([
    ['{ "data.r|op": 5 }', 'query', '"data.rop"', 'data.rop', /^Number, ft\/h\. Rate of penetration\. For example 142\.7\. Null in 25% .* Absent in 1%/],
    ['{ a: { $g|te: 5 } }', 'query', '$gte', '$gte', /At least/],
    ['{ $o|r: [] }', 'query', '$or', '$or', /one of these queries/],
    ['[{ $ma|tch: {} }]', 'stages', '$match', '$match', /Keeps the records/],
    ['[{ $me|rge: {} }]', 'stages', '$merge', '$merge', /Writes data/],
    ['{ _id: 1, n: { $su|m: 1 } }', 'group', '$sum', '$sum', /counts the records/],
    ['{ a: { $gt|e: ["$a", 1] } }', 'body:$addFields', '$gte', '$gte', /at least the second/],
    ['{ _id: "$data.r|op" }', 'group', '"$data.rop"', 'data.rop', /ft\/h/],
    ['{ asset_id: {{w|ells}} }', 'query', '{{wells}}', '{{wells}}', /Ridge A-100H \(5003\), 77/],
    ['{ a: {{comp|any}} }', 'query', '{{company}}', '{{company}}', /^Now 3\.$/],
    ['{ timestamp: { $gte: {{now-|24h}} } }', 'query', '{{now-24h}}', '{{now-24h}}', /2026-11-20T12:00:00\.000Z, that is 1795176000000/],
    ['{ timestamp: {{tod|ay}} }', 'query', '{{today}}', '{{today}}', /2026-11-21T06:00:00\.000Z/],
    ['{ a: {{ask:dep|th:number}} }', 'query', '{{ask:depth:number}}', '{{ask:depth:number}}', /8000/],
    ['{ a: {{ask:oth|er:number}} }', 'query', '{{ask:other:number}}', '{{ask:other:number}}', /enter it before .*number.*no value/],
    ['{ a: {{no|v}} }', 'query', '{{nov}}', '{{nov}}', /Did you mean/],
    ['{ timestamp: 17000|00000000 }', 'query', '1700000000000', '1700000000000', /2023-11-14T22:13:20/],
    ['{ asset_id: { $in: [50|04] } }', 'query', '5004', '5004', /Ridge C-102H/],
  ])('describes %s in a %s', (marked, kind, piece, title, says) => {
    expect(hoverText(marked, kind)).toMatchObject({ piece, title, says: expect.stringMatching(says) });
  }); // oxfmt-ignore

  it.each(['{ a|: 1 }', '{ a: 1| }', '{ a: "te|xt" }', '| { a: 1 }', '{ a: 1 } // $g|te', '|'])(
    'shows nothing for %s',
    (marked) => {
      expect(hoverText(marked)).toBeNull();
    },
  );

  it('reports that no well is selected', () => {
    const none = knowing('time');
    expect(hoverAt('{ asset_id: {{wells}} }', 'query', 15, none, now)?.says.join(' ')).toContain(
      'No well is selected',
    );
  });
});
