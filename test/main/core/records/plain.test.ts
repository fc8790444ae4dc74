import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { recordsAsCsv } from '../../../../src/main/core/records/as-csv.ts';

/** A number as written in the text. */
class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A simple JSON parser that keeps every number as written. */
const plainly = (json: string): unknown =>
  JSON.parse(json, (_key: string, value: unknown, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' ? new NumberText(source) : value,
  );

/** The value at a dotted path; keys of these tests have no dots. */
function valueAt(record: unknown, path: string): unknown {
  let found = record;
  for (const key of path.split('.'))
    found =
      typeof found === 'object' && found !== null
        ? Object.getOwnPropertyDescriptor(found, key)?.value
        : undefined;
  return found;
}

const number = fc.constantFrom('0.10', '-0', '1e5', '12345678901234567891', '1.0', '-999.25', '7');
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('a, "b"', 'é\n', '\\/', ''),
);
const scalar = fc.oneof(
  number,
  text.map((value) => JSON.stringify(value)),
  fc.constantFrom('true', 'false', 'null', '"\\u00e9\\/"', '[1.50, "x"]', '{}'),
);
const key = fc.constantFrom('a', 'b', 'timestamp', '_id', 'é');
const member = (value: fc.Arbitrary<string>) =>
  fc
    .uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 5 })
    .map((pairs) => `{ ${pairs.map(([name, one]) => `${JSON.stringify(name)} :${one}`).join(' ,')} }`);
const record = member(fc.oneof({ weight: 4, arbitrary: scalar }, member(scalar)));

it('records copied as bytes equal parsed records', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 6 }), (records) => {
      const json = `[${records.join(',\n')}]`;
      const { data } = Papa.parse<string[]>(recordsAsCsv(json), { newline: '\r\n', delimiter: ',' });
      const [header = [], ...rows] = data.slice(0, -1);
      const plain = plainly(json);
      if (!Array.isArray(plain)) throw new Error('no list');
      if (header.join('') === '') return;
      expect(rows).toHaveLength(plain.length);
      for (const [at, row] of rows.entries())
        for (const [column, cell] of row.entries()) {
          const value = valueAt(plain[at], header[column] ?? '');
          if (value instanceof NumberText) expect(cell).toBe(value.text);
          else if (value === null || value === undefined) expect(cell).toBe('');
          else if (Array.isArray(value)) expect(plainly(cell)).toEqual(value);
          else if (typeof value === 'object') expect(['{}', '']).toContain(cell.replaceAll(/\s/g, ''));
          else expect(cell).toBe(String(value));
        }
    }),
  );
});
