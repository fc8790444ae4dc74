// The grid of a result, in the built window: 10,000 records of 30 columns from the end of the service's response to
// the first painted grid, compared with a bare AG Grid of the same size whose rows are already in memory; and the
// longest task meanwhile. `node test/bench/grid.ts [--full]`, after a build; `--full`: more rounds.
import type { Browser } from '@playwright/test';
import { words } from '../../src/renderer/words/words.ts';
import { openAnswerWindow } from './support/answer-window.ts';
import { openBrowser, serveBare } from './support/browser.ts';
import { measureInTurns, printFigure } from './support/figures.ts';
import { maxOwnTaskMs, maxTaskMs } from './support/long-tasks.ts';
import { startService } from './support/processes.ts';
import { columnsOfRecords } from './support/records.ts';

const rounds = process.argv.includes('--full') ? 15 : 7;
const records = 10_000;
const channels = 23;

/**
 * Reports when the first row of a new result is painted with its texts, in Unix milliseconds, after `act`: in a
 * new grid, or in the same one with other texts.
 */
const waitUntilPainted = `(act) => new Promise((done) => {
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

const bareGrid = `
import { createGrid, ClientSideRowModelModule, ModuleRegistry } from 'ag-grid-community';
ModuleRegistry.registerModules([ClientSideRowModelModule]);
const column = (field) => ({ field });
const ready = async () => {
  const rowData = await (await fetch('/rows.json')).json();
  const { data, ...own } = rowData[0];
  const columnDefs = [...Object.keys(own).map(column), { headerName: 'data', children: Object.keys(data).map((name) => column('data.' + name)) }];
  let grid = null;
  globalThis.draw = () => {
    grid?.destroy();
    grid = createGrid(document.getElementById('place'), { columnDefs, rowData });
  };
};
void ready();
`;

const browser = await openBrowser();
try {
  // One more than requested, so that every other result starts with another record.
  const service = await startService(records + 1, { channels });
  const window = await openAnswerWindow(browser, service, records);
  const bare = await openBare(browser);
  try {
    const { page } = window.app;
    let runs = 0;
    const ours = async (): Promise<number> => {
      runs += 1;
      await page.getByLabel(words.query.skip).fill(String(runs % 2));
      const painted = await page.evaluate<number>(
        `(${waitUntilPainted})(() => [...document.querySelectorAll('button')].find((one) => one.textContent === 'Run').click())`,
      );
      const reply = await fetch(`http://127.0.0.1:${service.port}/answered`);
      const { answered } = (await reply.json()) as { answered: number };
      return painted - answered;
    };
    const floor = (): Promise<number> =>
      bare.page.evaluate<number>(
        `(async () => { const before = performance.timeOrigin + performance.now(); return await (${waitUntilPainted})(draw) - before; })()`,
      );
    // The first run of each loads and compiles.
    await ours();
    await floor();
    await ours();
    await maxTaskMs(page);
    const taken = await measureInTurns({ ours, floor }, rounds);
    const name = '10,000 records of 30 columns';
    printFigure({
      name: `${name}: from the answer to the painted grid`,
      ...taken,
      unit: 'ms',
      goal: '≤ 2.5 ×',
    });
    const tasks = {
      [`${name}: longest task meanwhile`]: await maxTaskMs(page),
      [`${name}: longest task, of the window’s own time`]: await maxOwnTaskMs(browser, page, ours),
    };
    for (const [of, ms] of Object.entries(tasks))
      printFigure({ name: of, ours: ms, floor: null, unit: 'ms', goal: '≤ 50' });
  } finally {
    await bare.close();
    await window.close();
    await service.stop();
  }
} finally {
  await browser.close();
}

/** A page with only the grid library, and the same rows in memory as objects. */
async function openBare(on: Browser) {
  const rows = Array.from({ length: records }, (_, n) => columnsOfRecords(n, channels));
  const bare = await serveBare({
    script: bareGrid,
    place: 'width:1100px;height:420px',
    files: { 'rows.json': `[${rows.join(',')}]` },
  });
  const page = await on.newPage({ viewport: { width: 1360, height: 800 } });
  await page.goto(bare.url);
  await page.waitForFunction('globalThis.draw');
  return {
    page,
    async close(): Promise<void> {
      await page.close();
      await bare.close();
    },
  };
}
