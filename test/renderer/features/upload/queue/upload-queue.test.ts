import { describe, expect, it } from 'vitest';
import {
  similarUploads,
  createUploadQueue,
} from '../../../../../src/renderer/features/upload/queue/upload-queue.ts';
import { hasUnsavedWork } from '../../../../../src/renderer/features/upload/upload-state.ts';
import { toStoredUpload, storedUpload } from '../../../../../src/renderer/features/upload/stored-upload.ts';
import { fileName } from '../../../../../src/renderer/features/upload/upload-state.ts';
import { fileWith } from '../../../../main/upload/support/files.ts';
import { sheetRow, workbook } from '../../../../main/upload/support/workbooks.ts';
import { datasetOf, uploadTab } from '../window.ts';

const rows = 'Date,ROP\n2026-01-02T03:04:05Z,12.5\n';

/** Uploads with these contents, of which only the first has a dataset and a mapping. */
async function several(...contents: (string | Uint8Array)[]) {
  const tabs = contents.map((_, at) => uploadTab({ dataset: at === 0 ? datasetOf('time') : null }));
  for (const [at, tab] of tabs.entries()) {
    await tab.actions.accept(tab.grant(await fileWith(contents[at] ?? '')));
    await tab.settled();
  }
  const [first, ...others] = tabs;
  if (!first) throw new Error('no uploads');
  first.actions.fill('timestamp', { from: 'column', column: 'Date' });
  first.actions.fill('asset_id', { from: 'constant', text: '5003' });
  await first.settled();
  return { first, others };
}

describe('files that are sent one after another', () => {
  it('are those with the same header that have not been started', async () => {
    const { first, others } = await several(rows, rows, 'Date,WOB\n2026-01-02T03:04:05Z,1\n', rows);
    const [same, , begun] = others;
    await begun?.actions.copySettings(first.state());
    await begun?.actions.send();
    expect(similarUploads(first, [first, ...others])).toEqual([same]);
  });

  it('use the mapping of the first, each when the previous one has finished', async () => {
    const { first, others } = await several(rows, rows.replace('12.5', '13'), rows);
    const queue = createUploadQueue();
    const [a, b, c] = [first, ...others].map((tab) => fileName(tab.state()));
    const waiting: unknown[] = [];
    await queue.actions.sendInSequence(first, others, async () => {
      waiting.push(queue.store.getState().waiting.map(({ file, previousFile }) => [file, previousFile]));
      return 'done';
    });
    expect(waiting).toEqual([
      [
        [b, a],
        [c, b],
      ],
      [[c, b]],
      [],
    ]);
    expect(queue.store.getState().waiting).toEqual([]);
    for (const tab of [first, ...others])
      expect(tab.started).toMatchObject([{ dataset: 'uploads.time', mapping: first.mapping() }]);
  });

  it('send the table of the first, unless another one with its header was selected', async () => {
    const sheet = (...texts: string[]) => texts.map((text, at) => sheetRow(at + 1, text.split(','))).join('');
    const [Notes, Jan, Feb] = [
      sheet('Note', 'x'),
      sheet('Date,ROP', '2026-01-02T03:04:05Z,1'),
      sheet('Date,ROP', '2026-02-02T03:04:05Z,2'),
    ];
    const books = [
      { Notes, Jan },
      { Notes, Jan },
      { Jan, Feb },
      { Notes, Lookup: Notes },
    ];
    const { first, others } = await several(...books.map((sheets) => workbook({ sheets })));
    await first.actions.read({ table: 'Jan' });
    first.actions.fill('timestamp', { from: 'column', column: 'Date' });
    first.actions.fill('asset_id', { from: 'constant', text: '5003' });
    await first.settled();
    const [same, other, none] = others;
    await other?.actions.read({ table: 'Feb' });
    await other?.settled();
    expect(similarUploads(first, [first, ...others])).toEqual([same, other]);
    await createUploadQueue().actions.sendInSequence(first, others, async () => 'done');
    expect([first, ...others].map(({ started }) => started[0]?.reading.table)).toEqual([
      'Jan',
      'Jan',
      'Feb',
      undefined,
    ]);
    expect(none?.started).toEqual([]);
  });

  it('that are removed are not sent; after a rejected one, none is sent', async () => {
    const { first, others } = await several(rows, rows, rows, rows);
    const [out, refused, never] = others;
    const states = ['done', 'failed'] as const;
    let at = 0;
    const queue = createUploadQueue();
    await queue.actions.sendInSequence(first, others, async () => {
      out?.actions.setQueued(false);
      const behind = queue.store.getState().waiting.map((each) => [each.tab, each.previousFile]);
      if (at === 0)
        expect(behind).toEqual([
          [refused, fileName(first.state())],
          [never, refused && fileName(refused.state())],
        ]);
      return states[at++] ?? 'done';
    });
    expect([first, out, refused, never].map((tab) => tab?.started.length)).toEqual([1, 0, 1, 0]);
    expect(never?.state()).toMatchObject({ isQueued: false, step: 'check', send: { status: 'none' } });
  });

  it('continue to wait for the previous job after a reload, even when one can’t be sent', async () => {
    const { first, others } = await several(rows, rows, rows);
    const path = await fileWith(rows);
    const kept: unknown[] = [];
    await createUploadQueue().actions.sendInSequence(first, others, async () => {
      if (kept.length === 0)
        kept.push(...others.map(({ state }) => JSON.parse(JSON.stringify(toStoredUpload(state())))));
      return 'failed';
    });
    const drafts = kept.map((one) => storedUpload.parse(one).draft);
    expect(drafts.map((draft) => draft?.queuedAfter)).toEqual(['job-0001', 'job-0001']);

    const again = drafts.map((draft, at) => {
      const tab = uploadTab({ dataset: datasetOf('time') });
      if (at === 0) tab.grant(path);
      if (draft) void tab.actions.restore(draft);
      return tab;
    });
    const queue = createUploadQueue();
    const waited: unknown[] = [];
    await queue.actions.resume({ id: 'job-0001', file: 'first.csv' }, again, async (job) => {
      waited.push([job, queue.store.getState().waiting.map(({ previousFile }) => previousFile)]);
      return 'done';
    });
    expect(waited).toEqual([
      ['job-0001', ['first.csv']],
      ['job-0001', []],
    ]);
    expect(again.map(({ started }) => started.length)).toEqual([1, 0]);
    expect(again[0]?.started).toMatchObject([{ mapping: first.mapping() }]);
  });

  it('prompt before the page closes while they wait, but not once they are sent; a closed tab is not sent', async () => {
    const { first, others } = await several(rows, rows, rows);
    const [next, closed] = others;
    const lost: unknown[] = [];
    await createUploadQueue().actions.sendInSequence(first, others, async () => {
      closed?.actions.close();
      lost.push([first, next, closed].map((tab) => tab && hasUnsavedWork(tab.state())));
      return 'done';
    });
    expect(lost).toEqual([
      [false, true, false],
      [false, false, false],
    ]);
    expect(closed?.started).toEqual([]);
  });
});
