// The longest task of the window's thread while a connection with 2,000 datasets is opened, and while they are
// searched, compared with the few of the sample: `node test/bench/datasets.ts [--full]`, after a build.
import type { Page } from '@playwright/test';
import { startDemo } from '../../src/demo/index.ts';
import { words } from '../../src/renderer/words/words.ts';
import { AppWindow } from '../e2e/support/app.ts';
import { startHost } from '../e2e/support/host.ts';
import { measureInTurns, printFigure } from './support/figures.ts';
import { openBrowser } from './support/browser.ts';
import { maxOwnTaskMs, maxTaskMs, watchLongTasks } from './support/long-tasks.ts';

const rounds = process.argv.includes('--full') ? 7 : 3;
const goal = '≤ 50 ms';
const searches = ['report-1', 'geology', 'demo/c', 'wits', ''];

const hosts = { many: await demoOf(2000), few: await demoOf(0) };
const browser = await openBrowser();
try {
  const searched = { many: [] as number[], few: [] as number[] };
  const measured = (of: 'many' | 'few') => async (): Promise<number> => {
    const { opening, searching } = await inWindow((page) => openAndSearch(page, hosts[of]));
    searched[of].push(searching);
    return opening;
  };
  const own = (of: 'many' | 'few') => () =>
    inWindow((page) => maxOwnTaskMs(browser, page, () => open(page, hosts[of])));
  const name = 'longest task: opening 2,000 datasets';
  for (const [named, ours, floor] of [
    [name, measured('many'), measured('few')],
    [`${name}, of the window’s own time`, own('many'), own('few')],
  ] as const) {
    const opened = await measureInTurns({ many: ours, few: floor }, rounds);
    printFigure({ name: named, ours: opened.many, floor: opened.few, unit: 'ms', goal });
  }
  const searching = await measureInTurns(
    { many: async () => searched.many.shift() ?? NaN, few: async () => searched.few.shift() ?? NaN },
    rounds,
  );
  printFigure({
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

/** Works in a window with its own host, which reports its long tasks. */
async function inWindow<T>(work: (page: Page) => Promise<T>): Promise<T> {
  const host = await startHost();
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await watchLongTasks(page);
    await page.goto(host.url);
    await page.getByRole('heading', { name: words.app }).waitFor();
    return await work(page);
  } finally {
    await context.close();
    await host.close();
  }
}

async function open(page: Page, demo: Awaited<ReturnType<typeof demoOf>>) {
  const app = new AppWindow(page);
  await app.connect({ dataUrl: demo.dataUrl, platformUrl: demo.platformUrl, apiKey: demo.apiKeys.write });
  await app.showSection('datasets');
  await app.datasets.getByRole('row').first().waitFor();
  await page.waitForTimeout(1000);
}

/** Of a window on its start screen; browsers don't report tasks below 50 ms, which count as 0. */
async function openAndSearch(page: Page, demo: Awaited<ReturnType<typeof demoOf>>) {
  await page.waitForTimeout(500);
  await maxTaskMs(page);
  await open(page, demo);
  const opening = await maxTaskMs(page);
  const search = page.getByRole('searchbox', { name: words.datasets.search });
  for (const word of searches) {
    await search.fill('');
    await search.pressSequentially(word, { delay: 40 });
  }
  return { opening, searching: await maxTaskMs(page) };
}
