import { expect, it } from 'vitest';
import { createDirectory } from '../../../../src/renderer/features/wells/directory.ts';
import { factText } from '../../../../src/renderer/features/wells/fields.ts';
import { formatAgo } from '../../../../src/renderer/format/times.ts';
import { wellOf } from '../../../support/wells.ts';

const nothing = async function* none() {};
const catalogue = { companies: async () => nothing(), entities: async () => nothing() };
const directory = createDirectory({ catalogue }).store.getState();

it('states of the services are shown in words, and names as they are', () => {
  const well = wellOf(1, 'Ridge_1', 11, { state: 'drilled_not_completed', apiNumber: '42-1_2' });
  expect(factText(well, 'state', directory, 0)).toBe('drilled not completed');
  expect(factText(well, 'apiNumber', directory, 0)).toBe('42-1_2');
});

it('times and positions are whole in files, short on the screen', () => {
  const at = '2026-11-28T06:00:00Z';
  const well = wellOf(1, 'Ridge 1', 11, { startedAt: at, position: [-102.123456, 31.9] });
  const texts = (now: number | null) => [
    factText(well, 'startedAt', directory, now),
    factText(well, 'position', directory, now),
  ];
  expect(texts(null)).toEqual([at, '-102.123456, 31.9']);
  expect(texts(Date.parse('2026-11-30T06:00:00Z'))).toEqual([
    formatAgo(at, Date.parse('2026-11-30T06:00:00Z')),
    '31.9000° N, 102.1235° W',
  ]);
});
