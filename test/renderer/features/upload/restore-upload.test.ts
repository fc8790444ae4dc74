import { expect, it } from 'vitest';
import {
  toStoredUpload,
  storedUpload,
  uploadDraft,
} from '../../../../src/renderer/features/upload/upload-state.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { GrantedFile } from '../../../../src/shared/files/files.ts';
import { fileWith } from '../../../main/features/upload/support/files.ts';
import { wellWith } from '../../../support/wells.ts';
import { datasetOf, uploadTab } from './window.ts';

const local = 'When,crew,ROP\n2026-01-02 03:04:05,A-1,12.5\n2026-01-02 03:04:06,A-1,13\n';
const listed = [{ ...wellWith(5003), timeZone: 'America/Chicago' }];

/** An upload with mapped columns, as stored on disk. */
async function startUpload() {
  const path = await fileWith(local);
  const tab = uploadTab({ dataset: datasetOf('time'), wells: [wellWith(5001)], listed });
  await tab.actions.accept(tab.grant(path));
  await tab.settled();
  tab.actions.fill('timestamp', { from: 'column', column: 'When' });
  tab.actions.fill('asset_id', { from: 'constant', text: '5003' });
  tab.actions.mapColumn('crew', { skip: true });
  tab.actions.setNulls(['13']);
  await tab.settled();
  tab.actions.setExistingMode('insert');
  void tab.actions.goToStep('columns');
  const { draft } = storedUpload.parse(JSON.parse(JSON.stringify(toStoredUpload(tab.state()))));
  if (!draft) throw new Error('nothing was kept');
  return { tab, path, draft };
}

it('a mapping that was not sent is restored after a reload, with the time zone', async () => {
  const { tab, path, draft } = await startUpload();
  const again = uploadTab({ dataset: datasetOf('time'), wells: [wellWith(5001)], listed });
  again.grant(path);
  await again.actions.restore(draft);
  await again.settled();
  expect(await again.actions.whenRestored()).toBe(true);
  expect(again.mapping()).toEqual(tab.mapping());
  expect(again.mapping().columns['When']).toMatchObject({ zone: 'America/Chicago' });
  const { step, existing, selectedWell, file } = again.state();
  expect({ step, existing, well: selectedWell?.assetId, file: file.status }).toEqual({
    step: 'columns',
    existing: 'insert',
    well: 5001,
    file: 'ready',
  });
});

it('a mapping is restored with its time zone while the platform doesn’t answer', async () => {
  const { tab, path, draft } = await startUpload();
  const again = uploadTab({
    dataset: datasetOf('time'),
    findWells: async () => {
      throw new AppError('cancelled', {});
    },
  });
  again.grant(path);
  await again.actions.restore(draft);
  expect(await again.actions.whenRestored()).toBe(true);
  expect(again.mapping()).toEqual(tab.mapping());
});

it('a draft that was stored before offers were is restored, and nothing is offered again', async () => {
  const { path, draft } = await startUpload();
  const { offers: _, proposedNulls: __, ...earlier } = draft;
  const choices = { ...draft.choices, constants: {} };
  const again = uploadTab({ dataset: datasetOf('time'), wells: [wellWith(5001)], listed });
  again.grant(path);
  await again.actions.restore(uploadDraft.parse({ ...earlier, choices }));
  await again.settled();
  expect(again.state().choices).toEqual(choices);
});

it('a file without a dataset has the datasets that it fits, after a reload too', async () => {
  const path = await fileWith(local);
  const [tab, again] = [uploadTab(), uploadTab()];
  await tab.actions.accept(tab.grant(path));
  await tab.settled();
  const { draft } = storedUpload.parse(toStoredUpload(tab.state()));
  again.grant(path);
  if (draft) await again.actions.restore(draft);
  await again.settled();
  expect([tab, again].map(({ state }) => state().fittingDatasets.status)).toEqual(['loaded', 'loaded']);
});

it('a selected well that the user cleared is not filled in again', async () => {
  const { tab, path } = await startUpload();
  tab.actions.fill('asset_id', { from: 'nothing' });
  await tab.settled();
  const { draft } = storedUpload.parse(toStoredUpload(tab.state()));
  const again = uploadTab({ dataset: datasetOf('time'), wells: [wellWith(5001)], listed });
  again.grant(path);
  if (draft) await again.actions.restore(draft);
  await again.settled();
  expect(again.state().choices.constants).toEqual({});
  expect(await again.actions.whenRestored()).toBe(false);
});

it('a missing file is reported; its mapping is stored, and applies when the file is selected again', async () => {
  const { tab, path, draft } = await startUpload();
  const again = uploadTab({ dataset: datasetOf('time'), listed });
  await again.actions.restore(draft);
  expect(again.state().file).toEqual({ status: 'missing', file: draft.file, error: null });
  expect(await again.actions.whenRestored()).toBe(false);
  expect(storedUpload.parse(toStoredUpload(again.state())).draft?.choices).toEqual(draft.choices);
  await again.actions.accept(again.grant(path));
  await again.settled();
  expect(again.mapping()).toEqual(tab.mapping());

  const other = uploadTab({ dataset: datasetOf('time') });
  await other.actions.restore(draft);
  const named: GrantedFile = { ...other.grant(path), name: 'other.csv' };
  await other.actions.accept(named);
  expect(other.state().choices.columns).toEqual({});
});

it('what the user declined is not offered again for a missing file that is selected again, nor when it is read again', async () => {
  const path = await fileWith(local.replaceAll('13', '-999.25'));
  const open = () => uploadTab({ dataset: datasetOf('time'), wells: [wellWith(5001)] });
  const tab = open();
  await tab.actions.accept(tab.grant(path));
  await tab.settled();
  expect(tab.state().choices).toMatchObject({ nulls: ['-999.25'], constants: { asset_id: '5001' } });
  tab.actions.setNulls([]);
  tab.actions.fill('asset_id', { from: 'nothing' });
  await tab.settled();
  const { choices, selectedWell } = tab.state();
  await tab.actions.readAgain();
  await tab.settled();
  expect(tab.state().choices).toEqual(choices);
  const { draft } = storedUpload.parse(toStoredUpload(tab.state()));
  if (!draft) throw new Error('nothing was kept');
  const again = open();
  await again.actions.restore(draft);
  expect(again.state().file.status).toBe('missing');
  await again.actions.accept(again.grant(path));
  await again.settled();
  // Files of its queue keep these numbers, too.
  expect(again.state()).toMatchObject({
    file: { status: 'ready' },
    selectedWell,
    proposedNulls: ['-999.25'],
  });
  expect(again.state().choices).toEqual(choices);
});

it('an upload in the queue whose times would change since it was queued is left to the user', async () => {
  const { path, draft } = await startUpload();
  const again = uploadTab({ dataset: datasetOf('time'), listed: [] });
  again.grant(path);
  await again.actions.restore(draft);
  expect(again.state().match.value?.ready).toBe(true);
  expect(await again.actions.whenRestored()).toBe(false);
});

it('a file that can’t be looked up for a moment keeps its draft, and is looked up again', async () => {
  const { tab, path, draft } = await startUpload();
  tab.actions.fill('asset_id', { from: 'nothing' });
  await tab.settled();
  const cleared = storedUpload.parse(toStoredUpload(tab.state())).draft ?? draft;
  let isLost = true;
  const again = uploadTab({
    dataset: datasetOf('time'),
    wells: [wellWith(5001)],
    listed,
    isFileAvailable: async () => {
      if (isLost) throw new AppError('internal', { problem: 'the link was lost' });
      return true;
    },
  });
  again.grant(path);
  await again.actions.restore(cleared);
  expect(await again.actions.whenRestored()).toBe(false);
  expect(again.state().file).toMatchObject({ status: 'missing', error: { code: 'internal' } });
  expect(storedUpload.parse(toStoredUpload(again.state())).draft).toEqual(cleared);
  isLost = false;
  await again.actions.restoreAgain();
  await again.settled();
  expect(again.state().file.status).toBe('ready');
  // The well that the user cleared stays cleared.
  expect(storedUpload.parse(toStoredUpload(again.state())).draft).toEqual({ ...cleared, wellZone: null });
});

it('a draft that is stored while its file is being read is the same', async () => {
  const { path, draft } = await startUpload();
  const again = uploadTab({ dataset: datasetOf('time'), wells: [wellWith(5001)], listed });
  again.grant(path);
  const restored = again.actions.restore(draft);
  expect(storedUpload.parse(toStoredUpload(again.state())).draft).toEqual(draft);
  await restored;
});
