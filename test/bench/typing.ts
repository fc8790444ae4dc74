// Typing in a pipeline of 5,000 lines, in the window with all typing aids, compared with a bare Monaco with the same
// text in the same Chromium, key by key in turns. `node test/bench/typing.ts [--full]`, after a build; `--full`: more
// rounds.
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { words } from '../../src/renderer/words/words.ts';
import { AppWindow, check } from '../e2e/support/app.ts';
import { startHost } from '../e2e/support/host.ts';
import { startingLike } from '../support/wording.ts';
import type { Show } from './pages/typing.ts';
import { openBrowser, serveBare } from './support/browser.ts';
import { measureInTurns, printFigure } from './support/figures.ts';
import { maxOwnTaskMs } from './support/long-tasks.ts';

const rounds = process.argv.includes('--full') ? 7 : 3;
const typed = '"data.wob": { $gt: 5 }, ';
const stage =
  '  {\n    $match: {\n      asset_id: 5005,\n      "data.rop": { $gt: 12.5 }, // while drilling\n    },\n  },\n';
const text = `[\n${stage.repeat(833)}]\n`;

/** Runs in the page: `watch` starts, `longest` ends and returns the longest stall of the thread, in milliseconds. */
function watchTasks(): void {
  const { port1, port2 } = new MessageChannel();
  let [last, found, on] = [0, 0, false];
  port1.addEventListener('message', () => {
    const now = performance.now();
    found = Math.max(found, now - last);
    last = now;
    if (on) port2.postMessage(null);
  });
  port1.start();
  const watch = () => {
    [last, found, on] = [performance.now(), 0, true];
    port2.postMessage(null);
  };
  const longest = () => {
    on = false;
    return found;
  };
  Object.assign(globalThis, { tasks: { watch, longest } });
}

interface Tasks {
  readonly tasks: { readonly watch: () => void; readonly longest: () => number };
}
const watchIn = (page: Page) => page.evaluate(() => (globalThis as unknown as Tasks).tasks.watch());
const maxTaskOf = (page: Page) => page.evaluate(() => (globalThis as unknown as Tasks).tasks.longest());

/** Types in the middle of the text and undoes it; returns the measurement from the first key to the pause. */
async function typeIn(page: Page, measured: Measured): Promise<number> {
  await page.bringToFront();
  await page.keyboard.press('ControlOrMeta+Home');
  for (let line = 0; line < 4; line++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await page.waitForTimeout(1500);
  const longest = await measured(page, async () => {
    for (const letter of typed) {
      await page.keyboard.type(letter);
      await page.waitForTimeout(90);
    }
    await page.keyboard.press('Escape');
    // The work after a pause: linting, and storing the tab.
    await page.waitForTimeout(1500);
  });
  for (let undone = 0; undone < 4; undone++) await page.keyboard.press('ControlOrMeta+Z');
  return longest;
}

/** The longest task of a page during some work, in milliseconds. */
type Measured = (page: Page, act: () => Promise<void>) => Promise<number>;
const byTheClock: Measured = async (page, act) => {
  await watchIn(page);
  await act();
  return maxTaskOf(page);
};

const bareMonaco = `
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
self.MonacoEnvironment = { getWorker: () => new EditorWorker() };
import ${JSON.stringify(join(import.meta.dirname, 'pages', 'typing.ts'))};`;

async function openWellbench(page: Page, url: string): Promise<void> {
  await page.goto(url);
  const app = new AppWindow(page);
  await app.openSample();
  await app.openDataset('demo/wits');
  await check(page.getByRole('radio', { name: words.query.modes.pipeline, exact: true }));
  await app.button(words.query.carry.keep).click();
  await app.pasteInto(page.getByRole('textbox', { name: startingLike(words.query.stages) }), text);
}

const bare = await serveBare({
  script: bareMonaco,
  place: 'width:1000px;height:300px',
});
const browser = await openBrowser();
const host = await startHost();
try {
  const pages = {
    ours: await browser.newPage(),
    floor: await browser.newPage(),
    floorAlone: await browser.newPage(),
  };
  for (const page of Object.values(pages)) await page.addInitScript(watchTasks);
  await openWellbench(pages.ours, host.url);
  for (const [page, reader] of [
    [pages.floor, 'on'],
    [pages.floorAlone, 'off'],
  ] as const) {
    await page.goto(`${bare.url}?reader=${reader}`, { waitUntil: 'commit' });
    await page.waitForFunction('window.ready === true', undefined, { timeout: 120_000 });
    await page.evaluate((shown) => (window as unknown as { readonly show: Show }).show(shown), text);
  }
  const byItself: Measured = (page, act) => maxOwnTaskMs(browser, page, act);
  // The first run of each loads and compiles.
  for (const page of Object.values(pages)) await typeIn(page, byTheClock);
  const lines = `${text.split('\n').length.toLocaleString('en')} lines`;
  for (const [measured, longest] of [
    [byTheClock, 'longest task'],
    [byItself, 'longest task, in its own time'],
  ] as const) {
    const run = (page: Page) => () => typeIn(page, measured);
    const { ours, floor, floorAlone } = await measureInTurns(
      { ours: run(pages.ours), floor: run(pages.floor), floorAlone: run(pages.floorAlone) },
      rounds,
    );
    const figure = { unit: 'ms', goal: '≤ 50 ms, ≤ 1.2 ×' };
    printFigure({ name: `typing in a pipeline of ${lines}: ${longest}`, ours, floor, ...figure });
    printFigure({
      name: `bare Monaco, ${lines}: ${longest} with support for screen readers, against without`,
      ours: floor,
      floor: floorAlone,
      ...figure,
    });
  }
} finally {
  await browser.close();
  await host.close();
  await bare.close();
}
