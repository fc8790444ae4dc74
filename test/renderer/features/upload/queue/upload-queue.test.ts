import { describe, expect, it } from 'vitest';
import {
  similarUploads,
  columnDifferences,
  queuedChoices,
  queuedWell,
} from '../../../../../src/renderer/features/upload/queue/queued-file.ts';
import { proposedChoice } from '../../../../../src/renderer/features/upload/columns/fields.ts';
import { createUploadQueue } from '../../../../../src/renderer/features/upload/queue/upload-queue.ts';
import {
  hasUnsavedWork,
  fileName,
  toStoredUpload,
  storedUpload,
} from '../../../../../src/renderer/features/upload/upload-state.ts';
import { fileWith } from '../../../../main/features/upload/support/files.ts';
import { sheetRow, workbook } from '../../../../main/features/upload/support/workbooks.ts';
import type { WellCandidate } from '../../../../../src/shared/upload/proposals.ts';
import { loaded } from '../../../../../src/renderer/state/loadable.ts';
import { wellWith } from '../../../../support/wells.ts';
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

/** The uploads of a tab that aren't checks. */
const sentOf = ({ started }: Pick<ReturnType<typeof uploadTab>, 'started'>) =>
  started.filter(({ dryRun }) => !dryRun);

describe('files that are sent one after another', () => {
  it('are those with the same header that have not been started', async () => {
    const { first, others } = await several(rows, rows, 'Date,WOB\n2026-01-02T03:04:05Z,1\n', rows);
    const [same, , begun] = others;
    await begun?.actions.copySettings(first.state());
    await begun?.actions.sendQueued();
    expect(similarUploads(first, [first, ...others])).toEqual([same]);
  });

  it('go into the dataset that was confirmed for the first', async () => {
    const { first, others } = await several(rows, rows, rows);
    for (const tab of others) {
      tab.store.setState({ isDatasetAssumed: true });
      await tab.actions.copySettings(first.state());
    }
    expect(others.map(({ state }) => [state().dataset, state().isDatasetAssumed])).toEqual(
      others.map(() => [first.state().dataset, false]),
    );
  });

  it('use the mapping of the first, each when the previous one has finished', async () => {
    const { first, others } = await several(rows, rows.replace('12.5', '13'), rows);
    const queue = createUploadQueue();
    const [a, b, c] = [first, ...others].map((tab) => fileName(tab.state()));
    const waiting: unknown[] = [];
    await first.actions.check();
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
      expect(sentOf(tab)).toMatchObject([{ dataset: 'uploads.time', mapping: first.mapping() }]);
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
    await first.actions.check();
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
    await first.actions.check();
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
    expect([first, out, refused, never].map((tab) => tab && sentOf(tab).length)).toEqual([1, 0, 1, 0]);
    expect(never?.state()).toMatchObject({ isQueued: false, step: 'check', send: { status: 'none' } });
  });

  it.each<[string, (tab: ReturnType<typeof uploadTab>) => unknown]>([
    ['list of null values', ({ actions }) => actions.setNulls(['-1'])],
    ['dataset', ({ actions }) => actions.setDataset(datasetOf('time', 'uploads.other'))],
    ['mode for existing records', ({ actions }) => actions.setExistingMode('insert')],
    ['header row', ({ actions }) => actions.read({ headerRow: 2 })],
  ])('are not sent once their %s is edited: the user checks them first', async (_, edit) => {
    const { first, others } = await several(rows, rows, rows);
    const [edited, last] = others;
    const queue = createUploadQueue();
    await first.actions.check();
    const isInLine: unknown[] = [];
    await queue.actions.sendInSequence(first, others, async () => {
      if (edited && isInLine.length === 0) void edit(edited);
      isInLine.push(queue.store.getState().waiting.some(({ tab }) => tab === edited));
      return 'done';
    });
    expect(isInLine).toEqual([false, false]);
    expect([edited, last].map((tab) => tab && sentOf(tab).length)).toEqual([0, 1]);
    await edited?.settled();
    expect(edited?.state()).toMatchObject({ isQueued: false, queuedAfter: null });
  });

  it('continue to wait for the previous job after a reload, even when one can’t be sent', async () => {
    const { first, others } = await several(rows, rows, rows);
    const path = await fileWith(rows);
    const kept: unknown[] = [];
    await first.actions.check();
    await createUploadQueue().actions.sendInSequence(first, others, async () => {
      if (kept.length === 0)
        kept.push(...others.map(({ state }) => JSON.parse(JSON.stringify(toStoredUpload(state())))));
      return 'failed';
    });
    const drafts = kept.map((one) => storedUpload.parse(one).draft);
    expect(drafts.map((draft) => draft?.queuedAfter)).toEqual(['job-0002', 'job-0002']);

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
    await first.actions.check();
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

describe('files of a queue', () => {
  const [a, b] = [5001, 5002].map((assetId) => ({ assetId, name: `W-${assetId}`, apiNumber: null }));

  /** An upload whose name has these wells, with a well selected for all. */
  async function opened(text: string, wellsInName: readonly WellCandidate[] = []) {
    const tab = uploadTab({ dataset: datasetOf('time'), wellsInName, wells: [wellWith(5009)] });
    await tab.actions.accept(tab.grant(await fileWith(text)));
    await tab.settled();
    tab.actions.fill('timestamp', { from: 'column', column: 'Date' });
    await tab.settled();
    return tab;
  }
  const sent = async (...tabs: Awaited<ReturnType<typeof opened>>[]) => {
    const [first, ...others] = tabs;
    await first?.actions.check();
    if (first) await createUploadQueue().actions.sendInSequence(first, others, async () => 'done');
    return tabs.map(({ started }) => started[0]?.mapping?.constants['asset_id'] ?? null);
  };

  it('each go to the well that its name has, and one that names none isn’t sent', async () => {
    if (!a || !b) throw new Error('no wells');
    const first = await opened(rows, [a]);
    first.actions.fill('asset_id', { from: 'constant', text: '5001' });
    await first.settled();
    const [second, third] = [await opened(rows, [b]), await opened(rows)];
    expect(await sent(first, second, third)).toEqual([5001, 5002, null]);
    expect(third.started).toEqual([]);
    expect([second, third].map(({ state }) => queuedWell(first.state(), state()).from)).toEqual([
      'selection',
      'missing',
    ]);
  });

  it('go to the well of the first where none names one, and to their own where it was selected', async () => {
    const [first, second, third] = [await opened(rows), await opened(rows), await opened(rows)];
    third.actions.fill('asset_id', { from: 'constant', text: '5003' });
    await third.settled();
    expect(await sent(first, second, third)).toEqual([5009, 5009, 5003]);
  });

  it('are not stored without a well because those of the first file are', async () => {
    const [first, second] = [await opened(rows), await opened(rows)];
    for (const { actions, settled } of [first, second]) {
      actions.fill('asset_id', { from: 'nothing' });
      await settled();
    }
    first.actions.fill('asset_id', { from: 'nowhere' });
    await first.settled();
    expect(queuedChoices(first.state(), second.state()).withoutWell).toBeUndefined();
    second.actions.fill('asset_id', { from: 'nowhere' });
    await second.settled();
    expect(queuedChoices(first.state(), second.state()).withoutWell).toBe(true);
  });

  it('upload a column that is empty in the first file only, and what is skipped by hand stays skipped', async () => {
    const [first, second] = [
      await opened('Date,ROP,WOB,Note\n2026-01-02T03:04:05Z,12.5,,x\n'),
      await opened('Date,ROP,WOB,Note\n2026-01-03T03:04:05Z,12.5,7,x\n'),
    ];
    const noProposal = { match: null, others: [], newField: 'data.x' };
    const columns = ['WOB', 'Note'].map((column) => ({ ...noProposal, column, isEmpty: column === 'WOB' }));
    const found = { columns, fields: [], storedUnits: {}, requiresWell: false, otherIndex: null };
    first.store.setState({ proposals: loaded(found) });
    first.actions.mapColumn('WOB', proposedChoice({ ...noProposal, column: 'WOB', isEmpty: true }));
    first.actions.includeColumns(['WOB', 'Note'], false);
    await first.settled();
    await sent(first, second);
    expect(first.started[0]?.mapping?.skip).toEqual(['WOB', 'Note']);
    expect(second.started[0]?.mapping?.skip).toEqual(['Note']);
  });

  it('can have other columns beside most of those of the first, which the list names', async () => {
    const [first, second, third] = [
      await opened('Date,ROP,WOB,SPP\n2026-01-02T03:04:05Z,12.5,7,1\n'),
      await opened('Date,ROP,WOB,Torque\n2026-01-03T03:04:05Z,12.5,7,1\n'),
      await opened('Date,Gas,Temperature\n2026-01-03T03:04:05Z,12.5,7\n'),
    ];
    first.actions.setTarget('ROP', 'data.rate');
    await first.settled();
    expect(similarUploads(first, [first, second, third])).toEqual([second]);
    expect(columnDifferences(first.state(), second.state())).toEqual({
      missing: ['SPP'],
      further: ['Torque'],
    });
    await sent(first, second);
    expect(second.started[0]?.mapping).toMatchObject({ columns: { ROP: { to: 'data.rate' } }, rest: 'data' });
  });
});
