import { expect, it } from 'vitest';
import { plainName } from '../../../src/main/files/plain-name.ts';

it.each([
  ['a/b\\c.csv', 'c.csv'],
  ['rows\u202evsc.exe', 'rowsvsc.exe'],
  ['a\u0085b\u2028\u0000c\u007f', 'abc'],
  ['..', 'file'],
  ['', 'file'],
])('%j is saved as %s: no folder, and nothing that makes it look like another', (given, saved) => {
  expect(plainName(given)).toBe(saved);
});
