import { describe, expect, it } from 'vitest';
import { wellQuestion } from '../../../../../src/renderer/features/upload/wells/file-wells.ts';
import { wellWith } from '../../../../support/wells.ts';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';
import { fileWith } from '../../../../main/features/upload/support/files.ts';
import { datasetOf, uploadTab } from '../window.ts';

const servers = useServers();
const services = useServices();
const time = datasetOf('time');

const wells = [
  { id: 1, type: 'well', attributes: { name: 'Badger 1H', asset_id: 5001, api_number: '33-053-00001' } },
  { id: 2, type: 'well', attributes: { name: 'Badger 2H', asset_id: 5002, api_number: '33-053-00002' } },
];

/** A tab with a file, and a platform with two wells. @param selected the asset id of the selected well */
async function opened(content: string, selected: number | null, dataset = time) {
  const server = await servers.http(({ url }) => {
    const search = url.searchParams.get('search')?.toLowerCase() ?? '';
    if (url.pathname.includes('/wells'))
      return { data: wells.filter(({ attributes }) => attributes.name.toLowerCase().includes(search)) };
    const wanted = url.searchParams.getAll('api_number[]').concat(url.searchParams.getAll('api_number'));
    return {
      data: wells
        .filter(({ attributes }) => wanted.includes(attributes.api_number.replaceAll('-', '')))
        .map(({ attributes: { asset_id, ...attributes } }) => ({ id: asset_id, type: 'well', attributes })),
    };
  });
  const tab = uploadTab({
    dataset,
    wells: selected === null ? [] : [wellWith(selected)],
    platformOf: () => services(server.url),
  });
  await tab.actions.accept(tab.grant(await fileWith(content)));
  await tab.settled();
  return tab;
}
const question = (tab: Awaited<ReturnType<typeof opened>>) => wellQuestion(tab.state());
const rows = (name: string, ...values: string[]) =>
  `timestamp,${name},ROP\n${values.map((value, at) => `2026-01-02T03:04:0${at}Z,${value},${at}\n`).join('')}`;

describe('a column of wells takes precedence over the selected well', () => {
  it.each([
    ['well', 'Badger 1H', 'name'],
    ['Well Name', 'Badger 1H', 'name'],
    ['API Number', '33-053-00001', 'api_number'],
    ['UWI', '33-053-00001', 'api_number'],
    ['wlbWellboreName', 'Badger 1H', 'name'],
  ])('%s', async (column, value, by) => {
    const tab = await opened(rows(column, value, value), 5001);
    expect(tab.state().choices).toMatchObject({
      columns: { [column]: { to: 'asset_id', by } },
      constants: {},
    });
    // It names the selected well: there is no conflict.
    expect(question(tab)).toBeNull();
  });

  it('and blocks the step with the wells of the file when they differ', async () => {
    const tab = await opened(rows('well', 'Badger 1H', 'Badger 2H', 'Nobody'), 5001);
    expect(question(tab)).toMatchObject({
      kind: 'selection',
      well: { path: 'asset_id', assetId: 5001 },
      names: [
        { value: 'Badger 2H', line: 3, assetId: 5002 },
        { value: 'Nobody', line: 4, assetId: null },
      ],
    });
    tab.actions.selectFileWells();
    await tab.settled();
    expect(question(tab)).toBeNull();
    expect(tab.mapping()).toMatchObject({ columns: { well: { to: 'asset_id', by: 'name' } }, constants: {} });
  });

  it('even when it contains asset ids', async () => {
    const tab = await opened(rows('asset_id', '5001', '5002'), 5001);
    expect(question(tab)).toMatchObject({ kind: 'selection', names: [{ value: '5002', assetId: 5002 }] });
  });

  it('until the user stores all rows under the one well, after seeing the names', async () => {
    const tab = await opened(rows('well', 'Badger 2H', 'Nobody'), 5001);
    tab.actions.selectOneWell();
    await tab.settled();
    expect(question(tab)).toBeNull();
    expect(tab.mapping()).toMatchObject({
      constants: { asset_id: 5001 },
      confirmedWells: ['Badger 2H', 'Nobody'],
    });
    // Another well is another decision.
    tab.actions.fill('asset_id', { from: 'constant', text: '5002' });
    await tab.settled();
    expect(question(tab)).toMatchObject({ kind: 'constant', names: [{ value: 'Nobody' }] });
  });

  it('and its numbers are looked up, never used as asset ids', async () => {
    const tab = await opened(rows('well', '7', '7'), 5001);
    expect(tab.state().choices.columns).toEqual({ well: { to: 'asset_id', by: 'name' } });
    expect(question(tab)).toMatchObject({ names: [{ value: '7', assetId: null }] });
  });

  it.each(['Well status', 'API gravity', 'well_type', 'Wellhead pressure'])(
    'but %s isn’t a column of wells',
    async (column) => {
      const tab = await opened(rows(column, 'x', 'y'), 5001);
      expect(tab.state().choices.constants).toEqual({ asset_id: '5001' });
      expect(question(tab)).toBeNull();
    },
  );
});

describe('one well for all rows', () => {
  it('that differs from a column of wells blocks the step', async () => {
    const tab = await opened(rows('well', 'Badger 2H'), null);
    tab.actions.fill('asset_id', { from: 'constant', text: '5001' });
    await tab.settled();
    expect(question(tab)).toMatchObject({ kind: 'constant', names: [{ value: 'Badger 2H', assetId: 5002 }] });
    tab.actions.selectFileWells();
    await tab.settled();
    expect(tab.mapping()).toMatchObject({ columns: { well: { to: 'asset_id', by: 'name' } }, constants: {} });
    expect(question(tab)).toBeNull();
  });

  it.each([
    ['asset_id', 'metadata.asset_id', 'timeseries'],
    ['metadata.asset_id', 'asset_id', 'time'],
  ] as const)('that differs from ids in %s, beside it, blocks the step', async (column, path, type) => {
    const tab = await opened(rows(column, '5002', '5001'), null, datasetOf(type));
    tab.actions.fill(path, { from: 'constant', text: '5001' });
    await tab.settled();
    expect(question(tab)).toMatchObject({ kind: 'constant', names: [{ column, value: '5002' }] });
    tab.actions.selectOneWell();
    await tab.settled();
    expect(question(tab)).toBeNull();
    expect(tab.mapping()).toMatchObject({ constants: { [path]: 5001 }, confirmedWells: ['5002'] });
    tab.actions.fill(path, { from: 'column', column });
    await tab.settled();
    expect(question(tab)).toBeNull();
    expect(tab.mapping()).toMatchObject({ columns: { [column]: { to: path } }, constants: {} });
  });

  it('is compared with the well in the lines before the header', async () => {
    const tab = await opened(`# Well: Badger 2H\n# Operator: Pelion\n${rows('depth', '1', '2')}`, 5001);
    expect(tab.state().choices.constants).toEqual({ asset_id: '5001' });
    expect(question(tab)).toMatchObject({
      kind: 'constant',
      names: [{ column: null, value: 'Badger 2H', line: 1, assetId: 5002 }],
    });
    tab.actions.selectFileWells();
    await tab.settled();
    expect(tab.mapping().constants).toEqual({ asset_id: 5002 });
    expect(question(tab)).toBeNull();
  });

  it('of one file does not apply to another file of the queue, whose rows have their own', async () => {
    const first = await opened(rows('well', 'Badger 1H'), null);
    first.actions.fill('asset_id', { from: 'constant', text: '5001' });
    await first.settled();
    const other = await opened(rows('well', 'Badger 2H'), null);
    expect(await other.actions.copySettings(first.state())).toBe(true);
    expect(other.mapping()).toMatchObject({
      columns: { well: { to: 'asset_id', by: 'name' } },
      constants: {},
    });
    expect(question(other)).toBeNull();
  });
});
