import { expect, it } from 'vitest';
import { parseRecords } from '../../../../src/renderer/features/records/request.ts';

it('a response that isn’t an array of records is reported', () => {
  expect(parseRecords('[{"a":12345678901234567890}]')).toEqual([{ a: 12345678901234567890n }]);
  expect(() => parseRecords('{}')).toThrow(/array/);
});
