import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { uploadWords } from '../../src/renderer/words/upload.ts';
import { words } from '../../src/renderer/words/words.ts';
import { connectionEnv } from '../support/cli.ts';
import { including, startingLike } from '../support/wording.ts';
import { AppWindow, check } from './support/app.ts';
import { startHost } from './support/host.ts';
import { expect, test, UploadWindow } from './support/upload.ts';

/** A server in front of a demo, which can be down for a while. */
async function startRelay(demo: Demo) {
  const sockets = new Set<Socket>();
  let isDown = false;
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    if (isDown) return socket.destroy();
    const service = connect(Number(new URL(demo.dataUrl).port), '127.0.0.1');
    socket.pipe(service.on('error', () => socket.destroy())).pipe(socket);
    return socket.once('close', () => service.destroy());
  });
  const setDown = (down: boolean) => {
    isDown = down;
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    demo: { ...demo, dataUrl: url, platformUrl: demo.platformUrl.replace(demo.dataUrl, url) },
    setDown,
    close() {
      setDown(true);
      server.close();
    },
  };
}

const wells = ['Ridge A-101H', 'Cottonwood A-105H', 'Ridge B-102H'] as const;
const queries = wells.map((well, at) => ({
  tab: words.tabs.query('WITS', at + 1, [{ name: well }]),
  text: `{ asset_id: {{wells}}, query: ${at + 1}`,
  well,
}));
/** A file whose columns the user maps, and one that was only read; with their rows. */
const files = [
  ['mapped.csv', 3],
  ['read.csv', 4],
] as const;
const rows = (count: number) =>
  ['When,ROP', ...Array.from({ length: count }, (_, row) => `2026-01-0${row + 1}T00:00:00Z,${row}`)].join(
    '\n',
  );

/** A window with three queries, SQL, two uploads, a live view, and a quality check. */
function manyTabsIn(page: Page) {
  const app = new AppWindow(page);
  const upload = new UploadWindow(page);
  const panel = page.locator('.tab-panel:not([data-inert])');
  const tabs = page.getByRole('tablist', { name: words.tabs.label }).getByRole('tab');
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  const live = page.getByRole('region', { name: words.live.region, exact: true });
  const sql = panel.getByRole('textbox', { name: startingLike(words.sql.editor) });
  const editor = panel.getByRole('textbox', { name: startingLike(words.query.editor) });
  const code = async () =>
    (await panel.locator('.code-editor .view-lines').innerText()).replaceAll('\u00a0', ' ').trim();
  const quality = panel.getByRole('textbox', { name: words.quality.tab.query, exact: true });
  return {
    app,
    upload,
    tab,
    live,
    tabs,
    editor,
    async enter(url: string) {
      await page.goto(url);
      await page.getByRole('button', { name: startingLike(words.start.open('127.0.0.1')) }).click();
      await expect(app.wells.getByRole('row').first()).toBeVisible();
    },
    async openAll(fileWith: (name: string, content: string) => Promise<string>) {
      for (const [at, { text, well }] of queries.entries()) {
        await app.openDataset('demo/wits').catch(() => undefined);
        await expect(tabs).toHaveCount(at + 1);
        const previous = wells[at - 1];
        if (previous !== undefined) await app.well(previous).click();
        await app.well(well).click();
        await expect(app.selectedWells).toHaveCount(1);
        await app.pasteInto(editor, text);
      }
      await page.keyboard.press('Alt+T');
      await check(panel.getByRole('radio', { name: words.query.modes.sql, exact: true }));
      await app.pasteInto(sql, 'SELECT 41 + 1 AS total');
      for (const [name, count] of files) {
        await upload.open('demo/uploads.time');
        await upload.pick(await fileWith(name, rows(count)));
      }
      await tab(uploadWords.tab('mapped.csv')).click();
      await upload.next('columns');
      await upload.button(uploadWords.columns.likely('When')).click();
      await expect(upload.tab.getByText(uploadWords.columns.filled)).toBeVisible();
      await app.showSection('datasets');
      await page.getByRole('searchbox', { name: words.datasets.search }).fill('demo/wits');
      await page.getByRole('button', { name: words.datasets.tab('demo/wits'), exact: true }).click();
      await app.button(words.quality.tab.start).click();
      await quality.fill('{ state: "Rotary Drilling" }');
      await app.showSection('wells');
      await tab(queries[0]?.tab ?? '').click();
      await app.pasteInto(editor, '{ asset_id: {{wells}} }');
      await app.run();
      await app.button(words.live.follow).click();
      await expect(live.getByRole('status').filter({ hasText: words.live.status.following })).toBeVisible();
      await tab(queries[0]?.tab ?? '').click();
      await app.pasteInto(editor, queries[0]?.text ?? '');
    },
    /** All tabs are open, and the one in view has what the user typed last. */
    async expectLast() {
      await expect(tabs).toHaveCount(9);
      await expect.poll(code).toBe(queries[0]?.text ?? '');
    },
    /** Each tab has what the user left in it, and the sidebar shows its wells. */
    async expectAll() {
      await expect(tabs).toHaveCount(9);
      for (const { tab: name, text, well } of queries) {
        await tab(name).click();
        await expect.poll(code).toBe(text);
        await expect(app.selectedWells).toHaveCount(1);
        await expect(app.well(well)).toHaveAttribute('aria-selected', 'true');
      }
      await tabs.nth(3).click();
      await expect.poll(code).toBe('SELECT 41 + 1 AS total');
      await tab(uploadWords.tab('mapped.csv')).click();
      await expect(upload.step()).toContainText(uploadWords.steps.columns);
      await expect(upload.tab.getByText(uploadWords.columns.filled)).toBeVisible();
      await tab(uploadWords.tab('read.csv')).click();
      await expect(upload.step()).toContainText(uploadWords.steps.file);
      await expect(upload.rawLine(5)).toBeVisible();
      await tab(words.quality.tab.title('WITS')).click();
      await expect(quality).toHaveValue('{ state: "Rotary Drilling" }');
      await tab(words.live.tab(queries[0]?.tab ?? '')).click();
      await expect(live.getByRole('status').filter({ hasText: words.live.status.following })).toBeVisible();
    },
  };
}

// In each `npm test`: a queue of uploads after a reload (upload-reload.spec.ts), a window after a crash (test/electron/life.spec.ts).
test(
  'three queries, SQL, two uploads, a live view, and a quality check survive a reload, a crash of the page, services that are down, and a crash of the host',
  { tag: '@long' },
  async ({ browser, fileWith }) => {
    test.slow();
    const dataFolder = await mkdtemp(join(tmpdir(), 'wellbench-keeping-'));
    const demo = await startDemo({ wells: 8, records: 3000, live: true });
    const relay = await startRelay(demo);
    const options = { dataFolder, env: connectionEnv(relay.demo) };
    let host = await startHost(options);
    try {
      const context = await browser.newContext();
      let page = await context.newPage();
      let window = manyTabsIn(page);
      await window.enter(host.url);
      await window.openAll(fileWith);
      await test.step('the page is reloaded immediately', async () => {
        await page.reload();
        // The other tabs, saved before, are checked after the crash.
        await window.expectLast();
      });

      await test.step('the page crashes a second after the last character', async () => {
        await page.waitForTimeout(1000);
        const crash = page.waitForEvent('crash');
        await page.goto('chrome://crash').catch(() => undefined);
        await crash;
        page = await context.newPage();
        window = manyTabsIn(page);
        await window.enter(new URL('/', host.url).href);
        await window.expectAll();
      });

      await test.step('the services are down for a while: rows in view stay, and all continues', async () => {
        const { app, live, tab, upload } = window;
        relay.setDown(true);
        await expect(
          live
            .getByRole('alert')
            .or(live.getByRole('status'))
            .filter({ hasText: including(words.live.nextTry('')) })
            .first(),
        ).toBeVisible();
        await expect(live.getByRole('gridcell').first()).toBeAttached();
        await tab(uploadWords.tab('mapped.csv')).click();
        await upload.next('check');
        await tab(queries[1]?.tab ?? '').click();
        await app.pasteInto(window.editor, '{ asset_id: {{wells}} }');
        await app.button(words.query.run).click();
        await expect(app.button(words.cancel).first()).toBeVisible();
        relay.setDown(false);
        await expect(app.answer.getByRole('gridcell').first()).toBeVisible({ timeout: 30_000 });
        await app.pasteInto(window.editor, queries[1]?.text ?? '');
        await tab(uploadWords.tab('mapped.csv')).click();
        await upload.button(uploadWords.back).click();
        await tab(words.live.tab(queries[0]?.tab ?? '')).click();
        // The next step checks what the user left in each tab.
        await expect(live.getByRole('status').filter({ hasText: words.live.status.following })).toBeVisible();
      });

      await test.step('the host is killed, and another one is started', async () => {
        const { upload } = window;
        await page.waitForTimeout(1000);
        await host.kill();
        await expect(page.getByText(words.link.reconnecting)).toBeVisible();
        await expect(window.app.wells.getByRole('row').first()).toBeVisible();
        await page.getByRole('button', { name: uploadWords.button, exact: true }).click();
        await upload.hand(await fileWith('late.csv', 'a\n1\n'));
        await expect(upload.tab.getByRole('alert')).toBeVisible();
        await context.close();
        host = await startHost(options);
        page = await browser.newPage();
        window = manyTabsIn(page);
        await window.enter(host.url);
        // The host had the bytes of the files.
        for (const [name, count] of files) {
          await window.tab(uploadWords.tab(name)).click();
          await expect(window.upload.tab.getByText(uploadWords.choose.gone(name))).toBeVisible();
          await window.upload.pick(await fileWith(name, rows(count)));
        }
        await window.tab(uploadWords.tab('mapped.csv')).click();
        await window.upload.next('columns');
        await window.expectAll();
      });

      await test.step('the upload is sent once', async () => {
        const { tab, upload } = window;
        await tab(uploadWords.tab('mapped.csv')).click();
        await upload.next('check');
        await upload.send();
        expect(await upload.books()).toMatchObject({ accepted: 3, rows: 3 });
        await page.close();
      });
    } finally {
      await host.close();
      relay.close();
      await demo.close();
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 3 });
    }
  },
);

// In each `npm test`: tabs of the window (test/renderer/window/tabs.test.tsx).
test(
  'tabs are dragged; forty of them do not draw forty editors, and all are found',
  { tag: '@long' },
  async ({ app, page }) => {
    const { tabs } = manyTabsIn(page);
    await app.openSample();
    await app.openDataset('demo/wits');
    await page.keyboard.press('Alt+T');
    await expect(tabs).toHaveText([words.tabs.query('WITS', 1, []), words.tabs.query('WITS', 2, [])]);
    await test.step('by dragging', async () => {
      const [from, to] = [await tabs.nth(1).boundingBox(), await tabs.first().boundingBox()];
      if (!from || !to) throw new Error('the tabs are not drawn');
      await page.mouse.move(from.x + 20, from.y + 12);
      await page.mouse.down();
      await page.mouse.move(to.x + 40, to.y + 12, { steps: 5 });
      await page.mouse.move(to.x + 5, to.y + 12, { steps: 3 });
      await page.mouse.up();
      await expect(tabs).toHaveText([words.tabs.query('WITS', 2, []), words.tabs.query('WITS', 1, [])]);
    });
    for (let opened = 2; opened < 40; opened += 1) await page.keyboard.press('Alt+T');
    await expect(tabs).toHaveCount(40);
    await expect.poll(() => page.locator('.code-editor').count()).toBeLessThanOrEqual(4);
    await expect(tabs.last()).toBeInViewport();
    await app.button(words.tabs.all(40)).click();
    await page.getByRole('menuitemradio', { name: words.tabs.query('WITS', 1, []), exact: true }).click();
    await expect(tabs.nth(1)).toBeInViewport();
  },
);
