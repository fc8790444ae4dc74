import { expect, it } from 'vitest';
import { sortEntities } from '../../../../src/renderer/features/wells/browse-view.tsx';
import type { PlatformEntity } from '../../../../src/shared/wells/wells.ts';

const pad = (id: number, name: string | null): PlatformEntity => ({ id, type: 'pad', attributes: { name } });
const name = {
  id: 'name',
  header: 'Name',
  width: 100,
  align: 'start',
  sortable: true,
  text: ({ attributes }: PlatformEntity) => (attributes['name'] === null ? null : String(attributes['name'])),
} as const;
const pads = [pad(1, 'Ridge 10'), pad(2, null), pad(3, 'Élan 2'), pad(4, 'ridge 9'), pad(5, 'Elan 1')];

it.each([
  [false, [5, 3, 4, 1, 2]],
  [true, [1, 4, 3, 5, 2]],
])(
  'a list is sorted naturally by numbers and letters, with blanks last (descending: %s)',
  (descending, ids) => {
    expect(sortEntities(pads, [name], { column: 'name', descending }).map(({ id }) => id)).toEqual(ids);
  },
);
