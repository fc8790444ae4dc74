// A million rows in the grid of the built window, scrolled by jumps and page by page: the time until the rows in view
// are loaded, whether any stay empty, and the longest task meanwhile. The floor of a jump is its request alone.
// `node test/bench/scroll.ts [--full]`, after a build; `--full`: more rounds.
import { openAnswerWindow } from './support/answer-window.ts';
import { openBrowser } from './support/browser.ts';
import { median, printFigure } from './support/figures.ts';
import { maxOwnTaskMs, maxTaskMs } from './support/long-tasks.ts';
import { startService } from './support/processes.ts';
import { scrollerOf, showAll } from './support/scrolling.ts';

const records = 1_000_000;
const rounds = process.argv.includes('--full') ? 8 : 3;

const browser = await openBrowser();
const service = await startService(records);
try {
  const window = await openAnswerWindow(browser, service, 1000);
  try {
    const { app } = window;
    await showAll(app, records);
    await maxTaskMs(app.page);
    const { jumpTo, pageDown } = scrollerOf(app);
    const jumps: number[] = [];
    const pages: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const share of [0.5 + round * 0.01, 1, 0.25 + round * 0.01, 0.75 + round * 0.01, round * 0.01])
        jumps.push(await jumpTo(share));
      for (let turn = 0; turn < 40; turn += 1) pages.push(await pageDown());
    }
    const task = await maxTaskMs(app.page);
    const ownTask = await maxOwnTaskMs(browser, app.page, async () => {
      for (const share of [0.45, 0.95, 0.35]) await jumpTo(share);
      for (let turn = 0; turn < 10; turn += 1) await pageDown();
    });
    const emptyPages = [...jumps, ...pages].filter((ms) => ms < 0).length;
    const requestMs = await requestsAlone(service.port);
    report('pages that stayed empty', emptyPages, null, 'pages', '≤ 0');
    report(
      'from a jump to the full page, against its request alone',
      median(jumps),
      requestMs,
      'ms',
      '≤ 250 ms',
    );
    report('from a page down to the full page', median(pages), null, 'ms', '≤ 100');
    report('longest task while pages arrive', task, null, 'ms', '≤ 50');
    report('longest task while pages arrive, of the window’s own time', ownTask, null, 'ms', '≤ 50');
  } finally {
    await window.close();
  }
} finally {
  await browser.close();
  await service.stop();
}

function report(what: string, ours: number, floor: number | null, unit: string, goal: string): void {
  printFigure({ name: `${records.toLocaleString('en')} rows: ${what}`, ours, floor, unit, goal });
}

/** The time of one page that is requested and discarded: the median of several, in milliseconds. */
async function requestsAlone(port: number): Promise<number> {
  const taken: number[] = [];
  for (let at = 1; at <= 9; at += 1) {
    const before = performance.now();
    const skip = String(at * 100_000);
    const query = new URLSearchParams({ query: '{}', sort: '{"timestamp":1}', skip, limit: '1000' });
    await (await fetch(`http://127.0.0.1:${port}/api/v1/data/bench/time/?${query}`)).text();
    taken.push(performance.now() - before);
  }
  return median(taken);
}
