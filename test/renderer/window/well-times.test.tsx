import { screen } from '@testing-library/dom';
import { afterEach, expect, it, vi } from 'vitest';
import { formatAgo } from '../../../src/renderer/format/times.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { openConnected, openDemo, waitForWells } from './support/open-window.tsx';

// Only the dates of the computer are replaced: timers run on.
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const minuteMs = 60_000;

/** The status of the page, as the browser changes it. */
function setPage(status: { hidden?: boolean; onLine?: boolean }): void {
  if (status.hidden !== undefined) vi.spyOn(document, 'hidden', 'get').mockReturnValue(status.hidden);
  if (status.onLine !== undefined) vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(status.onLine);
  document.dispatchEvent(new Event('visibilitychange'));
}

it('are read again while the list of wells is shown, and as soon as it is shown again', async () => {
  const demo = await openDemo();
  const { openDataset, press, user } = await openConnected(demo);
  await waitForWells(8);
  // The first page, which reads the newest records more often, isn't shown.
  await openDataset('demo/uploads.time');
  let now = Date.UTC(2030, 0, 1);
  const row = () => screen.getByRole('row', { name: /^Ridge A-101H/, hidden: true });
  const ago = (at: number) => formatAgo(new Date(at).toISOString(), now) ?? '';
  /** A record of now, and the time of the computer some minutes later. */
  const insert = (): number => {
    const record = { asset_id: 5001, timestamp: now, version: 1, data: {} };
    for (const dataset of ['demo/wits', 'demo/completion.wits']) demo.change(dataset, { insert: [record] });
    return now;
  };
  const pass = (minutes: number): void => void vi.setSystemTime((now += minutes * minuteMs));
  const shows = (at: number) => expect.poll(() => row().textContent, { timeout: 10_000 }).toContain(ago(at));
  pass(0);
  let last = insert();
  pass(4);
  await shows(last);
  last = insert();
  pass(5);
  await shows(last);

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
    // The row counts on, without the newer record: had it been read, it would not be read again now.
    await shows(last);
    last = insert();
    await comeBack();
    await shows(last);
  }
});
