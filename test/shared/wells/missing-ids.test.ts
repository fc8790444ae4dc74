import { describe, expect, it } from 'vitest';
import { MissingIds } from '../../../src/shared/wells/wells.ts';

/** What is missing of a filter after the service sent these attributes. */
function missingOf(filter: Record<string, unknown>, ...entities: Record<string, unknown>[]): string[] {
  const missing = new MissingIds(filter);
  missing.remove(entities.map((attributes, index) => ({ id: index + 1, attributes })));
  return missing.texts;
}

describe('the ids of a filter that no entity has', () => {
  const filter = { api_number: ['42-123-45678', '42-123-99999'] };

  it('are named as they were written, whatever the notation of the service', () => {
    expect(missingOf(filter, { api_number: '4212345678' })).toEqual(['42-123-99999']);
    expect(missingOf({ ids: [1, 3] }, { asset_id: 7 })).toEqual(['3']);
    expect(missingOf({ asset_id: [7, 8] }, { asset_id: 7 })).toEqual(['8']);
  });

  it('are not those of a number in the settings of an asset', () => {
    expect(missingOf(filter, { settings: { api_number: '4212345678' } })).toEqual(['42-123-99999']);
  });

  it('are none when an entity could exist that another condition excludes, or that doesn’t tell its id', () => {
    const sorting = { sort: 'name', order: 'asc', per_page: 20, status: undefined };
    expect(missingOf({ asset_id: [1, 2], ...sorting }, { asset_id: 1 })).toEqual(['2']);
    expect(missingOf({ asset_id: [1, 2], status: 'active' }, { asset_id: 1 })).toEqual([]);
    expect(missingOf({ ids: [1, 2], asset_id: [7] }, { asset_id: 7 })).toEqual([]);
    expect(missingOf({ asset_id: [1, 2], fields: ['well.asset_id'] }, { asset_id: 1 })).toEqual([]);
  });

  it('are none when an entity doesn’t tell its number', () => {
    expect(missingOf(filter, { name: 'A-1' })).toEqual([]);
  });
});
