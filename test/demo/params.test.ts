import { describe, expect, test } from 'vitest';
import { Params, Problem, forms } from '../../src/demo/service.ts';

const params = (text: string): Params => new Params(new URLSearchParams(text));

describe('parameters', () => {
  test.each([
    'ids[]=1&ids[]=2',
    'ids%5B%5D=1&ids%5B%5D=2',
    'ids=1&ids=2',
    'ids[0]=1&ids[1]=2',
    'ids=1,2',
    'ids[]=1,+2',
  ])('may be lists in many forms: %s', (text) => {
    expect(params(text).integers('ids')).toEqual([1, 2]);
  });

  test('count as missing when empty', () => {
    expect(params('page=&active=').read('page', forms.integer)).toBeUndefined();
    expect(params('page=&active=').read('active', forms.flag)).toBeUndefined();
    expect(params('ids[]=').integers('ids')).toEqual([]);
  });

  test('have the last value when repeated, unless they are lists', () => {
    expect(params('page=1&page=2').read('page', forms.integer)).toBe(2);
  });

  test('have a space for a plus sign', () => {
    expect(params('search=Badger+Creek').read('search', forms.text)).toBe('Badger Creek');
  });

  test('keep the offset of a time whose plus sign arrived as a space', () => {
    expect(params('t=2026-01-01T00:00:00+02:00').read('t', forms.instant)).toBe(Date.UTC(2025, 11, 31, 22));
    expect(params('t=2026-01-01T00:00:00%2B02:00').read('t', forms.instant)).toBe(Date.UTC(2025, 11, 31, 22));
  });

  test.each([
    ['integer', 'x=1.5'],
    ['integer', 'x=99999999999999999999'],
    ['integer', 'x=ten'],
    ['number', 'x=north'],
    ['flag', 'x=perhaps'],
    ['instant', 'x=yesterday'],
  ] as const)('of type %s reject %s with 422', (kind, text) => {
    expect(() => params(text).read<unknown>('x', forms[kind])).toThrow(Problem);
  });

  test('reject a list with another value than integers with 422', () => {
    expect(() => params('x=1,b').integers('x')).toThrow(Problem);
  });
});
