// The grid of an answer, in the built window: 10,000 records of 30 columns from the end of the service's answer to the
// first painted grid, against a bare AG Grid of the same size that has the same rows in hand; a million rows scrolled by
// pages and jumps; and the longest task meanwhile. `node test/bench/grid.ts [--full]`, after a build.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { build } from 'vite';
import { AppWindow } from '../e2e/support/app.ts';
import { startHost } from '../e2e/support/host.ts';
import { inTurns, median, tell } from './support/figures.ts';
import { openBrowser } from './support/browser.ts';
import { longestOwnTask, longestTask, watchLongTasks } from './support/long-tasks.ts';
import { startService, type Running } from './support/processes.ts';
import { columnsOfRecords } from './support/records.ts';

const full = process.argv.includes('--full');
const rounds = full ? 15 : 7;
const page = { records: 10_000, channels: 23 } as const;
const million = 1_000_000;
const patience = 60_000;

/**
 * Notes when the first row of another answer is painted with its texts, in Unix milliseconds, after what `act` does: in
 * a new grid, or in the same one with other texts.
 */
const untilPainted = `(act) => new Promise((done) => {
  const firstRow = () => [...document.querySelectorAll('.ag-row[row-index="0"] .ag-cell')].filter((cell) => cell.checkVisibility({ visibilityProperty: true }));
  const textOf = (cells) => cells.map((cell) => cell.textContent).join();
  const [old, before] = [document.querySelector('.ag-root-wrapper'), textOf(firstRow())];
  act();
  const look = () => {
    const cells = firstRow();
    const another = document.querySelector('.ag-root-wrapper') !== old || textOf(cells) !== before;
    if (another && cells.length > 3 && cells.every((cell) => cell.textContent !== ''))
      requestAnimationFrame(() => setTimeout(() => done(performance.timeOrigin + performance.now())));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})`;

/** Rows that are drawn and not there yet. */
const stillEmpty = `[...document.querySelectorAll('.answer .ag-row')].filter((row) => row.querySelector('.cell-coming, .cell-failed')).length`;

/** Milliseconds until every row in view has its texts, from the frame on in which the grid was scrolled. */
const untilFull = `(scroll) => new Promise((done) => {
  const before = performance.now();
  scroll(document.querySelector('.answer .ag-grid-viewport'));
  const look = () => {
    const ms = performance.now() - before;
    if (ms > 50 && ((${stillEmpty}) === 0 || ms > 20_000)) done(ms > 20_000 ? -1 : ms);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(() => requestAnimationFrame(look));
})`;

const browser = await openBrowser();
try {
  await firstGrid(browser);
  await manyRows(browser);
} finally {
  await browser.close();
}

/** Opens the window on a service's one dataset, with so many records asked for. */
async function opened(
  service: Running,
  limit: number,
): Promise<{ app: AppWindow; close: () => Promise<void> }> {
  const host = await startHost();
  const context = await browser.newContext({ viewport: { width: 1360, height: 800 } });
  const view = await context.newPage();
  view.setDefaultTimeout(patience);
  await watchLongTasks(view);
  await view.goto(host.url);
  const app = new AppWindow(view);
  const url = `http://127.0.0.1:${service.port}`;
  await app.connect({ dataUrl: url, platformUrl: url, apiKey: 'bench:key' });
  await app.datasets.getByRole('row', { name: /bench\/time$/ }).click({ timeout: patience });
  await app.editor().waitFor({ state: 'attached', timeout: patience });
  await app.typeQuery('{}');
  await view.getByLabel('Sort').fill('{ timestamp: 1 }');
  await view.getByLabel('Limit').fill(String(limit));
  return {
    app,
    async close() {
      await context.close();
      await host.close();
    },
  };
}

async function firstGrid(browserOf: Browser): Promise<void> {
  // One more than is asked for, so that every other answer begins with another record.
  const service = await startService(page.records + 1, page.channels);
  const window = await opened(service, page.records);
  const bare = await startBare(browserOf);
  try {
    const { page: view } = window.app;
    let runs = 0;
    const ours = async (): Promise<number> => {
      runs += 1;
      await view.getByLabel('Skip').fill(String(runs % 2));
      const painted = await view.evaluate<number>(
        `(${untilPainted})(() => [...document.querySelectorAll('button')].find((one) => one.textContent === 'Run').click())`,
      );
      const said = await fetch(`http://127.0.0.1:${service.port}/answered`);
      const { answered } = (await said.json()) as { answered: number };
      return painted - answered;
    };
    const floor = (): Promise<number> =>
      bare.page.evaluate<number>(
        `(async () => { const before = performance.timeOrigin + performance.now(); return await (${untilPainted})(draw) - before; })()`,
      );
    // The first of each loads and compiles.
    await ours();
    await floor();
    await ours();
    await longestTask(view);
    const taken = await inTurns({ ours, floor }, rounds);
    const name = '10,000 records of 30 columns';
    tell({ name: `${name}: from the answer to the painted grid`, ...taken, unit: 'ms', goal: '≤ 1.3 ×' });
    tell({
      name: `${name}: longest task meanwhile`,
      ours: await longestTask(view),
      floor: null,
      unit: 'ms',
      goal: '≤ 50',
    });
    tell({
      name: `${name}: longest task, of the window’s own time`,
      ours: await longestOwnTask(browserOf, view, ours),
      floor: null,
      unit: 'ms',
      goal: '≤ 50',
    });
  } finally {
    await bare.close();
    await window.close();
    await service.stop();
  }
}

/** A page with nothing but the grid library, and the same rows in hand as objects. */
async function startBare(browserOf: Browser): Promise<{ page: Page; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'wellbench-grid-'));
  const records = Array.from({ length: page.records }, (_, n) => columnsOfRecords(n, page.channels));
  await writeFile(join(folder, 'rows.json'), `[${records.join(',')}]`);
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><body style="margin:0"><div id="place" style="width:1100px;height:420px"></div><script type="module" src="./main.js"></script>',
  );
  await writeFile(
    join(folder, 'main.js'),
    `import { createGrid, ClientSideRowModelModule, ModuleRegistry } from 'ag-grid-community';
ModuleRegistry.registerModules([ClientSideRowModelModule]);
const rowData = await (await fetch('/rows.json')).json();
const column = (field) => ({ field });
const { data, ...own } = rowData[0];
const columnDefs = [...Object.keys(own).map(column), { headerName: 'data', children: Object.keys(data).map((name) => column('data.' + name)) }];
let grid = null;
globalThis.draw = () => {
  grid?.destroy();
  grid = createGrid(document.getElementById('place'), { columnDefs, rowData });
};
globalThis.ready = true;`,
  );
  const library = join(import.meta.dirname, '../../node_modules/ag-grid-community');
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { 'ag-grid-community': library } },
    build: { outDir: join(folder, 'out'), target: 'esnext' },
  });
  const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', json: 'application/json' };
  const server = createServer((request, response) => {
    const path =
      request.url === '/'
        ? 'out/index.html'
        : request.url === '/rows.json'
          ? 'rows.json'
          : `out${request.url}`;
    readFile(join(folder, path)).then(
      (found) => {
        const [, type = ''] = Object.entries(types).find(([end]) => path.endsWith(end)) ?? [];
        response.setHeader('content-type', type);
        response.end(found);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const view = await browserOf.newPage({ viewport: { width: 1360, height: 800 } });
  await view.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await view.waitForFunction('globalThis.ready');
  return {
    page: view,
    async close() {
      await view.close();
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function manyRows(browserOf: Browser): Promise<void> {
  const service = await startService(million);
  const window = await opened(service, 1000);
  try {
    const { app } = window;
    const { page: view } = app;
    await app.button('Run').click();
    await app.answer.getByRole('gridcell').first().waitFor({ timeout: patience });
    await app.button('Show all that match').click();
    await app.answer.getByRole('status').filter({ hasText: '1,000,000 records' }).waitFor();
    await app.answer.getByRole('gridcell').first().waitFor();
    await longestTask(view);
    const full1 = (scroll: string) => view.evaluate<number>(`(${untilFull})(${scroll})`);
    const jumpTo = (share: number) => full1(`(at) => { at.scrollTop = at.scrollHeight * ${share}; }`);
    const pageDown = () => full1('(at) => { at.scrollTop += at.clientHeight; }');
    const jumps: number[] = [];
    const pages: number[] = [];
    for (let round = 0; round < (full ? 8 : 3); round += 1) {
      for (const share of [0.5 + round * 0.01, 1, 0.25 + round * 0.01, 0.75 + round * 0.01, round * 0.01])
        jumps.push(await jumpTo(share));
      for (let turn = 0; turn < 40; turn += 1) pages.push(await pageDown());
    }
    const stayed = [...jumps, ...pages].filter((ms) => ms < 0).length;
    const task = await longestTask(view);
    const rows = '1,000,000 rows';
    const ownTask = await longestOwnTask(browserOf, view, async () => {
      for (const share of [0.45, 0.95, 0.35]) await jumpTo(share);
      for (let turn = 0; turn < 10; turn += 1) await pageDown();
    });
    const floors: number[] = [];
    for (let at = 1; at <= 9; at += 1) {
      const before = performance.now();
      const query = new URLSearchParams({
        query: '{}',
        sort: '{"timestamp":1}',
        skip: String(at * 100_000),
        limit: '1000',
      });
      const answer = await fetch(`http://127.0.0.1:${service.port}/api/v1/data/bench/time/?${query}`);
      await answer.text();
      floors.push(performance.now() - before);
    }
    tell({ name: `${rows}: pages that stayed empty`, ours: stayed, floor: null, unit: 'pages', goal: '≤ 0' });
    tell({
      name: `${rows}: from a jump to the full page, against its request alone`,
      ours: median(jumps),
      floor: median(floors),
      unit: 'ms',
      goal: '≤ 250 ms',
    });
    tell({
      name: `${rows}: from a page down to the full page`,
      ours: median(pages),
      floor: null,
      unit: 'ms',
      goal: '≤ 100',
    });
    tell({
      name: `${rows}: longest task while pages arrive`,
      ours: task,
      floor: null,
      unit: 'ms',
      goal: '≤ 50',
    });
    tell({
      name: `${rows}: longest task while pages arrive, of the window’s own time`,
      ours: ownTask,
      floor: null,
      unit: 'ms',
      goal: '≤ 50',
    });
  } finally {
    await window.close();
    await service.stop();
  }
}
