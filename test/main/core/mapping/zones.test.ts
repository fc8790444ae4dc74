import { expect, it } from 'vitest';
import { isZone, zoneInName } from '../../../../src/main/core/records/zone-names.ts';

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
  // Other signs, blanks, words, and notations of the offset.
  ['Time (UTC−6)', 'UTC-6'],
  ['Time (UTC–6)', 'UTC-6'],
  ['Time (UTC‑06:00)', 'UTC-06:00'],
  ['Time (−06:00)', '-06:00'],
  ['Time (UTC - 6)', 'UTC-6'],
  ['Time (UTC + 05:30)', 'UTC+05:30'],
  ['Time (UTC-6h)', 'UTC-6'],
  ['Time (GMT-6 hours)', 'GMT-6'],
  ['Time UTC minus 6', 'UTC-6'],
  ['Time (UTC plus 3)', 'UTC+3'],
  ['Time (UTC+5.5)', 'UTC+5:30'],
  ['Time (UTC-3,50 h)', 'UTC-3:30'],
  ['Time (UTC+5.75)', 'UTC+5:45'],
  ['Time UTC+0530', 'UTC+0530'],
  ['Time (UTC ±0)', 'UTC+0'],
  ['Time (UTC +/- 00:00)', 'UTC+00:00'],
  ['时间（UTC＋8）', 'UTC+8'],
  ['Time (CST, UTC-6)', 'UTC-6'],
  ['time_utc-6_local', 'UTC-6'],
  // Offsets that can't be read: the times aren't UTC.
  ['Time (UTC±6)', null],
  ['Time (UTC±00:30)', null],
  ['Time (UTC+5.30)', null],
  ['Time (UTC-6.123)', null],
  ['Time (UTC-19)', null],
  ['Time (UTC 6)', null],
  ['Time (UTC?6)', null],
  ['Time (UTC\uFFFD6)', null],
  ['Time (UTC: -6)', null],
  ['Time (UTC/GMT -6)', null],
  ['Time (UTC-6/-5)', null],
  ['Time (UTC-6 or UTC-5)', null],
  ['Time (-6 UTC)', null],
  ['Time UTC (offset 6)', null],
  ['Time (6 h behind UTC)', null],
  // Its sign is that of the other direction.
  ['Time Etc/GMT+5', null],
  ['Time (Etc/GMT+5)', 'Etc/GMT+5'],
  // Numbers that are none.
  ['time_utc_2', 'UTC'],
  ['Well-7 time UTC', 'UTC'],
  ['Time (UTC), 10 s', 'UTC'],
  ['Time UTC (ISO 8601)', 'UTC'],
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

it.each(['CET', 'EET', 'MET', 'WET'])(
  '%s in a header is no zone, because loggers write it in summer for the offset of winter',
  (name) => {
    expect(zoneInName(`Time (${name})`)).toBeNull();
    expect(isZone(name)).toBe(true);
  },
);

it.each(['EST', 'UTC', 'Z', '-06:00', 'America/Chicago'])('%s is a zone', (name) => {
  expect(isZone(name)).toBe(true);
});
