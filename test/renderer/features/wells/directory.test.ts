import { describe, expect, it, vi } from 'vitest';
import { createDirectory } from '../../../../src/renderer/features/wells/directory.ts';
import { namesStatus } from '../../../../src/renderer/features/wells/filters.tsx';
import type { CatalogueEvent } from '../../../../src/shared/contract/catalogue.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { PlatformEntity } from '../../../../src/shared/wells/wells.ts';

const rig: PlatformEntity = { id: 8, type: 'rig', attributes: { name: 'Patriot 101' } };

/** A catalogue that fetches its rigs with this function. */
function directoryOf(fetch: () => AsyncIterable<CatalogueEvent<PlatformEntity>>) {
  const nothing = async function* none() {};
  return createDirectory({
    catalogue: {
      companies: async () => nothing(),
      entities: async () => fetch(),
    },
  });
}

describe('the names to select from', () => {
  it('are loading until the first of them arrive', async () => {
    const release = Promise.withResolvers<void>();
    const { store, actions } = directoryOf(async function* rigs() {
      await release.promise;
      yield { kind: 'items', source: 'service', items: [rig] };
      yield { kind: 'whole', source: 'service', asOf: '2026-11-21T00:00:00Z' };
    });
    actions.load('a');
    expect(namesStatus(store.getState().rigs)).toBe('loaded');
    actions.loadGroups(['rigs']);
    expect(namesStatus(store.getState().rigs)).toBe('loading');
    release.resolve();
    await vi.waitFor(() => expect(store.getState().rigs.names.get(8)).toBe('Patriot 101'));
    expect(namesStatus(store.getState().rigs)).toBe('loaded');
  });

  it('that could not be fetched are requested again, while the earlier ones stay', async () => {
    let works = true;
    const { store, actions } = directoryOf(async function* rigs() {
      if (!works) throw new AppError('internal', { problem: 'no link' });
      yield { kind: 'items', source: 'service', items: [rig] };
      yield { kind: 'whole', source: 'service', asOf: '2026-11-21T00:00:00Z' };
    });
    actions.load('a');
    actions.loadGroups(['rigs']);
    await vi.waitFor(() => expect(store.getState().rigs.freshness.asOf).not.toBeNull());
    works = false;
    actions.again();
    expect(store.getState().rigs.names.size).toBe(1);
    await vi.waitFor(() => expect(namesStatus(store.getState().rigs)).toBe('failed'));
    works = true;
    actions.again();
    await vi.waitFor(() => expect(namesStatus(store.getState().rigs)).toBe('loaded'));
    expect(store.getState().rigs.names.get(8)).toBe('Patriot 101');
  });
});
