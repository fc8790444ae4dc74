import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { plainName } from '../../src/shared/channels/plain-names.ts';
import { plotWords } from '../../src/renderer/words/plot.ts';
import { recipeWords } from '../../src/renderer/words/recipes.ts';
import { uploadWords } from '../../src/renderer/words/upload.ts';
import { words } from '../../src/renderer/words/words.ts';
import { anyCount, including, startingLike } from '../support/wording.ts';
import { AppWindow } from './support/app.ts';
import { findings, popover } from './support/findings.ts';
import { addressOf } from './support/fixtures.ts';
import { startHost, type Host } from './support/host.ts';
import { test as base, expect, rigRows, UploadWindow } from './support/upload.ts';

/**
 * Everyday tasks, once with the mouse and ten of them with keys alone: `WELLBENCH_TASKS=1 npx playwright test` prints
 * how many clicks and keys each takes, and takes pictures of its end. A shortcut such as Ctrl+Enter is one key, and each typed character is one; the
 * system's file dialog isn't counted. Axe checks the window at the end of each task.
 */
interface Bench {
  readonly page: Page;
  readonly app: AppWindow;
  readonly upload: UploadWindow;
  readonly demo: Demo;
  readonly fileWith: (name: string, content: string) => Promise<string>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  press(...keys: readonly string[]): Promise<void>;
  /** Selects an entry of the palette by a part of its name. */
  palette(text: string, entry: RegExp): Promise<void>;
  /** Presses Tab, or Shift+Tab, until the element has the focus. */
  tabTo(target: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  /** Resets the counters. */
  start(): Promise<void>;
}

interface Task {
  readonly name: string;
  readonly prepare?: (bench: Bench) => Promise<void>;
  readonly byMouse: (bench: Bench) => Promise<void>;
  /** Absent: only the mouse is counted. */
  readonly byKeys?: (bench: Bench) => Promise<void>;
  readonly done: (bench: Bench) => Promise<void>;
}

const { results, query, live, saved, jobs, summary } = words;
const up = uploadWords;
const first = 'Cottonwood B-106H';
const second = 'Cottonwood A-105H';
const offsetWells = [first, second, 'Ridge A-101H'];
const wits = 'demo/wits';
const depthLogs = 'demo/drilling.wits.depth';

const openByMouse = async ({ app }: Bench, dataset: string) => {
  await app.page.getByRole('tab', { name: words.datasets.heading, exact: true }).click();
  await app.datasets.getByRole('row', { name: new RegExp(`${dataset.replaceAll('.', '\\.')}$`) }).click();
};
const view = ({ page }: Bench, name: keyof typeof results.views) =>
  page.locator('label').filter({ has: page.getByRole('radio', { name: results.views[name], exact: true }) });
const hasRecords = ({ app }: Bench) => expect(app.answer.getByRole('gridcell').first()).toBeVisible();
const hasPlot = async ({ page }: Bench, fields: readonly string[]) => {
  for (const field of fields)
    await expect(page.getByRole('table', { name: plotWords.values })).toContainText(field);
};
const queryOfFirst = async (bench: Bench) => {
  await bench.app.well(first).click();
  await openByMouse(bench, wits);
  await hasRecords(bench);
};
const timePicker = ({ page }: Bench) =>
  page.getByRole('button', { name: startingLike(`${query.range.time}: `) });
const presetText = (id: string) => query.range.presetList.find((listed) => listed.id === id)?.text ?? id;
const preset = ({ page }: Bench, id: string) =>
  page.getByRole('dialog').getByRole('button', { name: presetText(id), exact: true });
/** Selects a range from the field with the focus. */
async function pickRangeByKeys(bench: Bench, id: string): Promise<void> {
  await bench.tabTo(timePicker(bench), 'Shift+Tab');
  await bench.press('Enter');
  await expect(preset(bench, id)).toBeVisible();
  await bench.tabTo(preset(bench, id));
  await bench.press('Enter');
}

const target = 'demo/uploads.time';
let filesMade = 0;
/** A file with times that no other file has, because stored rows aren't sent again. */
function rigLog(rows: number): string {
  filesMade += 1;
  const [, ...lines] = rigRows(rows).map((row) => row.replace('2026-01-01', `20${10 + filesMade}-01-01`));
  return ['Time,Speed,Load', ...lines].join('\n');
}
/** Uploads a file to a dataset of one well, up to the button that sends it, and sends it. */
async function sendFile({ app, upload, fileWith }: Bench, name: string, rows: number) {
  await app.well(first).click();
  await upload.bring(await fileWith(name, rigLog(rows)), target);
  await upload.button(up.check.send(rows - 1)).click();
}

/** What an engineer asks of a well next: a recipe beside its records. */
const recipeOf = async (bench: Bench, kind: keyof typeof recipeWords.kinds) => {
  await hasRecords(bench);
  await bench.app.button(recipeWords.start).click();
  await bench.page.getByRole('menuitem', { name: recipeWords.kinds[kind], exact: true }).click();
};
const hasColumn = ({ app }: Bench, name: RegExp) =>
  expect(app.answer.getByRole('columnheader', { name }).first()).toBeVisible({ timeout: 60_000 });

const tasks: readonly Task[] = [
  {
    name: 'Find a well and see its last hour',
    async byMouse(bench) {
      const { page } = bench;
      await page.getByRole('searchbox', { name: words.wells.search }).click();
      await bench.type('b-106');
      await expect(bench.app.wells.getByRole('row')).toHaveCount(1);
      await bench.press('Enter');
      await hasRecords(bench);
      await timePicker(bench).click();
      await preset(bench, 'now-1h').click();
    },
    async byKeys(bench) {
      await bench.palette('cottonwood b', including(first));
      await bench.palette('demo/wits', /^demo\/wits\s/);
      await hasRecords(bench);
      await pickRangeByKeys(bench, 'now-1h');
    },
    async done(bench) {
      await expect(timePicker(bench)).toHaveAccessibleName(including(presetText('now-1h')));
      await hasRecords(bench);
    },
  },
  {
    name: 'Plot ROP and WOB of two wells',
    async byMouse(bench) {
      await bench.app.well(first).click();
      await bench.app.well(second).click();
      await openByMouse(bench, wits);
      await hasRecords(bench);
      await view(bench, 'plot').click();
    },
    async byKeys(bench) {
      await bench.palette('cottonwood b', including(first));
      await bench.palette('cottonwood a', including(second));
      await bench.palette('demo/wits', /^demo\/wits\s/);
      await hasRecords(bench);
      await bench.palette('plot', including(words.commands.titles.viewPlot));
    },
    done: (bench) => hasPlot(bench, ['data.rop', 'data.weight_on_bit'].map(plainName)),
  },
  {
    name: 'Export the last week as CSV for Excel',
    prepare: queryOfFirst,
    async byMouse(bench) {
      await timePicker(bench).click();
      await preset(bench, 'now-7d').click();
      await bench.app.button(query.export).click();
      await bench.app.button(words.export.start).click();
    },
    async byKeys(bench) {
      await pickRangeByKeys(bench, 'now-7d');
      await bench.palette('export', including(words.commands.titles.export));
      await expect(bench.page.getByRole('dialog')).toBeVisible();
      await bench.tabTo(bench.page.getByLabel(words.export.fileName));
      await bench.press('Enter');
    },
    done: ({ app }) => expect(app.jobs).toContainText(jobs.states.done),
  },
  {
    name: 'Upload a file whose header was mapped before',
    async prepare(bench) {
      await sendFile(bench, 'rig-1.csv', 200);
      await bench.upload.atRest();
      await bench.page.getByRole('tab', { name: up.tab('rig-1.csv') }).focus();
      await bench.press('Delete');
    },
    async byMouse({ upload, page, fileWith }) {
      await page.getByRole('tab', { name: words.datasets.heading, exact: true }).click();
      await page.getByRole('button', { name: up.openInto(target), exact: true }).click();
      await upload.pick(await fileWith('rig-2.csv', rigLog(300)));
      await upload.next('columns');
      await upload.next('check');
      await upload.button(up.check.send(299)).click();
    },
    async byKeys(bench) {
      const { upload, page, fileWith } = bench;
      await bench.palette('upload', including(words.commands.titles.upload));
      await expect(upload.button(up.choose.button)).toBeVisible();
      await bench.tabTo(upload.button(up.choose.button));
      const choosing = page.waitForEvent('filechooser');
      await bench.press('Enter');
      await (await choosing).setFiles(await fileWith('rig-2.csv', rigLog(300)));
      const box = upload.tab.getByRole('combobox', { name: up.dataset });
      await expect(box).toBeVisible();
      if ((await box.inputValue()) === '') {
        await bench.tabTo(box);
        await bench.type(target);
        await bench.press('Enter');
      }
      for (const step of ['columns', 'check'] as const) {
        const next = upload.button(up.next(up.steps[step]));
        await expect(next).toBeEnabled();
        await bench.tabTo(next);
        await bench.press('Enter');
      }
      const send = upload.button(up.check.send(299));
      await expect(send).toBeEnabled();
      await bench.tabTo(send);
      await bench.press('Enter');
    },
    done: ({ upload }) =>
      expect(upload.tab.getByRole('heading', { name: up.ledger.headings.done })).toBeVisible({
        timeout: 60_000,
      }),
  },
  {
    name: 'Resume a paused upload',
    async prepare(bench) {
      const { app, demo } = bench;
      Object.assign(demo.faults, { rate_429: 1, retry_after: 1, fault_on: 'writes' });
      await sendFile(bench, 'rig-3.csv', 4000);
      await app.jobsToggle().click();
      const job = app.job('upload', 'rig-3.csv');
      await job.getByRole('button', { name: jobs.pauseNamed('rig-3.csv') }).click();
      await expect(job).toContainText(jobs.waits.resume, { timeout: 30_000 });
      await app.jobsToggle().click();
      demo.faults.rate_429 = 0;
    },
    async byMouse({ app }) {
      await app.jobsToggle().click();
      const job = app.job('upload', 'rig-3.csv');
      await job.getByRole('button', { name: jobs.resumeNamed('rig-3.csv') }).click();
    },
    async byKeys(bench) {
      await bench.palette('jobs', including(words.commands.titles.jobs));
      const job = bench.app.job('upload', 'rig-3.csv');
      await bench.tabTo(job.getByRole('button', { name: jobs.resumeNamed('rig-3.csv') }));
      await bench.press('Enter');
    },
    done: ({ app }) =>
      expect(app.job('upload', 'rig-3.csv')).toContainText(jobs.states.done, { timeout: 60_000 }),
  },
  {
    name: 'Find a value in the results',
    prepare: queryOfFirst,
    async byMouse(bench) {
      await bench.page.getByRole('searchbox', { name: results.find.label }).click();
      await bench.type('12');
      await bench.press('Enter');
    },
    async byKeys(bench) {
      await bench.palette('find', including(words.commands.titles.find));
      await bench.type('12');
      await bench.press('Enter');
    },
    done: ({ app }) => expect(app.answer).toContainText(including(results.find.place(1, anyCount, anyCount))),
  },
  {
    name: 'Switch the connection',
    async byMouse({ app, page }) {
      await app.button(startingLike(words.connection.menu('Test bed'))).click();
      await page.getByRole('menuitemradio', { name: 'Second bed' }).click();
    },
    byKeys: (bench) => bench.palette('second', including('Second bed')),
    done: ({ app }) => expect(app.button(startingLike(words.connection.menu('Second bed')))).toBeVisible(),
  },
  {
    name: 'Follow a well live',
    async byMouse(bench) {
      await bench.app.button(words.home.follow(first)).click();
    },
    async byKeys(bench) {
      await bench.palette('cottonwood b', including(first));
      await bench.palette('demo/wits', /^demo\/wits\s/);
      await hasRecords(bench);
      await bench.palette('follow', including(live.follow));
    },
    done: ({ page }) => expect(page.getByRole('region', { name: live.region })).toContainText(first),
  },
  {
    name: 'Save a query and run it again',
    prepare: queryOfFirst,
    async byMouse(bench) {
      const { app, page } = bench;
      await app.button(saved.saveQuery).click();
      await page.getByRole('dialog').getByRole('button', { name: saved.save, exact: true }).click();
      await page.getByRole('tab', { name: saved.heading, exact: true }).click();
      await page.getByRole('grid', { name: saved.heading }).getByRole('row').last().click();
    },
    async byKeys(bench) {
      const { page } = bench;
      await bench.press('ControlOrMeta+S');
      await expect(page.getByRole('dialog', { name: saved.saveQuery })).toBeVisible();
      await bench.press('Enter');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await bench.palette('wits', /^WITS/);
    },
    async done(bench) {
      await expect(bench.page.getByRole('tablist', { name: words.tabs.label }).getByRole('tab')).toHaveCount(
        2,
      );
      await bench.press('ControlOrMeta+Enter');
      await hasRecords(bench);
    },
  },
  {
    name: 'Compare two wells by depth',
    async byMouse(bench) {
      await bench.app.well(first).click();
      await bench.app.well(second).click();
      await openByMouse(bench, depthLogs);
      await hasRecords(bench);
      await view(bench, 'plot').click();
    },
    async byKeys(bench) {
      await bench.palette('cottonwood b', including(first));
      await bench.palette('cottonwood a', including(second));
      await bench.palette('wits.depth', /wits\.depth/);
      await hasRecords(bench);
      await bench.palette('plot', including(words.commands.titles.viewPlot));
    },
    done: (bench) => hasPlot(bench, ['ropa', 'wobavg']),
  },
  {
    name: 'Mean of ROP by well and hour',
    async byMouse(bench) {
      const { app, page } = bench;
      await openByMouse(bench, wits);
      await hasRecords(bench);
      await app.answer
        .getByRole('columnheader', { name: startingLike(plainName('data.rop')) })
        .click({ button: 'right' });
      await page.getByRole('menuitem', { name: summary.meanByWellAndStep(3_600_000, false) }).click();
    },
    async done({ app }) {
      await expect(app.column('rop_mean').first()).toBeVisible();
    },
  },
  {
    name: 'From a well to its plot',
    async byMouse(bench) {
      await bench.app.well(first).dblclick();
      await hasRecords(bench);
      await view(bench, 'plot').click();
    },
    done: (bench) => hasPlot(bench, [plainName('data.rop')]),
  },
  {
    name: 'Three offset wells in one plot',
    async byMouse(bench) {
      for (const well of offsetWells) await bench.app.well(well).click();
      await openByMouse(bench, wits);
      await hasRecords(bench);
      await view(bench, 'plot').click();
    },
    async done(bench) {
      await hasPlot(bench, [plainName('data.rop')]);
      for (const well of offsetWells)
        await expect(bench.page.getByRole('table', { name: plotWords.values })).toContainText(well);
    },
  },
  {
    name: 'Fix two rejected rows',
    async prepare(bench) {
      const { app, upload, page, fileWith } = bench;
      const lines = rigLog(102).split('\n');
      const stuck = lines.map((line, at) =>
        at === 7 || at === 57 ? line.replace(/,[^,]*,/, ',stuck,') : line,
      );
      await app.well(first).click();
      await upload.open(target);
      await upload.pick(await fileWith('two stuck.csv', stuck.join('\n')));
      await upload.next('columns');
      const dialog = await upload.place('Speed');
      await dialog.getByRole('button', { name: including(up.columns.readAs) }).click();
      await page.getByRole('option', { name: up.columns.kinds.number, exact: true }).click();
      await dialog.getByRole('button', { name: words.close }).click();
      await upload.next('check');
      await upload.button(up.check.sendOthers(99, 2)).click();
      await upload.atRest();
      await expect(page.getByRole('textbox', { name: up.fixes.cell('Speed', 58) })).toBeVisible();
    },
    async byMouse(bench) {
      for (const line of [8, 58]) {
        await bench.page.getByRole('textbox', { name: up.fixes.cell('Speed', line) }).click();
        await bench.press('ControlOrMeta+A');
        await bench.type('88');
      }
      await bench.upload.button(up.fixes.send(2)).click();
    },
    done: ({ upload }) => expect(upload.tab).toContainText(up.fixes.none, { timeout: 60_000 }),
  },
  {
    name: 'Mean of ROP by formation',
    async byMouse(bench) {
      await bench.app.well(first).dblclick();
      await recipeOf(bench, 'tops');
    },
    done: (bench) => hasColumn(bench, /^data_rop_mean/),
  },
  {
    name: 'Hours of each state',
    async byMouse(bench) {
      await bench.app.well(first).dblclick();
      await recipeOf(bench, 'states');
    },
    done: (bench) => hasColumn(bench, /hours/),
  },
  {
    name: 'Connections of a well',
    async byMouse(bench) {
      await bench.app.well(first).dblclick();
      await recipeOf(bench, 'connections');
    },
    done: (bench) => hasColumn(bench, /slip/),
  },
  {
    name: 'Days against depth of three wells',
    async byMouse(bench) {
      for (const well of offsetWells) await bench.app.well(well).click();
      await openByMouse(bench, wits);
      await recipeOf(bench, 'days');
    },
    done: (bench) => hasColumn(bench, /^days/),
  },
  {
    name: 'Mean of ROP on bottom',
    async byMouse(bench) {
      const { app, page } = bench;
      await app.well(first).dblclick();
      await hasRecords(bench);
      const onBottom = app.button(query.filter.quick.add(query.filter.quick.names.onBottom));
      await onBottom.click();
      await expect(onBottom).toBeHidden();
      await app.answer
        .getByRole('columnheader', { name: startingLike(plainName('data.rop')) })
        .click({ button: 'right' });
      await page.getByRole('menuitem', { name: summary.meanByWell, exact: true }).click();
    },
    async done({ app }) {
      await expect(app.column('rop_mean').first()).toBeVisible();
      await expect(app.answer).toContainText(results.onlyStates([query.filter.quick.names.onBottom]));
    },
  },
];

/** Counts the clicks and keys that the page receives. */
function countInPage() {
  const tally = { clicks: 0, keys: 0 };
  Object.assign(window, { tally });
  const modifiers = new Set(['Control', 'Shift', 'Alt', 'Meta']);
  window.addEventListener('pointerdown', () => (tally.clicks += 1), true);
  window.addEventListener('keydown', ({ key }) => (tally.keys += modifiers.has(key) ? 0 : 1), true);
}
const tallyOf = (page: Page) =>
  page.evaluate(() => ({ ...(Reflect.get(window, 'tally') as { clicks: number; keys: number }) }));

const test = base.extend<object, { bed: Demo }>({
  bed: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from this parameter
    async ({}, use) => {
      const demo = await startDemo({ wells: 30, records: 60_000, live: true });
      await use(demo);
      await demo.close();
    },
    { scope: 'worker' },
  ],
});

function benchOf(page: Page, demo: Demo, fileWith: Bench['fileWith']): Bench {
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const type = (text: string) => page.keyboard.type(text);
  return {
    page,
    app: new AppWindow(page),
    upload: new UploadWindow(page),
    demo,
    fileWith,
    press,
    type,
    async palette(text, entry) {
      await press('ControlOrMeta+K');
      const search = page.getByRole('searchbox', { name: words.commands.search });
      await expect(search).toBeFocused();
      await type(text);
      const entries = page.getByRole('dialog', { name: words.commands.region }).getByRole('menuitem');
      await expect(entries.filter({ hasText: entry }).first()).toBeVisible();
      const texts = await entries.allInnerTexts();
      for (let at = texts.findIndex((one) => entry.test(one)); at > 0; at -= 1) await press('ArrowDown');
      await press('Enter');
      await expect(search).toHaveCount(0);
    },
    async tabTo(target, key = 'Tab') {
      const focused = target.and(page.locator(':focus'));
      for (let presses = 0; presses < 80; presses += 1) {
        if ((await focused.count()) > 0) return;
        await press(key);
      }
      throw new Error(`Tab does not lead to ${String(target)}`);
    },
    start: () =>
      page.evaluate(() => {
        Object.assign(Reflect.get(window, 'tally') as object, { clicks: 0, keys: 0 });
      }),
  };
}

/** A window on a connection, as a returning user finds it; nothing is selected or open. */
async function openWindow(page: Page, host: Host, demo: Demo): Promise<void> {
  await page.addInitScript(countInPage);
  await page.goto(host.url);
  const app = new AppWindow(page);
  for (const name of ['Second bed', 'Test bed']) {
    await app.fillConnection(addressOf(demo));
    await page.getByLabel(words.connection.name).fill(name);
    await app.button(words.connection.connect).click();
    await expect(app.wells.getByRole('row').first()).toBeVisible();
    if (name === 'Test bed') break;
    await app.button(startingLike(words.connection.menu(name))).click();
    await page.getByRole('menuitem', { name: words.connection.leave }).click();
  }
}

const sizes = [
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
  { width: 1024, height: 700 },
];

/** Pictures of the window at the end of a task, in three sizes, in `screenshots/tasks`. */
async function takePictures(page: Page, task: string): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    // The window lays itself out again, and draws its plots.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    await page.screenshot({
      path: join('screenshots', 'tasks', `${task}-${size.width}.png`),
      animations: 'disabled',
    });
  }
}

test.describe.configure({ mode: 'default' });
test.use({ viewport: { width: 1440, height: 900 }, actionTimeout: 20_000 });

for (const { name, prepare, byMouse, byKeys, done } of tasks)
  test(name, async ({ browser, bed, fileWith }) => {
    const seen = { byMouse: { clicks: 0, keys: 0, ms: 0 }, byKeys: { clicks: 0, keys: 0, ms: 0 } };
    const ways = byKeys ? { byMouse, byKeys } : { byMouse };
    for (const [way, act] of Object.entries(ways) as [keyof typeof seen, Task['byMouse']][]) {
      const dataFolder = await mkdtemp(join(tmpdir(), 'wellbench-tasks-'));
      const host = await startHost({ dataFolder, isNew: true });
      const page = await browser.newPage();
      try {
        await openWindow(page, host, bed);
        const bench = benchOf(page, bed, fileWith);
        await prepare?.(bench);
        await bench.start();
        const startedAt = performance.now();
        await act(bench);
        const tally = await tallyOf(page);
        await done(bench);
        seen[way] = { ...tally, ms: performance.now() - startedAt };
        expect(await findings(page, popover)).toEqual([]);
        if (way === 'byMouse') await takePictures(page, name);
      } finally {
        await page.close();
        await host.close();
        await rm(dataFolder, { recursive: true, force: true });
      }
    }
    expect(seen.byKeys.clicks).toBe(0);
    console.log(
      [
        `| ${name} | ${seen.byMouse.clicks} clicks, ${seen.byMouse.keys} keys`,
        `${(seen.byMouse.ms / 1000).toFixed(1)} s | ${byKeys ? `${seen.byKeys.keys} keys` : ''} |`,
      ].join(' | '),
    );
  });
