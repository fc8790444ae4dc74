import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { partsOf } from '../../../src/main/query/parts.ts';
import { endOfItems } from '../../../src/main/http/whole-json.ts';
import { parseJson, stringifyJson, type JsonValue } from '../../../src/shared/json.ts';
import type { RecordPart } from '../../../src/shared/query.ts';

async function partsOfText(text: string, count: number): Promise<RecordPart[]> {
  const answer = { bytes: Buffer.from(text), text: text.replace(/^\uFEFF/, ''), count, total: 7 };
  const parts: RecordPart[] = [];
  for await (const part of partsOf(answer, 3)) parts.push(part);
  return parts;
}
const recordsOf = (parts: readonly RecordPart[]) =>
  parts.map(({ records }) => parseJson(records)).filter((part): part is JsonValue[] => Array.isArray(part));

it('an answer in parts holds what it held, its first two hundred records first', async () => {
  const record = fc.jsonValue();
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { maxLength: 6 }),
      fc.constantFrom(0, 195, 200, 203),
      async (some, many) => {
        const records = [...some, ...Array.from({ length: many }, (_, n) => ({ n, é: '],"[\\"' }))];
        const text = `\uFEFF ${JSON.stringify(records, null, 1)}\n`;
        const parts = await partsOfText(text, records.length);
        const found = recordsOf(parts);
        expect(stringifyJson(found.flat())).toBe(stringifyJson(parseJson(JSON.stringify(records))));
        const few = records.length <= 200;
        expect(found.map(({ length }) => length)).toEqual(
          few ? [records.length] : [200, records.length - 200],
        );
        const said = { part: 'first', whole: few, count: records.length, total: 7, ms: 3 };
        expect(parts[0]).toMatchObject({ ...said, bytes: Buffer.byteLength(text) });
      },
    ),
    { numRuns: 30 },
  );
});

it('brackets, commas and quotes in texts end no record', () => {
  const page = Buffer.from(String.raw`[{"a":"],\"[\\"},{"b":[1,2]},3]`);
  const end = (items: number) => page.toString('utf8', 0, endOfItems(page, items) ?? 0);
  expect([end(1), end(2), end(3)]).toEqual([
    String.raw`[{"a":"],\"[\\"}`,
    String.raw`[{"a":"],\"[\\"},{"b":[1,2]}`,
    '',
  ]);
  expect([endOfItems(Buffer.from('[ ]'), 1), endOfItems(Buffer.from('[1]'), 1)]).toEqual([null, null]);
});
