import { describe, expect, it } from 'vitest';
import { namesToResolve, assignName } from '../../../../../src/renderer/features/upload/wells/file-wells.ts';
import { fileWith } from '../../../../main/features/upload/support/files.ts';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';
import { datasetOf, uploadTab } from '../window.ts';

const servers = useServers();
const services = useServices();
const rows = 'timestamp,Well\n1767225600000,Twin\n1767225601000,Lone\n1767225602000,Nobody\n';

/** An upload of a file with well names, and a platform that has three of them. */
async function naming() {
  const wells = [
    { id: 1, type: 'well', attributes: { name: 'Twin', asset_id: 5003 } },
    { id: 2, type: 'well', attributes: { name: 'Twin', asset_id: 5004 } },
    { id: 3, type: 'well', attributes: { name: 'Lone', asset_id: 5005 } },
  ];
  const server = await servers.http(({ url }) => ({
    data: wells.filter(({ attributes }) => attributes.name === url.searchParams.get('search')),
  }));
  const tab = uploadTab({ dataset: datasetOf('time'), platformOf: () => services(server.url) });
  await tab.actions.accept(tab.grant(await fileWith(rows)));
  await tab.settled();
  tab.actions.fill('asset_id', { from: 'column', column: 'Well' });
  await tab.settled();
  const names = () => {
    const { wellNames, choices } = tab.state();
    if (wellNames.status !== 'loaded') throw new Error(`the wells are ${wellNames.status}`);
    return namesToResolve(wellNames.value, choices).map(({ value, assetId, found }) => [
      value,
      assetId,
      found,
    ]);
  };
  return { tab, server, names };
}

describe('the well names of a file', () => {
  it('and the well for blank cells are those of the existing records', async () => {
    const { tab } = await naming();
    tab.actions.setConstant('asset_id', '5009');
    await tab.settled();
    await tab.actions.countExisting(false);
    expect(tab.counted.at(-1)?.query).toContain('asset_id: { $in: [5005, 5009] }');
  });

  it('are looked up as soon as a column has them, ambiguous ones first', async () => {
    const { names } = await naming();
    expect(names()).toEqual([
      ['Twin', null, 'several'],
      ['Nobody', null, 'none'],
      ['Lone', 5005, 'one'],
    ]);
  });

  it('are matched without another request, become part of the mapping, and can be unmatched', async () => {
    const { tab, server, names } = await naming();
    const requestCount = server.seen.length;
    tab.actions.assignWell('Well', 'Twin', 5004);
    await tab.settled();
    expect(names()[0]).toEqual(['Twin', 5004, 'settled']);
    expect(tab.mapping().columns['Well']).toEqual({ to: 'asset_id', by: 'name', wells: { Twin: 5004 } });
    tab.actions.assignWell('Well', 'TWIN', 5003);
    await tab.settled();
    expect(names()[0]).toEqual(['Twin', 5003, 'settled']);
    expect(tab.mapping().columns['Well']).toMatchObject({ wells: { TWIN: 5003 } });
    tab.actions.assignWell('Well', 'Twin', null);
    await tab.settled();
    expect(names()[0]).toEqual(['Twin', null, 'several']);
    expect(tab.mapping().columns['Well']).toEqual({ to: 'asset_id', by: 'name' });
    expect(server.seen.length).toBe(requestCount);
  });

  it('are cleared when the column no longer has any', async () => {
    const { tab } = await naming();
    tab.actions.mapColumn('Well', { to: 'asset_id', by: 'id' });
    await tab.settled();
    expect(tab.state().wellNames.status).toBe('idle');
  });

  it('of a skipped column are not matched', () => {
    const choices = { columns: { Well: { skip: true } }, constants: {}, nulls: [] } as const;
    expect(assignName(choices, 'Well', 'Twin', 1)).toBe(choices);
  });
});
