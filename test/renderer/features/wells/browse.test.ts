import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createBrowse, type BrowseDependencies } from '../../../../src/renderer/features/wells/browse.ts';
import type { EntityFilter } from '../../../../src/renderer/features/wells/entities.ts';
import type { CatalogueEvent } from '../../../../src/shared/contract/catalogue.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { PlatformResource } from '../../../../src/shared/wells/platform-filters.ts';
import type { PlatformEntity } from '../../../../src/shared/wells/wells.ts';

const asOf = '2026-11-21T06:00:00.000Z';
const asset = (id: number, name = `asset ${id}`): PlatformEntity => ({
  id,
  type: 'asset',
  attributes: { name },
});
const part = (...items: PlatformEntity[]) => ({ kind: 'items', source: 'service', items }) as const;
const whole = { kind: 'whole', source: 'service', asOf } as const;
type Part = CatalogueEvent<PlatformEntity> | AppError;

/** The tab over a service that sends these parts in sequence; `shown` has every list that was drawn. */
async function listing(
  said: readonly Part[],
  msBetween = 10,
  listed: PlatformResource = 'assets',
  filter: EntityFilter = {},
) {
  let clock = 0;
  async function* entities() {
    for (const event of said) {
      await turn();
      clock += msBetween;
      if (event instanceof AppError) throw event;
      yield event;
    }
  }
  const api = { catalogue: { entities: async () => entities() } } as unknown as BrowseDependencies['api'];
  const browse = createBrowse({ api, connection: 'one', now: () => clock });
  const shown: number[] = [];
  browse.store.subscribe(({ entities: coming }, before) => {
    if (coming !== before.entities) shown.push(coming.items.length);
  });
  browse.actions.list(listed, filter);
  while (browse.store.getState().entities.freshness.isLoading) await turn();
  return { browse, shown };
}

it('the start of a list is drawn immediately, not each of its parts, and then all of it', async () => {
  const { shown } = await listing([part(asset(1)), part(asset(2)), part(asset(3)), whole]);
  expect(shown).toEqual([0, 1, 3]);
});

it('each part of a slow list is drawn', async () => {
  const { shown } = await listing([part(asset(1)), part(asset(2)), whole], 2000);
  expect(shown).toEqual([0, 1, 2, 2]);
});

it('the received part of an interrupted list is drawn', async () => {
  const lost = new AppError('internal', { problem: 'the link is gone' });
  const { browse, shown } = await listing([part(asset(1)), part(asset(2)), part(asset(3)), lost]);
  // The last time with the reason.
  expect(shown).toEqual([0, 1, 3, 3]);
  expect(browse.store.getState().entities.freshness.error).toMatchObject({ code: 'internal' });
});

it('names of assets come from lists, and from parents whose children are shown', async () => {
  const { browse } = await listing([part(asset(1, 'Ridge'), asset(2, 'Rig 4')), whole]);
  expect([browse.assetName(1), browse.assetName(2), browse.assetName(7)]).toEqual([
    'Ridge',
    'Rig 4',
    undefined,
  ]);
  browse.actions.list('assets', { parent_asset_id: { text: 'Basin', value: 7 } });
  expect([browse.assetName(1), browse.assetName(7)]).toEqual(['Ridge', 'Basin']);
});

it('an id of another list isn’t taken for an asset', async () => {
  const { browse } = await listing([part(asset(1, 'Pad 1')), whole], 10, 'pads');
  expect(browse.assetName(1)).toBeUndefined();
});

it('API numbers that no asset has are named; ids of a link to a parent aren’t', async () => {
  const numbered = { ...asset(1), attributes: { api_number: '42-123-45678' } };
  const notFound = async (filter: EntityFilter) =>
    (await listing([part(numbered), whole], 10, 'assets', filter)).browse.store.getState().notFound;
  expect(await notFound({ ids: { text: 'Basin', value: [1, 7] } })).toEqual([]);
  const numbers = { text: '', value: ['42-123-45678', '42-123-99999'] };
  expect(await notFound({ api_number: numbers })).toEqual(['42-123-99999']);
});
