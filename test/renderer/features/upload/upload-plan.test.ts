import { describe, expect, it } from 'vitest';
import { fileWith } from '../../../main/features/upload/support/files.ts';
import { wellWith } from '../../../support/wells.ts';
import { datasetOf, uploadTab } from './window.ts';

type Tab = ReturnType<typeof uploadTab>;
const rows = 'Time,crew,ROP\n2026-01-02T03:04:05Z,A-1,12.5\n2026-01-02T03:04:06Z,A-1,13\n';
const options = { dataset: datasetOf('time'), wells: [wellWith(5001)] };

async function opened(more: Parameters<typeof uploadTab>[0] = options) {
  const tab = uploadTab(more);
  await tab.actions.accept(tab.grant(await fileWith(rows)));
  await tab.settled();
  return tab;
}

describe('after a change, main is asked only for what depends on it', () => {
  const table: [string, (tab: Tab) => unknown, string[]][] = [
    ['a column is skipped', ({ actions }) => actions.mapColumn('crew', { skip: true }), ['match']],
    ['a text means null', ({ actions }) => actions.treatAsNull('A-1'), ['inspect', 'match']],
    ['the same dataset is selected', ({ actions }) => actions.setDataset(options.dataset), ['match']],
    [
      'another dataset is selected',
      ({ actions }) => actions.setDataset(datasetOf('time', 'other')),
      ['match', 'propose'],
    ],
    ['the rows are inserted', ({ actions }) => actions.setExistingMode('insert'), []],
    [
      'the header is another row',
      ({ actions }) => actions.read({ headerRow: 2 }),
      ['inspect', 'match', 'preview', 'propose'],
    ],
  ];
  it.each(table)('%s', async (_, change, expected) => {
    const tab = await opened();
    tab.calls.length = 0;
    await change(tab);
    await tab.settled();
    expect([...new Set(tab.calls)].toSorted()).toEqual(expected);
  });

  it('and a file that is being read is not read again', async () => {
    const tab = uploadTab({ wells: options.wells });
    const stop = tab.store.subscribe(({ inspection }) => {
      if (inspection.status !== 'loading') return;
      stop();
      tab.actions.setDataset(options.dataset);
    });
    await tab.actions.accept(tab.grant(await fileWith(rows)));
    await tab.settled();
    expect(tab.state().match.value?.columns).toHaveLength(3);
    expect(tab.calls.filter((call) => call === 'preview' || call === 'inspect')).toEqual([
      'preview',
      'inspect',
    ]);
  });
});
