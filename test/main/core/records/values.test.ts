import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareValues, valueOf } from '../../../../src/main/core/records/values.ts';
import { stringifyJson } from '../../../../src/shared/json.ts';

describe('values as JSON text', () => {
  it.each([
    '0.1524',
    '0.15240',
    '1700000000000',
    '1.0',
    '-0',
    '1e3',
    '9007199254740993',
    '12345678901234567890.125',
  ])('keep the number %s unchanged', (json) =>
    expect(stringifyJson({ $gt: valueOf(json) })).toBe(`{"$gt":${json}}`),
  );

  it('keep texts unchanged', () => {
    expect(valueOf('"2024-01-01T00:00:00Z"')).toBe('2024-01-01T00:00:00Z');
  });

  it('sort numbers as doubles where doubles differ', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(Math.sign(compareValues(JSON.stringify(a), JSON.stringify(b)))).toBe(
          a < b ? -1 : a > b ? 1 : 0,
        );
      }),
    );
  });

  it('sort integers that are equal as doubles', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 2n ** 60n, max: 2n ** 60n + 100n }),
        fc.bigInt({ min: 2n ** 60n, max: 2n ** 60n + 100n }),
        (a, b) => {
          expect(compareValues(String(a), String(b))).toBe(a < b ? -1 : a > b ? 1 : 0);
        },
      ),
    );
  });

  it.each([
    ['1', '1.0', 0],
    ['1000', '1e3', 0],
    ['0.152400000000000000001', '0.1524', 1],
    ['-9007199254740993', '-9007199254740992', -1],
    ['"2024-01-01T00:00:00Z"', '"2024-01-01T00:00:00.500Z"', -1],
    ['"2024-01-01T06:00:00+06:00"', '"2024-01-01T00:00:01Z"', -1],
    ['"abc"', '"abd"', -1],
  ])('sort %s relative to %s', (a, b, order) => {
    expect(compareValues(a, b)).toBe(order);
    expect(compareValues(b, a)).toBe(order === 0 ? 0 : -order);
  });
});
