import { expect, it } from 'vitest';
import { isZone, zoneInName } from '../../../../src/main/core/mapping/times.ts';

it.each([
  ['Time (UTC)', 'UTC'],
  ['Date Time (GMT)', 'GMT'],
  ['Time [UTC-6]', 'UTC-6'],
  ['Start UTC +05:30', 'UTC+05:30'],
  ['time_utc', 'UTC'],
  ['DateTimeUTC', 'UTC'],
  ['Date Time (America/Denver)', 'America/Denver'],
  ['Time (local)', null],
  ['Output', null],
  ['MUTC', null],
  // British Summer Time; Java called Dhaka so.
  ['Time (BST)', null],
])('the zone in the name %s is %s', (name, zone) => {
  expect(zoneInName(name)).toBe(zone);
});

it.each(['BST', 'NST', 'AST', 'CST', 'PST', 'IST'])(
  '%s is no zone, because people and tables differ on it',
  (name) => {
    expect(isZone(name)).toBe(false);
  },
);

it.each(['EST', 'CET', 'UTC', 'Z', '-06:00', 'America/Chicago'])('%s is a zone', (name) => {
  expect(isZone(name)).toBe(true);
});
