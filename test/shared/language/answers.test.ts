import { describe, expect, it } from 'vitest';
import { parseAnswer, askTypes, type AskType } from '../../../src/shared/language/parameters.ts';
import type { JsonValue } from '../../../src/shared/json.ts';

const present = { now: Date.UTC(2024, 4, 15, 10, 30), zone: 'America/Chicago' };

describe('a value typed for a parameter', () => {
  it.each<[string, AskType | null, JsonValue]>([
    ['12', 'number', 12],
    [' -12.50 ', 'number', -12.5],
    ['+.5e3', 'number', 500],
    ['9007199254740993', 'number', 9007199254740993n],
    ['-9007199254740993', 'number', -9007199254740993n],
    ['0', 'number', 0],
    ['12', 'integer', 12],
    ['-9223372036854775808', 'integer', -9223372036854775808n],
    ['0042', 'integer', 42],
    ['12', 'text', '12'],
    [' In Slips ', 'text', ' In Slips '],
    ['TRUE', 'boolean', true],
    ['false', 'boolean', false],
    ['12.5', null, 12.5],
    ['true', null, true],
    ['0042', null, '0042'],
    ['Rig 7', null, 'Rig 7'],
    ['1e999', null, '1e999'],
    ['null', null, 'null'],
  ])('%j as %s is %s', (said, type, value) => {
    expect(parseAnswer(said, type, present)).toStrictEqual({ kind: 'value', value });
  });

  it.each([
    ['2024-01-31', Date.UTC(2024, 0, 31)],
    ['2024-01-31T06:00:00-06:00', Date.UTC(2024, 0, 31, 12)],
    ['now-24h', present.now - 86_400_000],
    ['today', Date.UTC(2024, 4, 15, 5)],
    ['today@UTC', Date.UTC(2024, 4, 15)],
  ])('%s as a date is %d', (said, ms) =>
    expect(parseAnswer(said, 'date', present)).toEqual({ kind: 'date', ms }),
  );

  it.each<[string, AskType, string]>([
    ['1,200', 'number', '“1,200” is not a number. Use digits with a decimal point and no unit.'],
    ['12 ft', 'number', '“12 ft” is not a number. Use digits with a decimal point and no unit.'],
    ['1e999', 'number', '“1e999” is not a number. Use digits with a decimal point and no unit.'],
    ['NaN', 'number', '“NaN” is not a number. Use digits with a decimal point and no unit.'],
    ['12.5', 'integer', '“12.5” is not a whole number. Use digits only.'],
    ['9223372036854775808', 'integer', '“9223372036854775808” is not a whole number. Use digits only.'],
    ['yes', 'boolean', '“yes” is not true or false. Use one of the two.'],
    [
      '31.01.2024',
      'date',
      '“31.01.2024” is not a date. Use a form such as 2024-01-31, 2024-01-31T06:00:00Z, or now-24h.',
    ],
    [
      '2024-02-30',
      'date',
      '“2024-02-30” is not a date. Use a form such as 2024-01-31, 2024-01-31T06:00:00Z, or now-24h.',
    ],
    [
      'now-24',
      'date',
      '“now-24” is not a date. Use a form such as 2024-01-31, 2024-01-31T06:00:00Z, or now-24h.',
    ],
  ])('%j as %s is rejected', (said, type, words) => expect(parseAnswer(said, type, present)).toBe(words));

  it('has five types', () => expect(askTypes).toEqual(['number', 'integer', 'text', 'date', 'boolean']));
});
