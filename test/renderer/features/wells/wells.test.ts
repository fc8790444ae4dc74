import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/shared/errors.ts';
import { platformWellId, well, type Well } from '../../../../src/shared/wells.ts';
import { searchWells } from '../../../../src/renderer/features/wells/search.ts';
import { createWells, scopeOf } from '../../../../src/renderer/features/wells/wells.ts';

const made = (
  platformId: number,
  name: string,
  assetId: number | null,
  apiNumber: string | null = null,
): Well =>
  well.parse({
    platformId,
    assetId,
    name,
    status: null,
    state: null,
    visibility: null,
    identifier: null,
    apiNumber,
    area: null,
    companyId: null,
    lastActiveAt: null,
  });
const ridge = [
  made(1, 'Ridge A-100H', 1001, '42-123-45678-00-00'),
  made(2, 'Ridge C-102H', 1002, '42-123-45679-00-00'),
  made(1001, 'Basin 7', 2001),
  made(4, 'Basin 10', null),
];
const loaded = async (list: () => Promise<Well[]> = async () => ridge) => {
  const wells = createWells({ wells: { list, entities: async () => [] } });
  await wells.actions.load('sample');
  return wells;
};
const names = (wells: readonly Well[]) => wells.map(({ name }) => name);
const ids = (...platformIds: number[]): ReadonlySet<Well['platformId']> =>
  new Set(platformIds.map((id) => platformWellId.parse(id)));

describe('searchWells', () => {
  it.each([
    ['', names(ridge)],
    ['ridge', ['Ridge A-100H', 'Ridge C-102H']],
    ['102h  RIDGE', ['Ridge C-102H']],
    ['1002', ['Ridge C-102H']],
    ['42-123-45678', ['Ridge A-100H']],
    ['4212345678', ['Ridge A-100H']],
    ['nowhere', []],
  ])('“%s” finds %j', (text, found) => {
    expect(names(searchWells(ridge, text))).toEqual(found);
  });

  it('does not find a well by its platform id, which means nothing to data', () => {
    expect(names(searchWells(ridge, '1001'))).toEqual(['Ridge A-100H']);
  });
});

describe('the wells of a connection', () => {
  it('are sorted as people sort, numbers as numbers', async () => {
    const { store } = await loaded();
    const { list } = store.getState();
    expect(list.face === 'full' && names(list.value)).toEqual([
      'Basin 7',
      'Basin 10',
      'Ridge A-100H',
      'Ridge C-102H',
    ]);
  });

  it('are chosen by their platform id and scoped by their asset id', async () => {
    const { store, actions } = await loaded();
    actions.choose(ids(2, 1001));
    expect(scopeOf(store.getState().chosen)).toEqual([2001, 1002]);
    actions.choose(ids(2, 1001, 1));
    expect(scopeOf(store.getState().chosen)).toEqual([2001, 1002, 1001]);
    actions.drop(platformWellId.parse(2));
    expect(scopeOf(store.getState().chosen)).toEqual([2001, 1001]);
  });

  it('can not be chosen without an asset id', async () => {
    const { store, actions } = await loaded();
    actions.choose(ids(4));
    expect(store.getState().chosen).toEqual([]);
  });

  it('keep what went wrong, and can be loaded again', async () => {
    const answers = [
      Promise.reject(new AppError('forbidden', { service: 'platform' })),
      Promise.resolve(ridge),
    ];
    const { store, actions } = await loaded(() => answers.shift() ?? Promise.resolve([]));
    expect(store.getState().list).toMatchObject({ face: 'failed', error: { code: 'forbidden' } });
    await actions.load('sample');
    expect(store.getState().list.face).toBe('full');
  });

  it('are forgotten with the connection, also those still on their way', async () => {
    const late = Promise.withResolvers<Well[]>();
    const wells = createWells({ wells: { list: () => late.promise, entities: async () => [] } });
    const loading = wells.actions.load('sample');
    wells.actions.clear();
    late.resolve(ridge);
    await loading;
    expect(wells.store.getState()).toMatchObject({ list: { face: 'idle' }, chosen: [] });
  });
});
