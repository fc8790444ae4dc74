import { describe, expect, it } from 'vitest';
import { missingFields } from '../../../../../src/renderer/features/upload/columns/fields.ts';
import { wellNamedByFile } from '../../../../../src/renderer/features/upload/wells/file-wells.ts';
import type { WellColumn } from '../../../../../src/shared/upload/proposals.ts';
import { fileWith } from '../../../../main/features/upload/support/files.ts';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';
import { wellWith } from '../../../../support/wells.ts';
import { datasetOf, uploadTab } from '../window.ts';

const names = (column: string | null, ...assetIds: (number | null)[]): WellColumn => ({
  column,
  by: 'name',
  names: assetIds.map((assetId, line) => ({
    value: `W-${assetId}`,
    line,
    assetId,
    found: assetId === null ? 'none' : 'one',
    candidates: [],
  })),
});
const inName = [{ assetId: 5005, name: 'Lone', apiNumber: null }];

describe('the well that a file names', () => {
  it('is that of its rows, else of its header, else of its name', () => {
    const rows = names('Well', 5001, null, 5002);
    expect(wellNamedByFile([rows, names(null, 5003)], inName)).toEqual({
      from: 'rows',
      column: 'Well',
      count: 2,
    });
    expect(wellNamedByFile([names('Remark', null), names(null, 5003)], inName)).toEqual({
      from: 'header',
      assetId: 5003,
      name: 'W-5003',
    });
    expect(wellNamedByFile([names('Remark', null)], inName)).toMatchObject({
      from: 'fileName',
      assetId: 5005,
    });
  });

  it('is open where several are meant', () => {
    expect(wellNamedByFile([names(null, 5003, 5004)], inName)).toBeNull();
    expect(wellNamedByFile([], [...inName, { assetId: 5006, name: 'Lone', apiNumber: null }])).toBeNull();
    expect(wellNamedByFile([], [])).toBeNull();
  });
});

describe('a dataset whose records have wells', () => {
  const servers = useServers();
  const services = useServices();
  const opened = async (more: Parameters<typeof uploadTab>[0]) => {
    const server = await servers.http(() => ({ data: [] }));
    const tab = uploadTab({
      dataset: datasetOf('reference'),
      platformOf: () => services(server.url),
      wellsInName: inName,
      ...more,
    });
    await tab.actions.accept(tab.grant(await fileWith('name,md\na,1\nb,2\n', 'Lone surveys.csv')));
    await tab.settled();
    return tab;
  };
  const missing = ({ state }: Awaited<ReturnType<typeof opened>>) =>
    missingFields(state().match.value ?? { fields: [] }).map(({ path }) => path);

  it('needs one for new records, too, and its file proposes it', async () => {
    const tab = await opened({ requiresWell: true });
    expect(missing(tab)).toEqual(['asset_id']);
    expect(tab.state().match.value?.ready).toBe(false);
    expect(tab.state().fileWell).toMatchObject({ value: { well: { from: 'fileName', assetId: 5005 } } });
    tab.actions.fill('asset_id', { from: 'constant', text: '5005' });
    await tab.settled();
    expect(missing(tab)).toEqual([]);
    expect(tab.state().match.value?.ready).toBe(true);
  });

  it('can be confirmed to be none, until one is selected', async () => {
    const tab = await opened({ requiresWell: true });
    tab.actions.fill('asset_id', { from: 'nowhere' });
    await tab.settled();
    expect(missing(tab)).toEqual([]);
    const { ready, warnings } = tab.state().match.value!;
    expect(ready).toBe(true);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'without_well', count: 2 }));
    tab.actions.fill('asset_id', { from: 'nothing' });
    await tab.settled();
    expect(missing(tab)).toEqual(['asset_id']);
  });

  it('gets the only selected well', async () => {
    const tab = await opened({ requiresWell: true, wells: [wellWith(5003)] });
    expect(tab.state().choices.constants).toEqual({ asset_id: '5003' });
  });

  it('with records without a well leaves it open', async () => {
    const tab = await opened({ wells: [wellWith(5003)] });
    expect(missing(tab)).toEqual([]);
    expect(tab.state()).toMatchObject({ choices: { constants: {} }, fileWell: { status: 'idle' } });
  });
});
