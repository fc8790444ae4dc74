import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { fileWith } from '../../../main/features/upload/support/files.ts';
import { wellWith } from '../../../support/wells.ts';
import type { GrantedFile } from '../../../../src/shared/files/files.ts';
import type { Proposals } from '../../../../src/shared/upload/proposals.ts';
import {
  fileName,
  hasUnsavedWork,
  isMatchReady,
} from '../../../../src/renderer/features/upload/upload-state.ts';
import { uploadKind } from '../../../../src/renderer/features/upload/upload-kind.ts';
import { datasetOf, platformWith, uploadTab } from './window.ts';

const time = datasetOf('time');
/** A file without a well. */
const unnamed = 'Time,crew,ROP\n2026-01-02T03:04:05Z,A-1,12.5\n2026-01-02T03:04:06Z,A-1,13\n';
const rig = 'Time,asset,ROP\n2026-01-02T03:04:05Z,A-1,12.5\n2026-01-02T03:04:06Z,A-1,13\n';

async function opened(content: string | Uint8Array, options: Parameters<typeof uploadTab>[0] = {}) {
  const tab = uploadTab(options);
  await tab.actions.accept(tab.grant(await fileWith(content)));
  await tab.settled();
  return tab;
}

describe('fields that are proposed for columns', () => {
  const proposals: Proposals = {
    columns: [{ column: 'ROP', match: null, others: [], newField: 'data.rate', isEmpty: false }],
    fields: [],
    storedUnits: {},
    requiresWell: false,
    otherIndex: null,
  };

  it('that come late are waited for, so that no upload stores its columns under other names', async () => {
    const late = Promise.withResolvers<Proposals>();
    let calls = 0;
    const tab = uploadTab({
      dataset: time,
      wells: [wellWith(5001)],
      propose() {
        calls += 1;
        return late.promise;
      },
    });
    const named = unnamed.replace('Time,crew', 'timestamp,asset_id').replaceAll('A-1', '5001');
    const accepted = tab.actions.accept(tab.grant(await fileWith(named)));
    await expect.poll(() => tab.state().proposals.status).toBe('loading');
    expect(isMatchReady(tab.state())).toBe(false);
    // A choice of the user starts another match, which needs the same proposals.
    tab.actions.setNulls(['-1']);
    tab.actions.setNulls(['-2']);
    await expect.poll(() => tab.state().match.value?.ready).toBe(true);
    await tab.actions.goToStep('check');
    expect([tab.state().check.status, isMatchReady(tab.state())]).toEqual(['none', false]);
    late.resolve(proposals);
    await accepted;
    await tab.settled();
    expect(tab.mapping().columns['ROP']).toEqual({ to: 'data.rate' });
    expect([isMatchReady(tab.state()), calls]).toEqual([true, 1]);
    await expect
      .poll(() => tab.started.map(({ mapping }) => mapping?.columns['ROP']?.to))
      .toEqual(['data.rate']);
  });

  it('that can’t be loaded leave the columns under their own names, and are requested with the next match', async () => {
    let calls = 0;
    const tab = await opened(unnamed, {
      dataset: time,
      wells: [wellWith(5001)],
      async propose() {
        calls += 1;
        throw new AppError('cancelled', {});
      },
    });
    expect(tab.mapping().columns['ROP']).toBeUndefined();
    expect(tab.state().match.value?.columns.find(({ column }) => column === 'ROP')?.to).toBe('data.ROP');
    expect(calls).toBe(1);
  });
});

describe('dates and times of day in two columns', () => {
  const split = 'Date,Time,ROP\n03/14/2024,10:00,1\n03/15/2024,11:30,2\n';

  it('are joined when the match is certain, offered together after an undo, and joined with one selection', async () => {
    const tab = await opened(split, { dataset: time, wells: [wellWith(5001)] });
    const offered = () => tab.state().match.value?.fields.find(({ path }) => path === 'timestamp')?.joins;
    expect(tab.mapping().columns).toEqual({ Date: { to: 'timestamp', join: ['Time'] } });
    tab.actions.fill('timestamp', { from: 'nothing' });
    await tab.settled();
    expect(offered()).toEqual([{ column: 'Date', join: ['Time'] }]);
    tab.actions.fill('timestamp', { from: 'column', column: 'Date' });
    await tab.settled();
    expect(tab.state().match.value?.warnings).toContainEqual(
      expect.objectContaining({ code: 'time_of_day_unused', column: 'Date', cell: 'Time' }),
    );
    tab.actions.joinColumn('Date', ['Time']);
    await tab.settled();
    const [date, clock] = tab.state().match.value?.columns ?? [];
    expect(date).toMatchObject({ to: 'timestamp', reading: { format: 'M/d/yyyy H:mm' } });
    expect(date?.examples[1]).toMatchObject({ cell: '03/15/2024 11:30', problem: null });
    expect(clock).toMatchObject({ to: null, joinedTo: 'Date' });
    expect([offered(), tab.mapping().columns['Date']?.join]).toEqual([[], ['Time']]);
    await tab.actions.saveTemplate('split');
    const { templates } = tab.state();
    const [template] = templates.status === 'loaded' ? templates.value.templates : [];
    expect(template?.mapping.columns['Date']).toEqual({ to: 'timestamp', join: ['Time'] });
    tab.actions.joinColumn('Date', []);
    await tab.settled();
    expect(tab.mapping().columns['Date']).toEqual({ to: 'timestamp' });
  });
});

describe('the zone of local times', () => {
  const local = 'timestamp,rop\n2024-03-14 10:00,1\n2024-03-14 11:00,2\n';
  const inZone = (assetId: number, timeZone: string) => ({ ...wellWith(assetId), timeZone });
  const listed = [inZone(5001, 'America/Chicago'), inZone(5002, 'America/Denver')];

  it('is that of their well, until another is selected', async () => {
    const tab = await opened(local, { dataset: time, wells: [wellWith(5001)], listed });
    await tab.settled();
    expect(tab.state().wellZone).toMatchObject({ zone: 'America/Chicago', well: 'W-5001' });
    expect(tab.mapping().columns).toEqual({ timestamp: { to: 'timestamp', zone: 'America/Chicago' } });
    expect(tab.state().match.value?.warnings.map(({ code }) => code)).not.toContain('zone_assumed');
    tab.actions.fill('asset_id', { from: 'constant', text: '5002' });
    await tab.settled();
    expect(tab.mapping().columns['timestamp']?.zone).toBe('America/Denver');
    tab.actions.mapColumn('timestamp', { to: 'timestamp', zone: 'UTC' });
    await tab.settled();
    expect(tab.mapping().columns['timestamp']?.zone).toBe('UTC');
  });

  it.each(['asset_id', 'asset'])('is that of the wells in a column of ids: %s', async (column) => {
    const two = `${column},timestamp\n5001,2024-03-14 10:00\n5003,2024-03-14 11:00\n`;
    const tab = await opened(two, { dataset: time, listed: [...listed, inZone(5003, 'America/Chicago')] });
    const [ids, times] = tab.state().match.value?.columns ?? [];
    expect([ids?.to, times?.reading?.zone]).toEqual(['asset_id', 'America/Chicago']);
  });

  it('is that of their well in a second and a third file of the tab too', async () => {
    const tab = await opened(local, { dataset: time, wells: [wellWith(5001)], listed });
    await tab.settled();
    for (const well of ['5001', '5002', '5001']) {
      await tab.actions.accept(tab.grant(await fileWith(local)));
      await tab.settled();
      tab.actions.fill('asset_id', { from: 'constant', text: well });
      await tab.settled();
      const zone = well === '5001' ? 'America/Chicago' : 'America/Denver';
      expect(tab.mapping().columns['timestamp']?.zone).toBe(zone);
    }
  });

  it('that is found only after the check of all rows has started needs another check', async () => {
    const { promise: wells, resolve } = Promise.withResolvers<typeof listed>();
    const tab = uploadTab({ dataset: time, wells: [wellWith(5001)], findWells: () => wells });
    await tab.actions.accept(tab.grant(await fileWith(local)));
    await tab.actions.goToStep('check');
    expect(tab.state().check).toMatchObject({ status: 'started', job: 'job-0001' });
    resolve(listed.filter(({ assetId }) => assetId === 5001));
    await tab.settled();
    await expect.poll(() => tab.state().check).toMatchObject({ status: 'started', job: 'job-0002' });
    expect(tab.dropped).toEqual(['job-0001']);
    expect(tab.started.map(({ mapping }) => mapping?.columns['timestamp']?.zone)).toEqual([
      undefined,
      'America/Chicago',
    ]);
  });

  it('that is found after the check has started needs no other check if no time depends on it', async () => {
    const unix = 'asset_id,timestamp\n5001,1710410400000\n5001,1710410401000\n';
    const { promise: wells, resolve } = Promise.withResolvers<typeof listed>();
    const tab = await opened(unix, { dataset: time, findWells: () => wells });
    await tab.actions.goToStep('check');
    expect(tab.state().check).toMatchObject({ status: 'started', job: 'job-0001' });
    resolve(listed.filter(({ assetId }) => assetId === 5001));
    await tab.settled();
    expect(tab.state().check).toMatchObject({ status: 'started', job: 'job-0001' });
  });

  it('is looked up again at the next match if the lookup failed', async () => {
    let isFailing = true;
    const tab = await opened(local, {
      dataset: time,
      wells: [wellWith(5001)],
      findWells: async () => {
        if (isFailing) throw new AppError('cancelled', {});
        return listed.filter(({ assetId }) => assetId === 5001);
      },
    });
    expect(tab.state().wellZone).toBeNull();
    isFailing = false;
    tab.actions.setNulls(['-1']);
    await tab.settled();
    expect(tab.state().wellZone?.zone).toBe('America/Chicago');
  });

  it('stays while the platform doesn’t answer, unless the rows are given another well', async () => {
    let isFailing = false;
    const tab = await opened(local, {
      dataset: time,
      wells: [wellWith(5001)],
      findWells: async (assets) => {
        if (isFailing) throw new AppError('cancelled', {});
        return listed.filter(({ assetId }) => assets.includes(assetId));
      },
    });
    isFailing = true;
    tab.actions.mapColumn('timestamp', { to: 'timestamp', format: 'yyyy-MM-dd H:mm' });
    await tab.settled();
    expect(tab.mapping().columns['timestamp']?.zone).toBe('America/Chicago');
    tab.actions.fill('asset_id', { from: 'constant', text: '5002' });
    await tab.settled();
    expect(tab.mapping().columns['timestamp']?.zone).toBeUndefined();
  });

  it('is that of the wells whose names are known, and needs no request when other columns change', async () => {
    const named = `Well,${local.replace('\n2024', '\nA 1,2024').replace('\n2024', '\nB 2,2024')}`;
    const requests: unknown[] = [];
    const services = platformWith(async () => [{ ...inZone(5001, 'America/Chicago'), name: 'A 1' }]);
    const platformOf = () => ({
      ...services,
      platform: {
        ...services.platform,
        list(...[entity, params, options]: Parameters<typeof services.platform.list>) {
          requests.push(params);
          return services.platform.list(entity, params, options);
        },
      },
    });
    const tab = await opened(named, { dataset: time, platformOf });
    tab.actions.mapColumn('Well', { to: 'asset_id', by: 'name' });
    await tab.settled();
    expect(tab.state().wellZone?.zone).toBe('America/Chicago');
    requests.length = 0;
    tab.actions.mapColumn('rop', { to: 'data.rate' });
    await tab.settled();
    expect([tab.state().wellZone?.zone, requests]).toEqual(['America/Chicago', []]);
  });

  it('is that of the file, if it names one', async () => {
    for (const header of ['timestamp (UTC)', 'Time UTC']) {
      const text = local.replace('timestamp', header);
      const tab = await opened(text, { dataset: time, wells: [wellWith(5001)], listed });
      tab.actions.fill('timestamp', { from: 'column', column: header });
      await tab.settled();
      expect(tab.mapping().columns[header]?.zone).toBeUndefined();
      const [times] = tab.state().match.value?.columns ?? [];
      expect(times).toMatchObject({ zoneOfFile: 'UTC', reading: { zone: 'UTC' } });
      expect(times?.examples[0]?.value).toBe(String(Date.UTC(2024, 2, 14, 10)));
    }
  });

  it('is left to the user when the wells are in several zones, and is not part of a template', async () => {
    const two = 'asset_id,timestamp\n5001,2024-03-14 10:00\n5002,2024-03-14 11:00\n';
    const tab = await opened(two, { dataset: time, listed });
    expect(tab.state().wellZone).toBeNull();
    const one = await opened(local, { dataset: time, wells: [wellWith(5001)], listed });
    await one.actions.saveTemplate('local');
    const { templates } = one.state();
    expect(templates).toMatchObject({ value: { templates: [{ mapping: { columns: {} } }] } });
  });
});

describe('a file', () => {
  it('is shown, read completely, and matched as soon as there is a dataset', async () => {
    const tab = await opened(rig);
    expect(tab.state()).toMatchObject({
      preview: { status: 'loaded' },
      inspection: { status: 'loaded', value: { rows: 2 } },
      match: { value: null },
    });
    tab.actions.setDataset(time);
    await tab.settled();
    expect(tab.state().match.value?.columns).toHaveLength(3);
  });

  it('that isn’t a table is reported, and not processed further', async () => {
    const tab = await opened(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), { dataset: time });
    const { preview, inspection } = tab.state();
    expect(preview.status === 'failed' && preview.error.message).toContain('zip archive');
    expect(inspection.status).toBe('idle');
  });

  it('that can’t be read reports why, and another can be selected', async () => {
    const tab = uploadTab();
    await tab.actions.addFile(new File([], 'folder'));
    expect(tab.state().nextFile).toMatchObject({ status: 'failed', name: 'folder' });
    await tab.actions.accept(tab.grant(await fileWith(rig)));
    expect(tab.state().inspection.status).toBe('loaded');
  });

  it('stays with its mapping while another can’t be selected, fails, or is canceled', async () => {
    const transfers: PromiseWithResolvers<GrantedFile>[] = [];
    const tab = await opened(rig, {
      dataset: time,
      chooseSources: async () => {
        throw new AppError('internal', { problem: 'no dialog' });
      },
      transferFile(_file, signal) {
        const transfer = Promise.withResolvers<GrantedFile>();
        signal.addEventListener('abort', () => transfer.reject(new AppError('cancelled', {})));
        transfers.push(transfer);
        return transfer.promise;
      },
    });
    tab.actions.mapColumn('ROP', { to: 'data.rop' });
    await tab.settled();
    const { file, choices, preview, inspection, match } = tab.state();
    const current = { file, choices, preview, inspection, match };
    await tab.actions.choose();
    expect(tab.state()).toMatchObject({ ...current, nextFile: { status: 'failed' } });
    tab.actions.dismissNextFile();
    expect(tab.state().nextFile).toBeNull();
    const refused = tab.actions.addFile(new File([], 'a.csv'));
    expect(hasUnsavedWork(tab.state())).toBe(true);
    transfers[0]?.reject(new AppError('file_unreadable', { file: 'a.csv', reason: 'it is a folder' }));
    await refused;
    expect(tab.state()).toMatchObject({ ...current, nextFile: { status: 'failed' } });
    const canceled = tab.actions.addFile(new File([], 'b.csv'));
    expect(tab.state().nextFile).toMatchObject({ status: 'transferring', name: 'b.csv' });
    tab.actions.cancelReading();
    await canceled;
    expect(tab.state()).toMatchObject({ ...current, nextFile: null });
    const added = tab.actions.addFile(new File([], 'c.csv'));
    transfers[2]?.resolve(tab.grant(await fileWith(unnamed)));
    await added;
    expect(tab.state().file).not.toEqual(file);
    expect([tab.state().nextFile, tab.state().choices.columns['ROP']]).toEqual([null, undefined]);
  });

  it('in another encoding than its start suggested is shown again', async () => {
    const late = `name\n${'plain\n'.repeat(200_000)}`;
    const tab = await opened(Buffer.concat([Buffer.from(late), Buffer.from([0xe9, 0x0a])]));
    expect(tab.state().inspection).toMatchObject({ value: { encoding: 'Windows-1252' } });
    expect(tab.state().preview).toMatchObject({ value: { encoding: 'Windows-1252' } });
  });

  it('keeps type, format, zone, and unit of a column whose target changes, as far as the new one takes them', async () => {
    const tab = await opened(rig, { dataset: time });
    const reading = { format: 'd/M/yyyy H:mm', zone: 'America/Chicago', join: ['ROP'] };
    tab.actions.mapColumn('A-1', { to: 'timestamp', ...reading });
    tab.actions.mapColumn('ROP', { to: 'data.rop', type: 'number', unit: 'm/h', fieldUnit: 'ft/h' });
    tab.actions.setTarget('A-1', 'data.start');
    tab.actions.setTarget('ROP', 'data.speed');
    expect(tab.state().choices.columns).toMatchObject({
      'A-1': { to: 'data.start', ...reading },
      ROP: { to: 'data.speed', type: 'number', unit: 'm/h' },
    });
    expect(tab.state().choices.columns['ROP']).not.toHaveProperty('fieldUnit');
    await tab.settled();
    tab.actions.setTarget('A-1', 'version');
    expect(tab.state().choices.columns['A-1']).toEqual({ to: 'version', join: ['ROP'] });
    tab.actions.setTarget('A-1', null);
    expect(tab.state().choices.columns['A-1']).toEqual({ skip: true });
    await tab.settled();
  });

  it('keeps the target of a column whose field was emptied', async () => {
    const tab = await opened(rig, { dataset: time });
    tab.actions.setTarget('ROP', 'data.speed');
    tab.actions.setTarget('ROP', '');
    await tab.settled();
    expect(tab.state().match).toMatchObject({ error: null });
    expect(tab.state().choices.columns['ROP']).toEqual({ to: 'data.speed' });
  });

  it('that can’t be selected leaves an upload without a name', async () => {
    const tab = uploadTab();
    await tab.actions.addSample();
    expect([tab.state().nextFile?.status, fileName(tab.state())]).toEqual(['failed', null]);
  });

  it('read with another format resets its column mapping, and so does another file', async () => {
    const tab = await opened(rig, { dataset: time });
    tab.actions.mapColumn('ROP', { to: 'data.rop' });
    await tab.actions.read({ headerRow: 2 });
    await tab.settled();
    expect(tab.state().choices.columns).toEqual({});
    expect(tab.state().preview).toMatchObject({ value: { headerRow: 2 } });
    tab.actions.mapColumn('A-1', { skip: true });
    await tab.actions.accept(tab.grant(await fileWith(rig)));
    expect(tab.state()).toMatchObject({
      dataset: time,
      choices: { columns: {} },
      reading: {},
    });
  });
});

describe('null values', () => {
  const broken =
    'Time,ROP\n2026-01-02T03:04:05Z,stuck\n2026-01-02T03:04:06Z,1\n2026-01-02T03:04:07Z,2\n2026-01-02T03:04:07Z,stuck\n';
  const typeOf = ({ inspection }: ReturnType<Awaited<ReturnType<typeof opened>>['state']>) =>
    inspection.status === 'loaded' ? inspection.value.columns[1]?.type : null;

  it('apply to the detected columns immediately, with and without a dataset', async () => {
    for (const options of [{}, { dataset: time }]) {
      const tab = await opened(`${broken}${'2026-01-02T03:04:08Z,3\n'.repeat(20)}`, options);
      expect(typeOf(tab.state())).toBe('string');
      tab.actions.treatAsNull('stuck');
      // Detected facts stay until more are known.
      expect(tab.state().inspection.status).toBe('loaded');
      await tab.settled();
      expect(typeOf(tab.state())).toBe('integer');
      expect(tab.state().choices.nulls).toEqual(['stuck']);
    }
  });

  it('stay when the format changes, and are reset with another file', async () => {
    const tab = await opened(broken, { dataset: time });
    tab.actions.setNulls(['stuck']);
    await tab.settled();
    await tab.actions.read({ footerRows: 1 });
    await tab.settled();
    expect(tab.state().choices.nulls).toEqual(['stuck']);
    expect(typeOf(tab.state())).toBe('integer');
    await tab.actions.accept(tab.grant(await fileWith(broken)));
    expect(tab.state().choices.nulls).toEqual([]);
  });
});

describe('an issue', () => {
  it('is fixed in place: zeros are restored', async () => {
    const tab = await opened('API\n420100001\n420100002\n', { dataset: datasetOf('reference') });
    const { inspection } = tab.state();
    expect(inspection.status === 'loaded' && inspection.value.warnings).toMatchObject([
      { code: 'lost_zeros', column: 'API', digits: 10 },
    ]);
    tab.actions.restoreZeros('API', 10);
    await tab.settled();
    expect(tab.state().match.value?.columns[0]?.examples[0]?.value).toBe('"0420100001"');
    // Wells are looked up with the zero too.
    const wells = { to: 'asset_id', by: 'api_number' } as const;
    tab.actions.mapColumn('API', wells);
    await tab.settled();
    tab.actions.restoreZeros('API', 10);
    expect(tab.state().choices.columns['API']).toEqual(wells);
  });

  it('is fixed in place: zeros of the identifiers of logs are restored', async () => {
    const text = 'asset_id,measured_depth,log_identifier\n5001,1.5,1072\n5001,2.5,01071\n5001,3.5,20003\n';
    const tab = await opened(text, { dataset: datasetOf('depth') });
    const codes = () => tab.state().match.value?.warnings.map(({ code }) => code);
    expect(codes()).toContain('lost_zeros');
    tab.actions.restoreZeros('log_identifier', 5);
    await tab.settled();
    expect(tab.state().match.value?.columns[2]?.examples[0]?.value).toBe('"01072"');
    expect(codes()).not.toContain('lost_zeros');
  });

  it('links to the column when more input is needed', async () => {
    const tab = await opened(rig, { dataset: time });
    tab.actions.goToColumn('Time');
    expect(tab.state()).toMatchObject({ step: 'columns', focusedColumn: 'Time' });
    tab.actions.clearFocus();
    expect(tab.state().focusedColumn).toBeNull();
  });
});

it.each([
  ['Well', 'A-1', 'name'],
  ['Rig', 'A-1', 'name'],
  ['API_Number', '4212345678', 'api_number'],
  ['API_Number', '4.2123E+09', 'api_number'],
  ['asset', '5001', undefined],
  ['asset', 'A-1', 'name'],
])('a column of wells, %s with %s, identifies them by %s', async (column, cell, by) => {
  const tab = await opened(`timestamp,${column}\n2026-01-02T03:04:05Z,${cell}\n`, { dataset: time });
  tab.actions.fill('asset_id', { from: 'nothing' });
  await tab.settled();
  tab.actions.fill('asset_id', { from: 'column', column });
  expect(tab.state().choices.columns[column]).toEqual({ to: 'asset_id', ...(by && { by }) });
});

describe('the columns', () => {
  it('are filled from the single selected well, once', async () => {
    const tab = await opened(unnamed, { dataset: time, wells: [wellWith(5003)] });
    expect(tab.state().choices.constants).toEqual({ asset_id: '5003' });
    tab.actions.fill('asset_id', { from: 'nothing' });
    await tab.settled();
    expect(tab.state().choices.constants).toEqual({});
  });

  it('are not filled from several wells, nor when a column has them, nor for a reference dataset', async () => {
    const several = await opened(rig, { dataset: time, wells: [wellWith(5003), wellWith(5004)] });
    expect(several.state().choices.constants).toEqual({});
    const column = await opened(rig.replace('asset', 'asset_id'), { dataset: time, wells: [wellWith(5003)] });
    expect(column.state().choices.constants).toEqual({});
    const reference = await opened(rig, { dataset: datasetOf('reference'), wells: [wellWith(5003)] });
    expect(reference.state().choices.constants).toEqual({});
  });

  it('are matched to wells when they contain names', async () => {
    const tab = await opened(rig, { dataset: time });
    tab.actions.fill('asset_id', { from: 'nothing' });
    await tab.settled();
    tab.actions.fill('asset_id', { from: 'column', column: 'asset' });
    expect(tab.state().choices.columns).toMatchObject({ asset: { to: 'asset_id', by: 'name' } });
    tab.actions.mapColumn('asset', { to: 'asset_id', by: 'id' });
    expect(tab.state().choices.columns).toMatchObject({ asset: { to: 'asset_id', by: 'id' } });
  });

  it('stay mapped in another dataset; values for all rows are reset with a dataset of another type', async () => {
    const tab = await opened(unnamed, { dataset: time, wells: [wellWith(5003)] });
    tab.actions.mapColumn('ROP', { to: 'data.rop' });
    tab.actions.setDataset(datasetOf('time', 'other'));
    await tab.settled();
    expect(tab.state().choices.constants).toEqual({ asset_id: '5003' });
    tab.actions.setDataset(datasetOf('timeseries'));
    await tab.settled();
    expect(tab.state().choices).toEqual({
      columns: { ROP: { to: 'data.rop' }, Time: { to: 'timestamp' } },
      constants: { 'metadata.asset_id': '5003' },
      nulls: [],
    });
  });

  it('are stored without a well in the dataset that the user confirmed this for, and in no other', async () => {
    const tab = await opened(unnamed, { dataset: time });
    tab.actions.fill('asset_id', { from: 'nowhere' });
    tab.actions.setDataset(time);
    expect(tab.state().choices.withoutWell).toBe(true);
    tab.actions.setDataset(datasetOf('time', 'other'));
    expect(tab.state().choices.withoutWell).toBeUndefined();
  });
});

describe('the job', () => {
  it('is started with the mapping that was matched', async () => {
    const tab = await opened(unnamed, { dataset: time, wells: [wellWith(5003)] });
    tab.actions.fill('timestamp', { from: 'column', column: 'Time' });
    await tab.settled();
    expect(tab.state().match.value?.ready).toBe(true);
    // Nothing is sent that wasn't checked.
    await tab.actions.send();
    expect(tab.started).toEqual([]);
    await tab.actions.check();
    await tab.actions.send();
    expect(tab.started).toMatchObject([
      { dryRun: true },
      {
        provider: 'demo',
        dataset: 'uploads.time',
        dryRun: false,
        checked: 'job-0001',
        mapping: { columns: { Time: { to: 'timestamp' } }, constants: { asset_id: 5003 }, rest: 'data' },
      },
    ]);
    expect(tab.state().send).toEqual({ status: 'started', job: 'job-0002' });
  });

  it('of a dry run is discarded when something changes, another starts, the rows are sent, or the tab is closed', async () => {
    const tab = await opened(rig, { dataset: time });
    await tab.actions.check();
    tab.actions.mapColumn('ROP', { to: 'data.rop' });
    expect(tab.dropped).toEqual(['job-0001']);
    await tab.actions.check();
    await tab.actions.check();
    expect(tab.dropped).toEqual(['job-0001', 'job-0002']);
    await tab.actions.send();
    expect(tab.dropped).toEqual(['job-0001', 'job-0002', 'job-0003']);
    expect(tab.started.map(({ dryRun }) => dryRun)).toEqual([true, true, true, false]);
    tab.actions.close();
    expect(tab.dropped).toHaveLength(3);
  });

  it('that is no longer what was checked is refused, and has to be checked again', async () => {
    const tab = await opened(rig, { dataset: time });
    await tab.actions.check();
    tab.refuse(new AppError('upload_changed', { file: 'rig.csv', parts: ['mapping', 'wells'] }));
    await tab.actions.send();
    expect(tab.state()).toMatchObject({ check: { status: 'none' }, send: { status: 'failed' } });
    await tab.actions.send();
    expect(tab.started).toHaveLength(2);
    await tab.actions.check();
    expect(tab.state().send).toEqual({ status: 'none' });
  });

  it('of a file whose earlier upload stopped is refused, and resumes that one, or is sent on purpose', async () => {
    const unfinished = (isRunning: boolean) =>
      new AppError('upload_repeated', { file: 'rig.csv', job: 'job-0000', isRunning, isUnfinished: true });
    const tab = await opened(rig, { dataset: time });
    await tab.actions.check();
    tab.refuse(unfinished(false));
    await tab.actions.send();
    await tab.actions.resumeEarlier();
    expect(tab.resumed).toEqual(['job-0000']);
    expect(tab.state()).toMatchObject({
      send: { status: 'started', job: 'job-0000' },
      check: { status: 'none' },
      // Its records are found by its own result, not by the columns of this tab.
      match: { value: null },
    });
    const other = await opened(rig, { dataset: time });
    await other.actions.check();
    other.refuse(unfinished(true));
    await other.actions.send();
    await other.actions.resumeEarlier();
    expect(other.resumed).toEqual([]);
    expect(other.state().send).toMatchObject({ job: 'job-0000' });
    const third = await opened(rig, { dataset: time });
    await third.actions.check();
    third.refuse(unfinished(false));
    await third.actions.send();
    third.refuse(null);
    await third.actions.send(true);
    expect(third.started.at(-1)).toMatchObject({ dryRun: false, again: true, checked: 'job-0001' });
  });

  it('that was rejected before it started lets the user return to earlier steps', async () => {
    const tab = await opened(rig, { dataset: time });
    const error = new AppError('connection_read_only', { connection: 'North Ridge' });
    await tab.actions.check();
    tab.refuse(error);
    await tab.actions.send();
    const { send } = tab.state();
    expect(send.status === 'failed' && send.error.message).toContain(error.message);
    expect(tab.state().file.status).toBe('ready');
  });
});

it('a value for blank cells is changed beside the columns of its field', async () => {
  const tab = await opened(rig, { dataset: time });
  tab.actions.mapColumn('ROP', { to: 'version' });
  tab.actions.mapColumn('asset', { to: 'asset_id', by: 'name' });
  await tab.settled();
  for (const [path, text] of [
    ['version', '1'],
    ['asset_id', '5003'],
  ] as const) {
    tab.actions.setConstant(path, text);
    await tab.settled();
    const { choices } = tab.state();
    tab.actions.setConstant(path, '5004');
    await tab.settled();
    expect(tab.state().choices).toEqual({ ...choices, constants: { ...choices.constants, [path]: '5004' } });
    expect(tab.state().match.value?.fields.find((field) => field.path === path)).toMatchObject({
      columns: [path === 'version' ? 'ROP' : 'asset'],
      constant: true,
    });
  }
});

it('cells of rejected rows that were edited stay with the tab, and are unsaved work', () => {
  const tab = uploadTab();
  const { content } = uploadKind.open(tab);
  const row = { line: 2, record: 2, cells: ['stuck'], reasons: [] };
  tab.fixes.forJob('job-0001').actions.edit(row, 0, '88');
  expect(tab.fixes.forJob('job-0001').store.getState().edits.get(2)?.get(0)).toBe('88');
  expect(content.hasUnsavedWork()).toBe(true);
  tab.fixes.forJob('job-0001').actions.edit(row, 0, 'stuck');
  expect(content.hasUnsavedWork()).toBe(false);
});

describe('a column that is skipped without a choice', () => {
  const named = 'Time,asset_id,well_name,ROP\n2026-01-02T03:04:05Z,5003,A-1,12.5\n';
  const targetOf = ({ state }: ReturnType<typeof uploadTab>, name: string) =>
    state().match.value?.columns.find(({ column }) => column === name)?.to;

  it('is included, alone or with others', async () => {
    const tab = await opened(named, { dataset: time });
    for (const columns of [['well_name'], ['Time', 'well_name', 'ROP']]) {
      expect(targetOf(tab, 'well_name')).toBeNull();
      tab.actions.includeColumns(columns, true);
      await tab.settled();
      expect(targetOf(tab, 'well_name')).toBe('data.well_name');
      expect(tab.state().choices.columns['ROP']).toBeUndefined();
      tab.actions.mapColumn('well_name', null);
      await tab.settled();
    }
  });

  it('is included alone only if a file of rejected rows adds it', async () => {
    const tab = await opened(
      'Time,ROP,rejected_line,rejected_code,rejected_message\n2026-01-02T03:04:05Z,1,2,x,y\n',
      { dataset: time },
    );
    tab.actions.includeColumns(['Time', 'ROP', 'rejected_line'], true);
    await tab.settled();
    expect(targetOf(tab, 'rejected_line')).toBeNull();
    tab.actions.includeColumns(['rejected_line'], true);
    await tab.settled();
    expect(targetOf(tab, 'rejected_line')).toBe('data.rejected_line');
  });

  it('is included although it has no values', async () => {
    const columns = [{ column: 'ROP', match: null, others: [], newField: 'data.rate', isEmpty: true }];
    const tab = await opened(unnamed, {
      dataset: time,
      propose: async () => ({ columns, fields: [], storedUnits: {}, requiresWell: false, otherIndex: null }),
    });
    expect(targetOf(tab, 'ROP')).toBeNull();
    tab.actions.includeColumns(['ROP'], true);
    await tab.settled();
    expect(targetOf(tab, 'ROP')).toBe('data.ROP');
  });
});

it('a value for all rows is a number in another dataset too', async () => {
  const tab = await opened(rig.replace('Time', 'timestamp'), { dataset: time, wells: [wellWith(5003)] });
  tab.actions.setDataset(datasetOf('time', 'other'));
  await tab.settled();
  expect(tab.state().match.value).toMatchObject({ ready: true, issues: [] });
});
