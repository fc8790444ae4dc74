import { expect, it } from 'vitest';
import { createDirectory } from '../../../../src/renderer/features/wells/directory.ts';
import {
  columnsOf,
  sortEntities,
  type EntityColumn,
} from '../../../../src/renderer/features/wells/entities.ts';
import type { PlatformEntity } from '../../../../src/shared/wells/wells.ts';

const nothing = async function* none() {};
const catalogue = { companies: async () => nothing(), entities: async () => nothing() };
const directory = createDirectory({ catalogue }).store.getState();
const names = { directory, assetName: () => undefined, wellName: () => undefined, now: 0 };
const pad = (id: number, name: string | null, lastActiveAt: string | null = null): PlatformEntity => ({
  id,
  type: 'pad',
  attributes: { name, last_active_at: lastActiveAt },
});
const name: EntityColumn = {
  title: 'Name',
  width: 100,
  align: 'start',
  text: ({ attributes }) => (attributes['name'] === null ? null : String(attributes['name'])),
};
const pads = [pad(1, 'Ridge 10'), pad(2, null), pad(3, 'Élan 2'), pad(4, 'ridge 9'), pad(5, 'Elan 1')];

it.each([
  [false, [5, 3, 4, 1, 2]],
  [true, [1, 4, 3, 5, 2]],
])(
  'a list is sorted naturally by numbers and letters, with blanks last (descending: %s)',
  (descending, ids) => {
    expect(sortEntities(pads, name, descending, names).map(({ id }) => id)).toEqual(ids);
  },
);

it('a list is sorted by times, and not by their texts', () => {
  const times = ['2026-11-01T00:00:00Z', '2026-03-01T00:00:00Z', '2026-10-01T00:00:00Z'];
  const active = columnsOf('pads').find(({ sortText }) => sortText);
  const byTime =
    active &&
    sortEntities(
      times.map((at, id) => pad(id, 'a', at)),
      active,
      false,
      names,
    );
  expect(byTime?.map(({ id }) => id)).toEqual([1, 2, 0]);
});
