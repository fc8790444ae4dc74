import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDemo } from '../../src/demo/index.ts';
import { words } from '../../src/renderer/words/words.ts';
import { addressOf } from '../e2e/support/fixtures.ts';
import type { Desktop } from '../support/electron/desktop.ts';
import { including } from '../support/wording.ts';
import { expect, openedWindow, test } from './fixtures.ts';

declare global {
  // The number of options in each scripted dialog, and how often the other was shown, in the main process.
  var buttonCountsAfterCrash: number[] | undefined;
  var askedToQuit: number | undefined;
}

const text = (desktop: Desktop): Promise<string> =>
  desktop.evaluate(async ({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    if (!window || window.webContents.isCrashed() || window.webContents.getURL() === '') return '';
    const shown: unknown = await window.webContents.executeJavaScript('document.body?.innerText ?? ""');
    return String(shown);
  });
/** The content of each window. */
const texts = (desktop: Desktop): Promise<string[]> =>
  desktop.evaluate(async ({ BrowserWindow }) =>
    Promise.all(
      BrowserWindow.getAllWindows().map(async ({ webContents }) =>
        String(await webContents.executeJavaScript('document.body?.innerText ?? ""')),
      ),
    ),
  );
const crash = (desktop: Desktop): Promise<void> =>
  desktop.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
const crashes = (desktop: Desktop): number =>
  desktop.output().match(/The process of the window is gone/g)?.length ?? 0;

/** Crashes the page once it is loaded, and waits until the main process has detected it. */
async function crashOnce(desktop: Desktop): Promise<void> {
  await expect.poll(() => text(desktop)).toContain(words.app);
  const before = crashes(desktop);
  await crash(desktop);
  await expect.poll(() => crashes(desktop)).toBe(before + 1);
}

test('a window whose process crashed is restored, and if it keeps crashing, the user is prompted and can quit; a second instance brings the first to the front and ends, unless it has another data folder; closing the window ends the first', async ({
  app,
  desktop,
  launch,
  folder,
}) => {
  await expect(app.button(words.start.openSample)).toBeVisible();
  await desktop.evaluate(({ dialog }) => {
    const buttonCounts: number[] = (globalThis.buttonCountsAfterCrash = []);
    dialog.showMessageBox = async (...given: unknown[]) => {
      const { buttons } = given.at(-1) as { buttons: string[] };
      buttonCounts.push(buttons.length);
      return { response: 0, checkboxChecked: false };
    };
  });
  await crashOnce(desktop);
  await expect.poll(() => text(desktop)).toContain(words.start.openSample);
  expect(desktop.output()).toMatch(/The process of the window is gone \((crashed|killed), exit code -?\d+\)/);
  for (let count = 1; count < 4; count++) await crashOnce(desktop);
  await expect.poll(() => text(desktop)).toContain(words.start.openSample);
  expect(await desktop.evaluate(() => globalThis.buttonCountsAfterCrash)).toEqual([2]);

  await test.step('a second instance with the same data folder', async () => {
    const state = () =>
      desktop.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((window) => window.isMinimized()),
      );
    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
    await expect.poll(state).toEqual([true]);
    expect(await desktop.second()).toBe(0);
    await expect.poll(state).toEqual([false]);
  });

  await test.step('with another data folder it is a separate application', async () => {
    const other = await openedWindow(await launch({ dataFolder: join(folder, 'other') }));
    await expect(other.button(words.start.openSample)).toBeVisible();
  });

  // On macOS applications outlive their windows.
  if (process.platform === 'darwin') return;
  await test.step('closing the window ends the application, and leaves nothing half-written', async () => {
    await desktop.evaluate(({ BrowserWindow }) =>
      setImmediate(() => BrowserWindow.getAllWindows()[0]?.close()),
    );
    expect(await desktop.quit()).toBe(0);
    expect((await readdir(join(folder, 'data'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

test('several windows have their own pages, and are restored at their last positions after quitting; an export pauses while the machine sleeps, and quitting stops it so that it can be resumed', async ({
  launch,
  folder,
}) => {
  const started = including(words.start.openSample);
  const bothStarted = [expect.stringMatching(started), expect.stringMatching(started)];
  const bounds = (desktop: Desktop) =>
    desktop.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => window.getNormalBounds()),
    );
  const resized: unknown = expect.objectContaining({ width: 1000, height: 640 });
  let before: Awaited<ReturnType<typeof bounds>> = [];
  const demo = await startDemo({ wells: 4, records: 20_000, faults: { latency_ms: 100 } });
  const target = join(folder, 'all of it.csv');
  try {
    const first = await launch();
    const app = await openedWindow(first);
    await test.step('two windows, of which one is moved', async () => {
      const wanted = { x: 40, y: 60, width: 1000, height: 640 };
      await first.evaluate(
        ({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to),
        wanted,
      );
      await first.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('newWindow')?.click());
      await expect.poll(() => texts(first)).toEqual(bothStarted);
      before = await bounds(first);
      expect(before).toContainEqual(resized);
    });
    await first.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath });
    }, target);
    await app.connect(addressOf(demo));
    await app.openDataset('demo/wits');
    demo.faults.latency_ms = 10_000;
    await app.button(words.query.export).click();
    // A workbook reads the units of fields before its job starts, which takes long at this latency.
    await app.page.getByText(words.export.uses.pandas, { exact: true }).click();
    await app.button(words.export.start).click();
    const jobs = app.jobsToggle();
    const isRunning = words.jobs.summary(1, 0, 1);
    await expect(jobs).toContainText(isRunning);
    await jobs.click();
    await first.evaluate(({ powerMonitor }) => powerMonitor.emit('suspend'));
    await expect(app.jobs.getByText(words.jobs.waits.resume).first()).toBeVisible();
    await first.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'));
    await expect(jobs).toContainText(isRunning);
    const answer = (response: number) =>
      first.evaluate(({ dialog }, given) => {
        dialog.showMessageBox = async () => {
          globalThis.askedToQuit = (globalThis.askedToQuit ?? 0) + 1;
          return { response: given, checkboxChecked: false };
        };
      }, response);
    await answer(1);
    await first.evaluate(({ app: electron }) => electron.quit());
    await expect.poll(() => first.evaluate(() => globalThis.askedToQuit)).toBe(1);
    await expect(jobs).toContainText(isRunning);
    await answer(0);
    expect(await first.quit()).toBe(0);
    expect(first.output()).not.toContain('took too long');
  } finally {
    await demo.close();
  }
  expect(await readdir(folder)).not.toContain('all of it.csv');
  const saved: unknown = JSON.parse(await readFile(join(folder, 'data', 'window.json'), 'utf8'));
  expect(saved).toMatchObject({ windows: [{}, {}] });
  expect(saved).toMatchObject({ windows: expect.arrayContaining([resized]) });
  const second = await launch();
  await expect.poll(() => texts(second)).toEqual(bothStarted);
  const sizes = (all: typeof before) => all.map(({ width, height }) => [width, height]);
  expect(sizes(await bounds(second))).toEqual(sizes(before));
  const again = await openedWindow(second);
  await again.openSample();
  await again.jobsToggle().click();
  await expect(again.button(words.jobs.resumeNamed('all of it.csv'))).toBeVisible();
});
