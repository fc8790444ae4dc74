import type { JsonObject, JsonValue } from '../../src/shared/json.ts';

/** Values of one field, each a record's; a record beyond the last has none. */
const values: Readonly<Record<string, readonly JsonValue[]>> = {
  large_integer: [0, 1, -1, 2 ** 31, 2 ** 53 - 1, -(2 ** 53 - 1)],
  number: [0.1, -0.5, 1e-300, 1.7976931348623157e308, 123456.789, 100, 1 / 3],
  whole_number: [1, 2, 3, 40, 500],
  flag: [true, false, null, true],
  text: [
    'a',
    '',
    ' padded ',
    'Ünïcode ✓ 🛢',
    'line 1\nline 2',
    'a "quoted", text',
    '=1+1',
    '@x',
    "it's",
    'tab\there',
  ],
  number_like: ['007', '1e5', '1,5', '-', '+1', '1_000', '0x10'],
  word: ['NaN', 'null', 'true', 'NA', 'None', 'inf', 'N/A'],
  instant: ['2026-01-31T12:30:15.123Z', '1969-12-31T23:59:59.999Z', '2026-02-28T00:00:00Z'],
  date: ['2026-01-31', '1900-02-28', '2026-12-31'],
  mixed: [1, 'one', true, 2.5, { a: 1 }, [1, 2]],
  list: [[1, 2, 3], [], ['a'], [{ depth: 1, inclination: 0.5 }, { depth: 2 }], [[1], [2]]],
  'two words': [1.5, 2.5],
  sparse: Array.from({ length: 40 }, (_, at) => (at === 39 ? 7.25 : null)),
  long_text: ['x'.repeat(20_000)],
};
const nested: Readonly<Record<string, readonly JsonValue[]>> = {
  depth: [1.5, 2.5, null, 4.5],
  name: ['a', 'b'],
};
const count = 64;
const start = Date.UTC(2026, 0, 31, 23, 59, 50);

/** The values of a record, without the fields that have none left. */
function valuesAt(fields: Readonly<Record<string, readonly JsonValue[]>>, at: number): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, all]) => (at < all.length ? [[name, all[at] ?? null]] : [])),
  );
}

/** Records with values that programs read in different ways, of two wells and two days. */
export const oddRecords: readonly JsonObject[] = Array.from({ length: count }, (_, at) => ({
  company_id: 1,
  asset_id: at % 2 === 0 ? 5001 : 5002,
  version: 1,
  timestamp: start + at * 1000 + (at % 7),
  data: { ...valuesAt(values, at), section: valuesAt(nested, at) },
}));
