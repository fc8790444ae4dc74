import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import { storedUpload, toStoredUpload } from '../../../../../src/renderer/features/upload/upload-state.ts';
import { fileWith } from '../../../../main/features/upload/support/files.ts';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';
import { wellWith } from '../../../../support/wells.ts';
import { datasetOf, uploadTab } from '../window.ts';

const servers = useServers();
const services = useServices();

const las = (well: string): string =>
  `~V\n VERS. 2.0:\n~W\n WELL. ${well}:\n~C\n DEPT.M: depth\n GR.GAPI: gamma\n~A\n1.0 2\n`;

/** An upload of a file with this well; its lookup fails while `isOffline`. */
async function opened(
  well: string,
  {
    isOffline = () => false,
    ...more
  }: NonNullable<Parameters<typeof uploadTab>[0]> & { isOffline?: () => boolean } = {},
) {
  const wells = [
    { id: 1, type: 'well', attributes: { name: 'Twin', asset_id: 5003 } },
    { id: 2, type: 'well', attributes: { name: 'Twin', asset_id: 5004 } },
    { id: 3, type: 'well', attributes: { name: 'Lone', asset_id: 5005 } },
  ];
  const server = await servers.http(({ url }) => ({
    data: wells.filter(({ attributes }) => attributes.name === url.searchParams.get('search')),
  }));
  const tab = uploadTab({
    dataset: datasetOf('depth'),
    platformOf() {
      if (isOffline()) throw new AppError('cancelled', {});
      return services(server.url);
    },
    ...more,
  });
  await tab.actions.accept(tab.grant(await fileWith(las(well), 'log.las')));
  await tab.settled();
  return tab;
}

describe('the well in the header of a file', () => {
  it('is preselected, and another selection stays', async () => {
    const tab = await opened('Lone');
    expect(tab.state().choices.constants).toEqual({ asset_id: '5005' });
    tab.actions.fill('asset_id', { from: 'nothing' });
    await tab.settled();
    expect(tab.state().choices.constants).toEqual({});
  });

  it('that the user cleared stays cleared after a reload', async () => {
    const tab = await opened('Lone');
    tab.actions.fill('asset_id', { from: 'nothing' });
    await tab.settled();
    const { draft } = storedUpload.parse(JSON.parse(JSON.stringify(toStoredUpload(tab.state()))));
    const again = await opened('Lone');
    if (draft)
      await again.actions.restore({ ...draft, file: again.grant(await fileWith(las('Lone'), 'log.las')) });
    await again.settled();
    expect(again.state().match.value?.ready).toBe(false);
    expect(again.state().choices.constants).toEqual({});
  });

  it.each<[string, (tab: Awaited<ReturnType<typeof opened>>) => unknown]>([
    ['with another format', ({ actions }) => actions.read({ encoding: 'Windows-1252' })],
    ['in a dataset of another type', ({ actions }) => actions.setDataset(datasetOf('time'))],
  ])('is preselected again %s', async (_how, change) => {
    const tab = await opened('Lone');
    await change(tab);
    await tab.settled();
    expect(tab.state().choices.constants).toEqual({ asset_id: '5005' });
  });

  it('is selected when its lookup succeeds at the second try', async () => {
    let isOffline = true;
    const tab = await opened('Lone', { isOffline: () => isOffline });
    expect(tab.state()).toMatchObject({ wellNames: { status: 'failed' }, choices: { constants: {} } });
    isOffline = false;
    await tab.actions.loadWells();
    await tab.settled();
    expect(tab.state().choices.constants).toEqual({ asset_id: '5005' });
  });

  it.each(['Twin', 'Nobody'])('is not guessed when it is %s', async (well) => {
    const tab = await opened(well);
    expect(tab.state().choices.constants).toEqual({});
  });

  it('is compared with the well that was selected before', async () => {
    const tab = await opened('Lone', { wells: [wellWith(5003)] });
    expect(tab.state().choices.constants).toEqual({ asset_id: '5003' });
    expect(tab.state().wellNames).toMatchObject({
      status: 'loaded',
      value: [{ column: null, names: [{ value: 'Lone', assetId: 5005 }] }],
    });
  });
});
