// The longest task of the window's thread while a connection with 2,000 datasets is opened, and while they are searched,
// against the same with the few of the sample: `node test/bench/datasets.ts [--full]`, after a build.
import type { Page } from '@playwright/test';
import { startDemo } from '../../src/demo/index.ts';
import { AppWindow } from '../e2e/support/app.ts';
import { startHost } from '../e2e/support/host.ts';
import { inTurns, tell } from './support/figures.ts';
import { openBrowser } from './support/browser.ts';

const rounds = process.argv.includes('--full') ? 7 : 3;
const goal = '≤ 50 ms';
const words = ['report-1', 'geology', 'demo/c', 'wits', ''];

const hosts = { many: await demoOf(2000), few: await demoOf(0) };
const browser = await openBrowser();
try {
  const searched = { many: [] as number[], few: [] as number[] };
  const measured = (of: 'many' | 'few') => async (): Promise<number> => {
    const { opening, searching } = await inWindow((page) => openAndSearch(page, hosts[of]));
    searched[of].push(searching);
    return opening;
  };
  const opened = await inTurns({ many: measured('many'), few: measured('few') }, rounds);
  tell({
    name: 'longest task: opening 2,000 datasets',
    ours: opened.many,
    floor: opened.few,
    unit: 'ms',
    goal,
  });
  const searching = await inTurns(
    { many: async () => searched.many.shift() ?? NaN, few: async () => searched.few.shift() ?? NaN },
    rounds,
  );
  tell({
    name: 'longest task: searching 2,000 datasets',
    ours: searching.many,
    floor: searching.few,
    unit: 'ms',
    goal,
  });
} finally {
  await browser.close();
  await Promise.all(Object.values(hosts).map((demo) => demo.close()));
}

function demoOf(datasets: number) {
  return startDemo({ wells: 8, records: 5000, datasets });
}

/** Works in a window of a host of its own, which tells of its long tasks. */
async function inWindow<T>(work: (page: Page) => Promise<T>): Promise<T> {
  const host = await startHost();
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.addInitScript(() => {
      const longest = { ms: 0 };
      Object.assign(globalThis, { longest });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longest.ms = Math.max(longest.ms, duration);
      }).observe({ type: 'longtask' });
    });
    await page.goto(host.url);
    await page.getByRole('heading', { name: 'Wellbench' }).waitFor();
    return await work(page);
  } finally {
    await context.close();
    await host.close();
  }
}

/** Of a window on its start screen; tasks below 50 ms are not told by a browser and count as 0. */
async function openAndSearch(page: Page, demo: Awaited<ReturnType<typeof demoOf>>) {
  const app = new AppWindow(page);
  await page.waitForTimeout(500);
  await reset(page);
  await app.connect({ dataUrl: demo.dataUrl, platformUrl: demo.platformUrl, apiKey: demo.apiKeys.write });
  await app.datasets.getByRole('row').first().waitFor();
  await page.waitForTimeout(1000);
  const opening = await reset(page);
  const search = page.getByRole('searchbox', { name: 'Search datasets' });
  for (const word of words) {
    await search.fill('');
    await search.pressSequentially(word, { delay: 40 });
  }
  await page.waitForTimeout(500);
  return { opening, searching: await reset(page) };
}

/** The longest task since the last time, in milliseconds. */
function reset(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { longest } = globalThis as unknown as { longest: { ms: number } };
    const { ms } = longest;
    longest.ms = 0;
    return ms;
  });
}
