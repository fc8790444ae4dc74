import { expect, it } from 'vitest';
import { createDirectory } from '../../../../src/renderer/features/wells/directory.ts';
import { factText } from '../../../../src/renderer/features/wells/fields.ts';
import { wellOf } from '../../../support/wells.ts';

it('states of the services are shown in words, and names as they are', () => {
  const nothing = async function* none() {};
  const catalogue = { companies: async () => nothing(), entities: async () => nothing() };
  const directory = createDirectory({ catalogue }).store.getState();
  const well = wellOf(1, 'Ridge_1', 11, { state: 'drilled_not_completed', apiNumber: '42-1_2' });
  expect(factText(well, 'state', directory, 0)).toBe('drilled not completed');
  expect(factText(well, 'apiNumber', directory, 0)).toBe('42-1_2');
});
