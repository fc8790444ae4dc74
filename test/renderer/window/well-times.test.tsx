import { screen } from '@testing-library/dom';
import { afterEach, expect, it, vi } from 'vitest';
import { formatAgo } from '../../../src/renderer/format/times.ts';
import { listedWells } from '../../../src/renderer/features/wells/wells-state.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { openSeveralQueries } from './support/several.ts';

// Only the dates of the computer are replaced: timers run on.
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const minuteMs = 60_000;
const assets = [5001, 5002];

/** The status of the page, as the browser changes it. */
function setPage(status: { hidden?: boolean; onLine?: boolean }): void {
  if (status.hidden !== undefined) vi.spyOn(document, 'hidden', 'get').mockReturnValue(status.hidden);
  if (status.onLine !== undefined) vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(status.onLine);
  document.dispatchEvent(new Event('visibilitychange'));
}

it('are read again while the list of wells is shown, and as soon as it is shown again', async () => {
  // With tabs, the first page isn't shown, which reads the newest records more often; no query runs.
  const { demo, press, user, session } = await openSeveralQueries();
  const wells = listedWells(session().wells.store.getState()).wellsBy('assetId', assets);
  // After the records of the sample, and by less than an hour ahead of its clock: later times are those of wrong clocks.
  let now = Math.ceil(Date.now() / minuteMs + 10) * minuteMs;
  const rows = () =>
    wells.map(
      ({ name }) => screen.getByRole('row', { name: new RegExp(`^${name}`), hidden: true }).textContent,
    );
  /** Records of now, of the second well a minute older. */
  const insert = (): readonly number[] => {
    const times = [now, now - minuteMs];
    const records = assets.map((asset, at) => ({
      asset_id: asset,
      timestamp: times[at] ?? now,
      version: 1,
      data: {},
    }));
    for (const dataset of ['demo/wits', 'demo/completion.wits']) demo.change(dataset, { insert: records });
    return times;
  };
  const pass = (minutes: number): void => void vi.setSystemTime((now += minutes * minuteMs));
  const show = (times: readonly number[]) =>
    expect
      .poll(rows, { timeout: 10_000 })
      .toEqual(times.map((at) => expect.stringContaining(formatAgo(new Date(at).toISOString(), now) ?? '')));
  pass(0);
  let last = insert();
  pass(4);
  await show(last);
  last = insert();
  pass(5);
  await show(last);

  const section = (name: string) => user.click(screen.getByRole('tab', { name }));
  const away: readonly (readonly [leave: () => unknown, comeBack: () => unknown])[] = [
    [() => setPage({ hidden: true }), () => setPage({ hidden: false })],
    [() => setPage({ onLine: false }), () => setPage({ onLine: true })],
    [() => section(words.datasets.heading), () => section(words.wells.heading)],
    [() => press(words.tabs.side), () => press(words.tabs.side)],
  ];
  for (const [leave, comeBack] of away) {
    await leave();
    pass(6);
    // The rows count on, without the newer records: had they been read, they would not be read again now.
    await show(last);
    last = insert();
    await comeBack();
    await show(last);
  }
});
