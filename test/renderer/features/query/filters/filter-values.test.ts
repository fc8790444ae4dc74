import { describe, expect, it } from 'vitest';
import {
  isBackwards,
  listedValues,
  problemOf,
  readFilterValues,
  takesNulls,
} from '../../../../../src/renderer/features/query/filters/filter-values.ts';
import { words } from '../../../../../src/renderer/words/words.ts';
import { any, like } from '../../../../support/wording.ts';
import type { DatasetField } from '../../../../../src/shared/datasets/fields.ts';

const rop: DatasetField = { path: 'data.rop', from: 'sample', types: ['number'] };
const rig: DatasetField = { path: 'rig', from: 'sample', types: ['string'] };

it('reads parameters for fields of any type, beside values of the type', () => {
  expect(readFilterValues('between', ['{{ask:min}}', '90'], rop)).toEqual(['{{ask:min:number}}', 90]);
  expect(readFilterValues('between', ['{{ask:min}}', 'high'], rop)).toBeNull();
  expect(readFilterValues('is', ['{{ask:a:integer}}'], rop)).toEqual(['{{ask:a:integer}}']);
});

it('asks for as many dates as the comparison takes', () => {
  const day: DatasetField = { path: 'day', from: 'sample', types: ['date'] };
  const w = words.query.filter;
  expect(problemOf('is', ['N/A'], day)).toMatch(like(w.noDate('one', any, false)));
  expect(problemOf('between', ['2026-01-30', ''], day)).toMatch(like(w.noDate('two', any, false)));
});

it('asks for texts where a field has only texts: an answer such as 205 would be a number', () => {
  expect(readFilterValues('oneOf', [' {{ask:rig}} ', 'Rig 7'], rig)).toEqual(['{{ask:rig:text}}', 'Rig 7']);
  const mixed: DatasetField = { ...rop, types: ['number', 'string'] };
  expect(readFilterValues('is', ['{{ask:rig}}'], mixed)).toEqual(['{{ask:rig}}']);
});

it.each<[string, string | undefined, string | null]>([
  ['2026-01-30 18:00', '2026-01-30T18:00:00.000Z', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31', '2026-01-30T18:00:00Z', '2026-01-31T06:00:00Z'],
  ['2026-01-31T00:00:00-06:00', undefined, '2026-01-31T06:00:00.000Z'],
  ['2026-01-31T00:00:00.123456Z', '2026-01-30T18:00:00.654321Z', '2026-01-31T00:00:00.123456Z'],
  ['2026-01-31', '2026-01-30', '2026-01-31'],
  ['2026-01-31 06:00', '2026-01-30 18:00', '2026-01-31 06:00'],
  ['2026-01-31T06:00Z', '2026-01-30T18:00:00.000Z', '2026-01-31T06:00:00.000Z'],
  ['2026-01-31', '2026-01-30T18:00:00.123456Z', '2026-01-31T06:00:00.000000Z'],
  ['2026-01-31', '2026-01-30 18:00Z', '2026-01-31 06:00Z'],
  ['2026-01-31', '2026-01-30T18:00:00+00:00', '2026-01-31T06:00:00+00:00'],
  ['2026-01-31 00:00:00.5', '2026-01-30T18:00:00+0000', '2026-01-31T06:00:00.500+0000'],
  ['2026-01-31 06:00', '2026-01-30T18:00:00', '2026-01-31T06:00:00'],
  ['2026-01-31T06:00:00.5', '2026-01-30 18:00:00,000', '2026-01-31 06:00:00,500'],
  ['2026-01-31 06:00:00', '2026-01-30T18:00', '2026-01-31T06:00'],
  ['2026-01-31', '2026-01-30T18:00:00', '2026-01-31'],
  ['2026-01-31T06:00:00.1234567', '2026-01-30T18:00:00', '2026-01-31T06:00:00.1234567'],
  ['2026-01-31T06:00Z', '2026-01-30T18:00:00', null],
  // Daylight saving time has another offset.
  ['2026-07-31 06:00-05:00', '2026-01-30T18:00:00-06:00', '2026-07-31T06:00:00-05:00'],
  ['2026-01-31 06:00', '2026-01-30T18:00:00-06:00', null],
  ['2026-01-31 06:00', '2026-01-30', null],
  ['2026-01-31', 'N/A', '2026-01-31T06:00:00.000Z'],
  ['2026-01-31', 'Rig Z', '2026-01-31T06:00:00.000Z'],
  ['{{wells}}', '2026-01-30T18:00:00Z', null],
  ['{{ask:day:number}}', '2026-01-30T18:00:00Z', null],
  ['31.01.2026', '2026-01-30T18:00:00Z', null],
  ['1769817600000', '2026-01-30T18:00:00Z', null],
  ['{{today-7d}}', '2026-01-30T18:00:00Z', null],
  ['{{ask:day:date}}', '2026-01-30T18:00:00Z', null],
  ['{{ask:day}}', '2026-01-30T18:00:00Z', '{{ask:day:text}}'],
])('reads %s for a field with dates such as %s as %s', (typed, example, value) => {
  const day: DatasetField = {
    path: 'data.day',
    from: 'sample',
    types: ['date', 'null'],
    ...(example === undefined ? {} : { example: JSON.stringify(example) }),
  };
  expect(readFilterValues('atLeast', [typed], day, [], 'America/Chicago')).toEqual(value && [value]);
  // In this one, Wellbench writes them as text.
  expect(readFilterValues('atLeast', ['{{today-7d}}'], { ...day, path: 'data.datetime' })).toEqual([
    '{{today-7d}}',
  ]);
});

describe('a field that has dates and other texts', () => {
  const mixed: DatasetField = { path: 'day', from: 'sample', types: ['date', 'string'], example: '"N/A"' };
  const typed = ['2026-01-31', '2026-01-31 06:00', '2026-01-31T06:00Z', 'N/A', '31.01.2026'];

  it('has texts as typed, if the form of its dates isn’t known', () => {
    expect(readFilterValues('oneOf', typed, mixed)).toEqual(typed);
    expect(readFilterValues('oneOf', typed, { ...mixed, values: ['N/A', 'TBD'] })).toEqual(typed);
  });

  it('has typed dates in the form of a sampled one, and others as they are', () => {
    expect(readFilterValues('oneOf', typed, { ...mixed, values: ['N/A', '2026-01-30T18:00:00Z'] })).toEqual([
      '2026-01-31T00:00:00Z',
      '2026-01-31T06:00:00Z',
      '2026-01-31T06:00:00Z',
      'N/A',
      '31.01.2026',
    ]);
  });

  it('has sampled values as they are, whatever their form', () => {
    const values = ['2026-01-30T18:00:00Z', '2026-01-31', 'N/A', ''];
    expect(readFilterValues('oneOf', values.slice(0, 3), { ...mixed, values })).toEqual(values.slice(0, 3));
    expect(readFilterValues('is', [''], { ...mixed, values })).toBeNull();
  });
});

it('reads a sampled text of digits as text, though the field has numbers too', () => {
  const codes: DatasetField = { ...rop, types: ['number', 'string'], values: ['0012', 'N/A'] };
  expect(readFilterValues('oneOf', ['0012', '12'], codes)).toEqual(['0012', 12]);
});

it.each<[string, string[], number[] | null]>([
  ['of thousands with commas', ['1,250', '12,500.5', '7'], [1250, 12500.5, 7]],
  ['with a true minus sign', ['−1.5', '+2'], [-1.5, 2]],
  ['of decimals with commas', ['12,5', '1,125', '-7'], [12.5, 1.125, -7]],
  ['of decimals with commas, and with points', ['12,5', '12.5'], null],
  ['with a text among them', ['12', 'n/a'], null],
  ['with more digits than a number has', ['90071992547409931'], null],
])('reads the numbers of a list %s', (_how, typed, values) => {
  expect(readFilterValues('oneOf', typed, rop)).toEqual(values);
});

it('reads no decimals with commas in a list of integers, where they are several values', () => {
  expect(readFilterValues('oneOf', ['1,2', '3'], { ...rop, types: ['integer'] })).toBeNull();
});

it('reads texts of a list as they are', () => {
  expect(readFilterValues('oneOf', ['0012', '12,5', '1,250'], rig)).toEqual(['0012', '12,5', '1,250']);
});

it('keeps the values that a filter has, and texts with their blanks', () => {
  const field: DatasetField = { path: 'custom', from: 'sample', types: [] };
  const before = [true, '4711', 7, '12345678901234567'];
  expect(readFilterValues('oneOf', [...before.map(String), 'false', '8'], field, before)).toEqual([
    ...before,
    'false',
    8,
  ]);
  expect(readFilterValues('is', ['4711'], rop, ['4711'])).toEqual(['4711']);
  // As a number it would be 12345678901234568.
  expect(readFilterValues('is', ['12345678901234567'], field)).toEqual(['12345678901234567']);
  expect(readFilterValues('is', ['In Slips '], rig)).toEqual(['In Slips ']);
  expect(readFilterValues('is', [' 12.5 '], rop)).toEqual([12.5]);
  expect(listedValues('In Slips, Static, Tripping', ['In Slips ', 'Static', 'Static '])).toEqual([
    'In Slips ',
    'Static',
    'Tripping',
  ]);
});

it('keeps texts and depths below sea level, which a bound against numbers such as -999.25 would drop', () => {
  const subsea: DatasetField = { path: 'data.tvd_subsea', from: 'sample', types: ['number'] };
  const offset: DatasetField = { ...rop, path: 'data.offset', range: { min: -4000, max: 20 } };
  const mixed: DatasetField = { ...rop, types: ['number', 'string'] };
  const operators = ['hasValue', 'below', 'hasNone'] as const;
  const ofField = (field: DatasetField) => operators.map((operator) => takesNulls(operator, field));
  expect(ofField(rop)).toEqual([true, true, true]);
  expect(ofField({ ...offset, tokens: [{ value: -999.25, share: 0.1 }] })).toEqual([true, true, true]);
  expect(ofField(offset)).toEqual([false, false, true]);
  expect(ofField(subsea)).toEqual([false, false, true]);
  // Of a depth whose sampled records have a null value, unless others are as low.
  const nullable = { ...subsea, tokens: [{ value: -999.25, share: 0.1 }] };
  expect(ofField({ ...nullable, range: { min: 0, max: 3000 } })).toEqual([true, true, true]);
  expect(ofField({ ...nullable, range: { min: -3000, max: 0 } })).toEqual([false, false, true]);
  expect(ofField(mixed)).toEqual([false, true, true]);
  expect(ofField(rig)).toEqual([false, false, false]);
});

it.each([
  [[10, 5], true],
  [[5, 10], false],
  [[9, 10], false],
  [[7, 7], false],
  [['2026-01-31', '2026-01-30T23:00:00Z'], true],
  // The end is 06:00 in UTC.
  [['2026-01-31T05:00:00Z', '2026-01-31T00:00:00-06:00'], false],
  [['Rig 7', 'Rig 12'], true],
  [['Rig 12', 'Rig 7'], false],
  [['{{ask:min}}', 5], false],
  [['{{now}}', '{{now-1h}}'], false],
])('finds a range whose end is before its start: %j is %s', (values, expected) => {
  expect(isBackwards(values)).toBe(expected);
});
