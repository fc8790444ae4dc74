import { describe, expect, it } from 'vitest';
import { fileWith } from '../../../main/features/upload/support/files.ts';
import { wellWith } from '../../../support/wells.ts';
import type { JobState } from '../../../../src/shared/jobs/jobs.ts';
import {
  cannotCompare,
  toStoredUpload,
  type UploadDependencies,
} from '../../../../src/renderer/features/upload/upload-state.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { datasetOf, uploadTab } from './window.ts';

/** An upload of 3,000 rows, ready to be sent. */
async function ready(waitForJob?: UploadDependencies['waitForJob']) {
  const rows = Array.from({ length: 3000 }, (_, at) => `${1767225600000 + at * 1000},${at}`);
  const tab = uploadTab({ dataset: datasetOf('time'), wells: [wellWith(5003)], waitForJob });
  await tab.actions.accept(tab.grant(await fileWith(['timestamp,ROP', ...rows].join('\n'))));
  await tab.settled();
  return tab;
}

describe('a job that isn’t in the list', () => {
  it('starts again if it was a check that was discarded', async () => {
    const tab = await ready(async () => 'discarded');
    await tab.actions.goToStep('check');
    await tab.actions.lookUpJob('check');
    expect(tab.state().check.status).toBe('none');
    await tab.actions.goToStep('check');
    expect(tab.state().check).toEqual({ status: 'started', job: 'job-0002' });
  });

  it('stays the job of its rows after it was discarded, and is awaited before', async () => {
    const states: JobState[] = ['done', 'discarded'];
    const tab = await ready(async () => states.shift() ?? 'running');
    await tab.actions.goToStep('check');
    await tab.actions.send();
    const send = { status: 'started', job: 'job-0002' };
    await tab.actions.lookUpJob('send');
    expect(tab.state().send).toEqual(send);
    await tab.actions.lookUpJob('send');
    expect(tab.state().send).toEqual({ ...send, isDiscarded: true });
    expect(toStoredUpload(tab.state())).toMatchObject({ job: send.job, draft: null });
  });
});

describe('a line far from the start', () => {
  it('is shown with the rows around it, and closed again', async () => {
    const tab = await ready();
    await tab.actions.showLine(2500, 'ROP');
    const at = tab.state().viewedLine;
    expect(at).toMatchObject({ line: 2500, column: 'ROP', rows: { status: 'loaded' } });
    const rows = at?.rows.status === 'loaded' ? at.rows.value.rows : [];
    expect(rows).toHaveLength(50);
    expect(rows.find(({ line }) => line === 2500)?.cells[1]).toBe('2498');
    tab.actions.leaveLine();
    expect(tab.state().viewedLine).toBeNull();
  });

  it('is not shown once the file is read in another format', async () => {
    const tab = await ready();
    const line = tab.actions.showLine(2500, 'ROP');
    await tab.actions.read({ delimiter: ';' });
    await line;
    await tab.settled();
    expect(tab.state().viewedLine).toBeNull();
  });

  it('among the rows shown is not read again', async () => {
    const tab = await ready();
    const { preview } = tab.state();
    await tab.actions.showLine(12, null);
    expect(tab.state().viewedLine?.rows).toBe(preview);
  });
});

describe('a correction', () => {
  it('changes the mapping and checks it again', async () => {
    const tab = await ready();
    await tab.actions.goToStep('check');
    tab.actions.treatAsNull('17');
    await expect
      .poll(() => tab.started.map(({ dryRun, mapping }) => [dryRun, mapping?.nulls]))
      .toEqual([
        [true, undefined],
        [true, ['17']],
      ]);
    await tab.settled();
    expect(tab.dropped).toEqual(['job-0001']);
    tab.actions.goToColumn(null);
    expect(tab.state().step).toBe('columns');
    expect(tab.started).toHaveLength(2);
  });

  it('is checked too after the rows could not be sent', async () => {
    const tab = await ready();
    await tab.actions.goToStep('check');
    tab.refuse(new AppError('cancelled', {}));
    await tab.actions.send();
    expect(tab.state().send.status).toBe('failed');
    tab.actions.treatAsNull('17');
    await expect.poll(() => tab.started.map(({ dryRun }) => dryRun)).toEqual([true, false, true]);
  });
});

describe('existing records', () => {
  it('are counted in the range of the rows, and again when the mapping changes', async () => {
    const tab = await ready();
    await tab.actions.countExisting(false);
    await tab.actions.countExisting(false);
    expect(tab.counted.map(({ query }) => query)).toEqual([
      '{ asset_id: 5003, timestamp: { $gte: 1767225600000, $lte: 1767228599000 } }',
    ]);
    expect(tab.state().existingRecords).toEqual({ status: 'loaded', value: 7 });
    tab.actions.fill('asset_id', { from: 'constant', text: '5004' });
    await tab.settled();
    expect(tab.state().existingRecords.status).toBe('idle');
  });

  it('are those of each well of the file, with that of blank cells, and of none between', async () => {
    const rows = [
      'timestamp,asset_id,ROP',
      '1767225600000,5001,1',
      '1767225601000,,2',
      '1767225602000,5009,3',
    ];
    const tab = uploadTab({ dataset: datasetOf('time') });
    await tab.actions.accept(tab.grant(await fileWith(rows.join('\n'))));
    await tab.settled();
    tab.actions.setConstant('asset_id', '5003');
    await tab.settled();
    expect(tab.mapping().constants).toEqual({ asset_id: 5003 });
    await tab.actions.countExisting(false);
    expect(tab.counted.map(({ query }) => query)).toEqual([
      '{ asset_id: { $in: [5001, 5003, 5009] }, timestamp: { $gte: 1767225600000, $lte: 1767225602000 } }',
    ]);
  });

  it('are skipped or not, as selected', async () => {
    const tab = await ready();
    await tab.actions.check();
    await tab.actions.send();
    tab.actions.setExistingMode('insert');
    await tab.actions.check();
    await tab.actions.send();
    const sent = tab.started.filter(({ dryRun }) => !dryRun);
    expect(sent.map(({ existing }) => existing)).toEqual(['skip', 'insert']);
    tab.actions.setDataset(datasetOf('time'));
    expect(tab.state().existing).toBe('insert');
    tab.actions.setDataset(datasetOf('time', 'uploads.other'));
    expect(tab.state().existing).toBe('skip');
  });
});

it('the rows are sent once, however often that is requested', async () => {
  const tab = await ready();
  await tab.actions.check();
  await Promise.all([tab.actions.send(), tab.actions.send()]);
  expect(tab.started.filter(({ dryRun }) => !dryRun)).toHaveLength(1);
});

it('a dataset without read permission accepts an upload only without a comparison', () => {
  const forbidden = new AppError('forbidden', { service: 'data', status: 403 });
  const existingRecords = { status: 'failed', error: forbidden } as const;
  const state = uploadTab({ dataset: datasetOf('time') }).state();
  expect(cannotCompare({ ...state, existingRecords, existing: 'skip' })).toBe(true);
  expect(cannotCompare({ ...state, existingRecords, existing: 'insert' })).toBe(false);
  const busy = { status: 'failed', error: new AppError('too_large', { service: 'data' }) } as const;
  expect(cannotCompare({ ...state, existingRecords: busy, existing: 'skip' })).toBe(false);
});
