import { expect, it } from 'vitest';
import { namedFor } from '../../../src/renderer/format/named-for.ts';

it('a file name gets the extension of its format, replacing an earlier one', () => {
  expect(namedFor('a.csv', 'parquet')).toBe('a.parquet');
  expect(namedFor('a.b', 'json')).toBe('a.b.json');
  expect(namedFor('a.ndjson', 'ndjson')).toBe('a.ndjson');
});
