import { describe, expect, it } from 'vitest';
import { wellNames } from '../../../../src/main/features/export/details.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';

const servers = useServers();
const open = useServices();

/** A platform with wells 1001 to 1120 and a well without an asset id; `ignores`: the filter by asset ids. */
async function platform({ ignores = false } = {}) {
  const wells = Array.from({ length: 120 }, (_, n) => ({ asset_id: 1001 + n, name: `Well ${n + 1}` }));
  const { url, seen } = await servers.http(({ url: { searchParams: of } }) => {
    const ids = of.getAll('asset_id[]');
    if ((of.get('page') ?? '1') !== '1') return { data: [] };
    const listed = wells.filter(
      ({ asset_id: id }) => ids.length === 0 || ignores || ids.includes(String(id)),
    );
    return {
      data: [...listed, { name: 'No asset' }].map((attributes, id) => ({
        id: id + 1,
        type: 'well',
        attributes,
      })),
    };
  });
  return { service: open(url).platform, seen };
}

describe('the names of wells', () => {
  it.each([{ ignores: false }, { ignores: true }])('are looked up by asset id (%o)', async (fault) => {
    const { service } = await platform(fault);
    const ids = [1002, 7, ...Array.from({ length: 60 }, (_, n) => 1011 + n)];
    const names = await wellNames(service, ids, {});
    expect(names['1002']).toBe('Well 2');
    expect(Object.keys(names)).toHaveLength(61);
  });

  it('are those of all wells without ids', async () => {
    const { service } = await platform();
    expect(Object.keys(await wellNames(service, null, {}))).toHaveLength(120);
  });
});
