// The list of wells at 50,000: opened from the stored list, and searched key by key, compared with a bare AG Grid
// with the same rows in the same Chromium, and with the same window with few wells, which shows the cost of a window
// itself. `node test/bench/wells.ts [--full | WELLS]`, after a build; `--full`: more rounds.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { startDemo } from '../../src/demo/index.ts';
import { words } from '../../src/renderer/words/words.ts';
import { withFolder } from './support/folder.ts';
import { measureInTurns, median, printFigure } from './support/figures.ts';
import { openBrowser } from './support/browser.ts';
import { maxOwnTaskMs, maxTaskMs, watchLongTasks } from './support/long-tasks.ts';
import { startHost } from '../e2e/support/host.ts';
import { parseWells } from '../../src/shared/wells/packed-wells.ts';
import type { Well } from '../../src/shared/wells/wells.ts';

/** The number of wells in a small list. */
const fewWells = 8;
const full = process.argv.includes('--full');
const wells = Number(process.argv[2] ?? 50_000) || 50_000;
const rounds = full ? 7 : 3;
/** The library for a page without a build. */
const bareGrid = join(
  import.meta.dirname,
  '../../node_modules/ag-grid-community/dist/ag-grid-community.min.js',
);
const keys = ['m', 'e', 's', 'a', ' ', '1', '2'];

/** The result of one run, in milliseconds. */
interface Run {
  readonly open: number;
  readonly openTask: number;
  readonly key: number;
  readonly keyTask: number;
}

const browser = await openBrowser();
try {
  await withFolder(async (dataFolder) => {
    const many = await windowOver(wells, dataFolder);
    const few = await windowOver(fewWells);
    try {
      const firstTasks = { many: await many.connect(), few: await few.connect() };
      const rows = await keptRows(join(dataFolder, 'catalogue'));
      const runs = { many: [] as Run[], few: [] as Run[], grid: [] as Run[] };
      await measureInTurns(
        {
          many: async () => runs.many.push(await ourRun(many.page, wells)),
          few: async () => runs.few.push(await ourRun(few.page, fewWells)),
          grid: async () => runs.grid.push(await floorRun(browser, rows)),
        },
        rounds,
      );
      report(firstTasks, runs);
      await reportOwn();
    } finally {
      await many.close();
      await few.close();
    }
  });
} finally {
  await browser.close();
}

/** A window with its own host, which shows a service with this many wells. */
async function windowOver(count: number, dataFolder?: string) {
  const demo = await startDemo({ wells: count, records: 1000 });
  const host = await startHost(dataFolder === undefined ? {} : { dataFolder });
  const context = await browser.newContext();
  const page = await context.newPage();
  await watchLongTasks(page);
  await page.goto(host.url);
  return {
    page,
    /** Connects for the first time. @returns the longest task meanwhile */
    async connect(): Promise<number> {
      await maxTaskMs(page);
      await connect(page, demo, count);
      return maxTaskMs(page);
    },
    /** The same, of the window's own time. */
    connectTraced: () => maxOwnTaskMs(browser, page, () => connect(page, demo, count)),
    async close(): Promise<void> {
      await context.close();
      await host.close();
      await demo.close();
    },
  };
}

type Runs = Readonly<Record<'many' | 'few' | 'grid', readonly Run[]>>;

function report(firstTasks: { readonly many: number; readonly few: number }, runs: Runs): void {
  const of = (which: keyof Runs, part: keyof Run) => median(runs[which].map((run) => run[part]));
  const list = `list of ${wells.toLocaleString('en')} wells`;
  const goal = '≤ 50 ms';
  printFigure({
    name: `${list}: opened from the stored list, less a window with ${fewWells}; floor: a bare grid`,
    ours: of('many', 'open') - of('few', 'open'),
    floor: of('grid', 'open'),
    unit: 'ms',
    goal: '≤ 2 ×',
  });
  printFigure({
    name: `${list}: a key of the search until its wells are drawn; floor: a bare grid`,
    ours: of('many', 'key'),
    floor: of('grid', 'key'),
    unit: 'ms',
    goal: '≤ 1 ×',
  });
  const beside = `floor: with ${fewWells}`;
  printFigure({
    name: `${list}: longest task while it comes from the service; ${beside}`,
    ours: firstTasks.many,
    floor: firstTasks.few,
    unit: 'ms',
    goal,
  });
  for (const [part, name] of [
    ['openTask', 'opens'],
    ['keyTask', 'is searched'],
  ] as const)
    printFigure({
      name: `${list}: longest task while it ${name}; ${beside}`,
      ours: of('many', part),
      floor: of('few', part),
      unit: 'ms',
      goal,
    });
}

/** The first fetch again, in windows of their own, without the effects of other processes. */
async function reportOwn(): Promise<void> {
  const own = async (count: number) => {
    const window = await windowOver(count);
    try {
      return await window.connectTraced();
    } finally {
      await window.close();
    }
  };
  printFigure({
    name: `list of ${wells.toLocaleString('en')} wells: longest task while it comes from the service, of the window’s own time; floor: with ${fewWells}`,
    ours: await own(wells),
    floor: await own(fewWells),
    unit: 'ms',
    goal: '≤ 50 ms',
  });
}

async function connect(page: Page, demo: Awaited<ReturnType<typeof startDemo>>, count: number) {
  await page.getByLabel(words.connection.name).fill('Bench');
  await page.getByLabel(words.connection.dataUrl).fill(demo.dataUrl);
  await page.getByLabel(words.connection.platformUrl).fill(demo.platformUrl);
  await page
    .locator('input:not([type=radio])')
    .and(page.getByLabel(words.connection.apiKey))
    .fill(demo.apiKeys.write);
  await page.getByRole('button', { name: words.connection.connect, exact: true }).click();
  await allThere(page, count);
}

/** Until all wells have arrived and are sorted. */
async function allThere(page: Page, count: number): Promise<void> {
  await page
    .getByRole('status')
    .filter({ hasText: words.wells.shown(count, count) })
    .filter({ hasNotText: words.wells.soFar(count) })
    .first()
    .waitFor({ timeout: 300_000 });
  await page
    .locator(`[role=grid][aria-label="${words.wells.heading}"][aria-rowcount="${count}"]`)
    .waitFor({ timeout: 60_000 });
}

async function ourRun(page: Page, count: number): Promise<Run> {
  const before = performance.now();
  await page.reload();
  await allThere(page, count);
  const open = performance.now() - before;
  const openTask = await maxTaskMs(page);
  const search = page.getByRole('searchbox', { name: words.wells.search });
  await search.focus();
  await page.evaluate((list) => {
    const grid = document.querySelector(`[role=grid][aria-label="${list}"]`);
    const taken: number[] = [];
    let pressed = 0;
    addEventListener('keydown', () => (pressed = performance.now()), true);
    new MutationObserver(() =>
      requestAnimationFrame(() => {
        if (pressed > 0) taken.push(performance.now() - pressed);
        pressed = 0;
      }),
    ).observe(grid ?? document.body, { attributes: true, attributeFilter: ['aria-rowcount'] });
    Object.assign(globalThis, { taken });
  }, words.wells.heading);
  for (const letter of keys) {
    await page.keyboard.press(letter === ' ' ? 'Space' : letter);
    await page.waitForTimeout(150);
  }
  const keyTask = await maxTaskMs(page);
  const taken = await taskTimesOf(page);
  await search.fill('');
  return { open, openTask, key: median(taken), keyTask };
}

function taskTimesOf(page: Page): Promise<number[]> {
  return page.evaluate(() => (globalThis as unknown as { taken: number[] }).taken);
}

/** The same wells, from the stored list. */
async function keptRows(catalogue: string): Promise<Well[]> {
  const [folder = ''] = await readdir(catalogue);
  const lines = (await readFile(join(catalogue, folder, 'wells.ndjson'), 'utf8')).split('\n').slice(1);
  return lines.flatMap((line) => (line.startsWith('[') ? parseWells(line) : []));
}

async function floorRun(on: Browser, rows: Well[]): Promise<Run> {
  const page = await on.newPage();
  try {
    await watchLongTasks(page);
    await page.goto('about:blank');
    await page.setContent('<div id="grid" style="height:600px;width:328px"></div>');
    await watchHere(page);
    await page.addScriptTag({
      path: bareGrid,
    });
    await page.evaluate((data) => void Object.assign(globalThis, { rows: JSON.stringify(data) }), rows);
    await maxTaskMs(page);
    const open = await page.evaluate(openGrid);
    const openTask = await maxTaskMs(page);
    const taken: number[] = [];
    for (let length = 1; length <= keys.length; length += 1)
      taken.push(await page.evaluate(searchGrid, keys.slice(0, length).join('')));
    return { open, openTask, key: median(taken), keyTask: await maxTaskMs(page) };
  } finally {
    await page.close();
  }
}

/** A page without an address runs no script at its start. */
function watchHere(page: Page): Promise<void> {
  return page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { longTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
  });
}

interface BareGrid {
  rows: string;
  grid: { setGridOption: (name: string, value: string) => void };
  agGrid: {
    createGrid: (place: Element | null, options: object) => BareGrid['grid'];
    ModuleRegistry: { registerModules: (modules: unknown[]) => void };
    AllCommunityModule: unknown;
  };
}

/** From the text of the rows to their first frame, in milliseconds. */
async function openGrid(): Promise<number> {
  const bare = globalThis as unknown as BareGrid;
  const before = performance.now();
  bare.agGrid.ModuleRegistry.registerModules([bare.agGrid.AllCommunityModule]);
  bare.grid = bare.agGrid.createGrid(document.querySelector('#grid'), {
    rowData: JSON.parse(bare.rows) as unknown,
    columnDefs: ['name', 'status', 'apiNumber', 'assetId', 'companyId', 'lastActiveAt'].map((field) => ({
      field,
    })),
  });
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - before;
}

async function searchGrid(text: string): Promise<number> {
  const before = performance.now();
  (globalThis as unknown as BareGrid).grid.setGridOption('quickFilterText', text);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - before;
}
