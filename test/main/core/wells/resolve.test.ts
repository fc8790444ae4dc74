import { describe, expect, it } from 'vitest';
import { resolveNames } from '../../../../src/main/core/wells/wells.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';

const servers = useServers();
const open = useServices();

interface Known {
  readonly id: number;
  readonly asset: number;
  readonly name: string;
  readonly api?: string;
}
// The asset id of the first is the platform's id of the last.
const known: readonly Known[] = [
  { id: 1, asset: 1001, name: 'Ridge 1', api: '42-123-45678' },
  { id: 2, asset: 1002, name: 'Twin', api: '42-123-45679' },
  { id: 3, asset: 1003, name: 'TWIN ', api: '4212345679' },
  { id: 4, asset: 1004, name: 'Twin peak', api: '42-123-45680-00-00' },
  { id: 1001, asset: 2001, name: 'Basin 7' },
  { id: 6, asset: 12, name: 'Basin 8' },
  { id: 7, asset: 2002, name: '0012' },
];
const digits = (text = '') => text.replace(/\D/g, '');
const well = ({ id, asset, name, api }: Known) => ({
  id,
  type: 'well',
  attributes: { name, asset_id: asset, ...(api ? { api_number: api } : {}) },
});
const asAsset = ({ asset, name }: Known) => ({
  id: asset,
  type: 'asset',
  attributes: { name, type: 'well' },
});

/** A platform with these wells; `ignores`: it ignores the filter by asset ids, and returns all of them. */
async function platformOf({ ignores = false } = {}) {
  const server = await servers.http(({ url: { pathname, searchParams: of } }) => {
    if ((of.get('page') ?? '1') !== '1') return { data: [] };
    const search = of.get('search')?.toLowerCase();
    if (pathname.endsWith('/assets')) {
      const numbers = of.getAll('api_number[]');
      const found = known.filter(({ api }) =>
        search === undefined ? numbers.includes(digits(api)) : digits(api).includes(search),
      );
      return { data: found.map(asAsset) };
    }
    const ids = of.getAll('asset_id[]');
    const found = known.filter(
      ({ asset, name }) =>
        (ids.length === 0 || ignores || ids.includes(String(asset))) &&
        (search === undefined || name.toLowerCase().includes(search)),
    );
    return { data: found.map(well) };
  });
  return { platform: open(server.url).platform, seen: server.seen };
}

async function resolving(names: string[], options?: { ignores: boolean }) {
  const { platform } = await platformOf(options);
  const resolved = await resolveNames(platform, names, {});
  return resolved.map(({ name, wells }) => `${name}: ${wells.map(({ platformId }) => platformId).join(' ')}`);
}

describe('names that are looked up', () => {
  it('match wells by API number, with and without dashes, and by its start', async () => {
    expect(await resolving(['42-123-45678', '4212345678', '42-123-45680'])).toEqual([
      '42-123-45678: 1',
      '4212345678: 1',
      '42-123-45680: 4',
    ]);
  });

  it('match wells by their whole name, in any case', async () => {
    expect(await resolving(['ridge 1', 'Twin peak', 'Ridge'])).toEqual([
      'ridge 1: 1',
      'Twin peak: 4',
      'Ridge: ',
    ]);
  });

  it('match several wells with the same name or number', async () => {
    expect(await resolving(['Twin', '42-123-45679'])).toEqual(['Twin: 2 3', '42-123-45679: 2 3']);
  });

  it('match an asset id, never a platform id', async () => {
    expect(await resolving(['1001', '2001', '1'])).toEqual(['1001: 1', '2001: 1001', '1: ']);
  });

  it('match no asset id with zeros before it: that is a name', async () => {
    expect(await resolving(['12', '0012', '001001'])).toEqual(['12: 6', '0012: 7', '001001: ']);
  });

  it('don’t match all wells of a service that ignores the filter', async () => {
    expect(await resolving(['1001', '42-123-45678', '7777'], { ignores: true })).toEqual([
      '1001: 1',
      '42-123-45678: 1',
      '7777: ',
    ]);
  });

  it('don’t read the complete list of such a service for a number', async () => {
    const { platform, seen } = await platformOf({ ignores: true });
    await resolveNames(platform, ['7777'], {});
    expect(seen.filter(({ url }) => url.searchParams.has('asset_id[]'))).toHaveLength(1);
  });

  it('return in their own order, one match for each, even with duplicates', async () => {
    expect(await resolving(['nobody', 'Basin 7', 'nobody'])).toEqual([
      'nobody: ',
      'Basin 7: 1001',
      'nobody: ',
    ]);
  });
});
