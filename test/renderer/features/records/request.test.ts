import { expect, it } from 'vitest';
import { parseRecords } from '../../../../src/renderer/features/records/request.ts';

it('what is no array of records is said to be none', () => {
  expect(parseRecords('[{"a":12345678901234567890}]')).toEqual([{ a: 12345678901234567890n }]);
  expect(() => parseRecords('{}')).toThrow(/array/);
});
