import { expect, it } from 'vitest';
import { plainName } from '../../../../src/main/core/files/plain-name.ts';

it.each([
  ['a/b\\c.csv', 'c.csv'],
  ['rows\u202evsc.exe', 'rowsvsc.exe'],
  ['a\u0085b\u2028\u0000c\u007f', 'abc'],
  ['..', 'file'],
  ['', 'file'],
])('%j is saved as %s: no folder, and no disguised name', (name, saved) => {
  expect(plainName(name)).toBe(saved);
});

it.each(['NUL', 'con.csv', 'Com1.rejects.csv'])('%s is not a device name on Windows', (name) => {
  expect(plainName(name)).toBe(`_${name}`);
});

it('a name stays short enough in bytes, with its extension', () => {
  const shown = plainName(`${'井'.repeat(84)}.csv`);
  expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(200);
  expect(shown).toMatch(/^井+\.csv$/);
  expect(plainName('a\ud800.csv').isWellFormed()).toBe(true);
});
