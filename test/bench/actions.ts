// What a person feels in the built window at full size: the time from an input to the end of the frame that shows its
// effect, with a result of a million loaded rows, 50,000 wells, and a file of 300 columns. The floor is a button of an
// empty page, whose frame is measured the same way. `node test/bench/actions.ts [--full] [PART OF A NAME]`, after a
// build; `--full`: more rounds.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from '@playwright/test';
import { startDemo } from '../../src/demo/index.ts';
import { plotWords } from '../../src/renderer/words/plot.ts';
import { uploadWords } from '../../src/renderer/words/upload.ts';
import { words } from '../../src/renderer/words/words.ts';
import { AppWindow, check } from '../e2e/support/app.ts';
import { addressOf } from '../e2e/support/fixtures.ts';
import { startHost } from '../e2e/support/host.ts';
import { UploadWindow } from '../e2e/support/upload.ts';
import { startingLike } from '../support/wording.ts';
import { openAnswerWindow } from './support/answer-window.ts';
import { openBrowser } from './support/browser.ts';
import { withFolder } from './support/folder.ts';
import { startService } from './support/processes.ts';
import { wideCsv } from './support/records.ts';
import {
  amount,
  by,
  changed,
  measureReactions,
  printReactions,
  seen,
  textOf,
  until,
  watchReactions,
  type Action,
  type Step,
} from './support/reactions.ts';
import { showAll } from './support/scrolling.ts';

const records = 1_000_000;
const wells = 50_000;
const columns = 300;
/** How long a step may take, in milliseconds. */
const stepMs = 20_000;
const times = process.argv.includes('--full') ? 11 : 5;
const wanted = process.argv.slice(2).filter((part) => !part.startsWith('--'));

const [click, down, key] = [by('pointerup'), by('pointerdown'), by('keydown')];
const [wheel, move] = [by('wheel'), by('pointermove')];

const shows =
  (target: Locator): Step =>
  () =>
    target.waitFor();
const cell = (row: number, column: string) => `.results-answer [row-index="${row}"] [col-id="${column}"]`;
const drawnCell = seen('.results-answer [role=gridcell]');
const isLoaded = `${amount('.cell-loading')} === 0`;
const channel = 'data.channel_1';
const field = 'Channel 5';
const popup = (heading: string) => seen('.popup-heading', heading);
/** Closes menus and popups; a list in one is closed first. */
const closePopups =
  (page: Page): Step =>
  async () => {
    for (let at = 0; at < 3 && (await page.locator('.popover').count()) > 0; at += 1) {
      await page.keyboard.press('Escape');
      await page.waitForTimeout(150);
    }
  };

const radio = (app: AppWindow, name: string) =>
  app.page.locator('label').filter({ has: app.page.getByRole('radio', { name, exact: true }) });
const view = (app: AppWindow, to: keyof typeof words.results.views) => () =>
  check(app.page.getByRole('radio', { name: words.results.views[to], exact: true }));

function tabActions(app: AppWindow): Action[] {
  const tab = (at: number) =>
    app.page.getByRole('tablist', { name: words.tabs.label }).getByRole('tab').nth(at);
  const open = app.button(words.tabs.new);
  const close = ['Alt+W', tab(0)];
  const closing = app.page.locator('.tab[aria-selected=true] .tab-close');
  const isEmpty = `${seen('.query-question')} && !${drawnCell}`;
  const before = amount('.tab');
  const isMore = { before, shown: `${before} > was && ${isEmpty}` };
  const isFewer = { before, shown: `${before} < was && ${drawnCell}` };
  return [
    click('open a query in a new tab', open, isMore, [], close),
    click('close a tab', closing, isFewer, [open]),
    key('reopen a closed tab', 'Alt+Shift+T', isMore, [open, ...close], close),
    down('switch to a tab with a result', tab(0), drawnCell, [open], [tab(1), ...close]),
    down('switch to a tab without a result', tab(1), isEmpty, [open, tab(0)], close),
  ];
}

function gridActions(app: AppWindow): Action[] {
  const { page } = app;
  const at = (row: number, column: string) => page.locator(cell(row, column));
  const menu = () => at(2, channel).click({ button: 'right' });
  const { pin, unpin, hide } = words.results.menu;
  const choose = (name: string) => page.getByRole('menuitem', { name, exact: true });
  const pinned = seen('.ag-row .ag-grid-pinned-left-cells [col-id="data.channel_1"]');
  const shown = seen(cell(2, channel));
  const columnList = app.button(startingLike(words.results.columns.some(1)));
  const row = page.getByRole('dialog').getByRole('row', { name: 'Channel 1', exact: true });
  const escape = closePopups(page);
  const top = 'ControlOrMeta+ArrowUp';
  const [start, last] = [() => at(0, 'timestamp').click(), shows(at(records - 1, 'timestamp'))];
  const head = `.ag-header-cell[col-id="${channel}"]`;
  const edge = page.locator(`${head} .ag-header-cell-resize`);
  let [side, end] = [30, 5];
  const moveEdge = async () => {
    // From the middle of the edge, where the drag began: otherwise the column gets narrower until it can't be any more.
    const { x = 0, y = 0, width = 0 } = (await edge.boundingBox()) ?? {};
    side = -side;
    await page.mouse.move(x + width / 2 - side, y);
  };
  const drag: Step[] = [() => edge.hover({ force: true }), () => page.mouse.down()];
  const width = changed(`${seen(head)}.getBoundingClientRect().width`);
  const [count, toEnd] = [records.toLocaleString('en'), 'ControlOrMeta+ArrowDown'];
  const isAt = (row: number) => `${seen(cell(row, 'timestamp'), ':')} && ${isLoaded}`;
  const isAway = `!${seen(cell(3, 'timestamp'))} && ${drawnCell} && ${isLoaded}`;
  const hover = () => at(3, 'timestamp').hover();
  const scroll = (by: number) => () => page.mouse.wheel(0, by);
  const selected = amount('[role=gridcell][aria-selected=true]');
  const message = textOf('.answer-said');
  const focusedRow = `document.activeElement.closest('.ag-row')?.getAttribute('row-index')`;
  const selectRows = async () => {
    end = 12 - end;
    await at(0, '#').click();
    await at(end, '#').click({ modifiers: ['Shift'] });
  };
  return [
    by('contextmenu')('open the menu of a cell', menu, seen('[role=menu]'), [], [escape]),
    click('pin a column', choose(pin), pinned, [menu], [menu, choose(unpin)]),
    click('unpin a column', choose(unpin), `!${pinned} && ${shown}`, [menu, choose(pin), menu]),
    click('hide a column', choose(hide), `!${shown}`, [menu], [columnList, row, escape]),
    click('show a hidden column', row, shown, [menu, choose(hide), columnList], [escape]),
    move('resize a column', moveEdge, width, drag, [() => page.mouse.up()]),
    key('move the focus by an arrow key', 'ArrowDown', changed(focusedRow), [start]),
    key('page down', 'PageDown', changed(focusedRow, isAway), [start], [top]),
    wheel('scroll by the wheel', scroll(2000), isAway, [hover], [scroll(-4000), () => until(page, isAt(0))]),
    key(`jump to the last of ${count} rows`, toEnd, isAt(records - 1), [start], [top]),
    key(`jump to the first of ${count} rows`, top, isAt(0), [start, toEnd, last]),
    key('select cells by a key', 'Shift+ArrowDown', changed(selected), [start], ['Escape']),
    key('copy some rows', 'ControlOrMeta+C', changed(message, message), [selectRows], ['Escape']),
  ];
}

function recordActions(app: AppWindow): Action[] {
  const { page } = app;
  const record = page.getByRole('region', { name: words.record.region });
  const open = () => page.locator(cell(1, 'timestamp')).dblclick();
  const opened = [open, shows(record.getByRole('row').first())];
  const close = record.getByRole('button', { name: words.record.close });
  const tree = seen('.results-tree [role=row]');
  const find = page.getByRole('searchbox', { name: words.results.find.label });
  const [count, fill] = ['.find-count', (text: string) => () => find.fill(text)];
  const clear = [fill(''), () => page.locator(count).waitFor({ state: 'detached' })];
  const isCounted = `/\\d/.test(${textOf(count)} ?? '')`;
  const none = words.results.find.hits(0, null);
  const without: Step[] = [fill('5z'), shows(page.locator(count, { hasText: none }))];
  const searched = async () => {
    if ((await find.inputValue()) !== '5') await find.fill('5');
    await find.focus();
    await page.locator(count, { hasText: /^\d/ }).waitFor();
  };
  return [
    by('dblclick')('open a record', open, tree, [], [close]),
    key('show the next record', 'ArrowDown', changed(textOf('.record-head'), tree), opened, [close]),
    click('close a record', close, `!${seen('.record-head')}`, opened),
    key('search the loaded rows: the first matches', 'Backspace', isCounted, without, clear),
    key('go to the next match', 'Enter', changed(textOf(count), seen('.cell-picked')), [searched]),
  ];
}

function questionActions(app: AppWindow): Action[] {
  const { page } = app;
  const escape = [closePopups(page)];
  const { modes, range, filter } = words.query;
  const [summary, find] = [radio(app, words.summary.mode), radio(app, modes.find)];
  const form = seen(`[aria-label="${words.summary.region}"]`);
  const lines = textOf('.code-editor .view-lines');
  const focus = () => app.editor().focus();
  const picker = page.getByRole('button', { name: startingLike(`${range.time}: `) });
  return [
    key('type a letter in the query', 'x', changed(lines), [focus], ['Escape', 'Backspace']),
    click('open the form of a summary', summary, form, [], [find]),
    click('close the form of a summary', find, `!${form} && ${seen('.code-editor .view-line')}`, [summary]),
    click('open the time range', picker, popup(range.pickTime), [], escape),
    click('open the form of a filter', app.button(filter.add), popup(filter.heading), [], escape),
  ];
}

function panelActions(app: AppWindow): Action[] {
  const { page } = app;
  const entry = page.locator('.palette-list .menu-item');
  const palette: Step[] = ['ControlOrMeta+K', shows(entry.first())];
  const type = (text: string): Step[] => [
    ...palette,
    () => page.keyboard.insertText(text),
    shows(page.locator('.palette-list .menu-item[data-focused]', { hasText: text })),
  ];
  const settings: Step[] = ['ControlOrMeta+,', shows(page.locator('.settings-all'))];
  const search = () => page.getByRole('searchbox', { name: words.settings.search }).focus();
  const close = app.button(words.settings.close);
  const jobs = app.jobsToggle();
  const { themeDark, themeLight } = words.commands.titles;
  const [dark, light] = [type(themeDark), type(themeLight)];
  const isClosed = `!${seen('.commands-palette')}`;
  const isColored = changed(`getComputedStyle(document.body).backgroundColor`, isClosed);
  return [
    key('open the commands', 'ControlOrMeta+K', seen('.palette-list .menu-item'), [], ['Escape']),
    key('search the commands', 'p', changed(textOf('.palette-list')), palette, ['Backspace', 'Escape']),
    key('close the commands', 'Escape', isClosed, palette),
    key('open the settings', 'ControlOrMeta+,', seen('.settings-all section'), [], [close]),
    key('search the settings', 'u', changed(textOf('.settings-all')), [...settings, search], [close]),
    click('close the settings', close, `!${seen('.settings-all')}`, settings),
    key('switch to the dark theme', 'Enter', isColored, dark, [...light, 'Enter']),
    key('switch to the light theme', 'Enter', isColored, [...dark, 'Enter', ...light]),
    click('open the jobs', jobs, seen('.jobs-panel'), [], [jobs]),
    click('hide the jobs', jobs, `!${seen('.jobs-panel')}`, [jobs]),
  ];
}

function plotActions(app: AppWindow): Action[] {
  const { page } = app;
  const { views } = words.results;
  const { kinds } = plotWords;
  const show = (name: string) => radio(app, name);
  const [canvas, panels] = ['.plot-charts canvas', '.plot-panels canvas'];
  const [ink, panelInk] = [`hasInk('${canvas}')`, `hasInk('${panels}')`];
  const plot = page.getByRole('region', { name: plotWords.region, exact: true });
  const drawing = plot.getByRole('application');
  const button = (name: string) => plot.getByRole('button', { name, exact: true });
  const [zoomIn, reset] = [button(plotWords.zoomIn), button(plotWords.reset)];
  const isMoved = changed(textOf('.plot-range'), ink);
  const inPlot = [view(app, 'plot'), () => until(page, ink)];
  const zoomed = [...inPlot, zoomIn, zoomIn, () => page.waitForTimeout(300)];
  const pointAt = (share: number) => async () => {
    const box = await drawing.boundingBox();
    if (!box) throw new Error('There is no plot');
    await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
  };
  let at = 0.3;
  const point = () => pointAt((at = 0.8 - at))();
  const now = textOf('.readout-table thead');
  const option = page.locator('[role=option][data-focused]', { hasText: field });
  const search = () => plot.getByRole('combobox', { name: plotWords.addField }).fill(field);
  const isLines = `!${seen(panels)} && ${ink}`;
  const inReadout = seen('.readout-table th', field);
  const isGone = () => until(page, `!${inReadout} && ${ink}`);
  const pick: Step[] = [...inPlot, isGone, search, 'ArrowDown', shows(option)];
  const added = [...pick, 'Enter', shows(page.locator('.readout-table th', { hasText: field }).first())];
  const remove = plot.locator('.chip', { hasText: field }).getByRole('button');
  const [lines, toPanels] = [show(kinds.lines), [...inPlot, show(kinds.panels), () => until(page, panelInk)]];
  return [
    click('table to plot', show(views.plot), ink, [view(app, 'table')]),
    click('plot to both', show(views.both), `${drawnCell} && ${ink}`, inPlot),
    click('both to table', show(views.table), `${drawnCell} && !${seen(canvas)}`, [
      view(app, 'both'),
      () => until(page, ink),
    ]),
    click('zoom in', zoomIn, isMoved, inPlot, [reset]),
    click('zoom out', button(plotWords.zoomOut), isMoved, zoomed, [reset]),
    click('reset the zoom', reset, isMoved, zoomed),
    wheel('zoom by the wheel', () => page.mouse.wheel(0, -100), isMoved, [...inPlot, pointAt(0.5)], [reset]),
    key('pan a plot', 'PageDown', isMoved, [...zoomed, () => drawing.focus()], [reset]),
    move('move the cursor over a plot', point, changed(now), inPlot),
    key('add a field to a plot', 'Enter', `${inReadout} && ${ink}`, pick, [remove]),
    click('remove a field of a plot', remove, `!${inReadout} && ${ink}`, added),
    click('lines to panels', show(kinds.panels), panelInk, inPlot, [lines, () => until(page, isLines)]),
    click('panels to scatter', show(kinds.scatter), isMoved, toPanels, [lines]),
    click('panels to lines', lines, isLines, toPanels),
  ];
}

function sidebarActions(app: AppWindow): Action[] {
  const { page } = app;
  const list = `[role=grid][aria-label="${words.wells.heading}"]`;
  const row = `${list} [role=row]`;
  const rows = `${seen(list)}.getAttribute('aria-rowcount')`;
  const [count, hasAll] = [wells.toLocaleString('en'), `${rows} === '${wells}'`];
  const find = page.getByRole('searchbox', { name: words.wells.search });
  const [focus, clear] = [() => find.focus(), () => find.fill('')];
  const section = (name: 'wells' | 'datasets') =>
    page.getByRole('tab', { name: words[name].heading, exact: true });
  const [side, escape] = [app.button(words.tabs.side), [closePopups(page)]];
  const well = app.wells.getByRole('row').nth(4);
  const details = app.wells.getByRole('button', { name: startingLike(words.wells.details('')) }).nth(4);
  const hover = () => well.hover();
  const scroll = (by: number) => () => page.mouse.wheel(0, by);
  const datasets = seen('[data-section=datasets] [role=row]');
  const picker = popup(words.query.scope.pickWells);
  const width = `document.querySelector('.side').getBoundingClientRect().width`;
  return [
    key(`search ${count} wells`, '7', changed(rows), [focus], [clear]),
    key(`clear the search of ${count} wells`, 'Escape', hasAll, [
      () => find.fill('7'),
      () => until(page, `!(${hasAll})`),
    ]),
    wheel('scroll the wells', scroll(3000), changed(textOf(row)), [hover], [scroll(-9000), hover]),
    click('select a well', well, changed(amount(`${row}[aria-selected=true]`)), [], [well]),
    click('open the details of a well', details, seen('.popup dl.facts'), [hover], escape),
    click(`open the query’s list of ${count} wells`, app.scope, picker, [], escape),
    down('wells to datasets', section('datasets'), datasets, [], [section('wells')]),
    down('datasets to wells', section('wells'), seen(row), [section('datasets')]),
    click('hide the sidebar', side, `${width} < 1`, [], [side]),
    click('show the sidebar', side, `${width} > 200 && ${seen(row)}`, [side]),
  ];
}

function uploadActions(upload: UploadWindow): Action[] {
  const { page } = upload;
  const { steps, next } = uploadWords;
  const marks = upload.tab.getByRole('navigation', { name: uploadWords.stepsLabel });
  const file = marks.getByText(steps.file, { exact: true });
  const [toColumns, toCheck] = [upload.button(next(steps.columns)), upload.button(next(steps.check))];
  const check = seen(`section[aria-label="${steps.check}"] .upload-step`);
  const inColumns = [toColumns, shows(page.locator('.upload-columns-table'))];
  const title = uploadWords.columns.change('channel_3');
  return [
    click(`file to its ${columns} columns`, toColumns, seen('.upload-columns-table tbody tr'), [], [file]),
    click(`open the form of one of ${columns} columns`, upload.button(title), popup(title), inColumns, [
      'Escape',
      file,
    ]),
    click(`${columns} columns to the check, with the application process`, toCheck, check, inColumns, [file]),
  ];
}

/** Measures the wanted ones, each with a floor of about the same time. */
async function run(on: Browser, page: Page, actions: readonly Action[]): Promise<void> {
  const chosen = actions.filter(({ name }) => wanted.every((part) => name.includes(part)));
  if (chosen.length === 0) return;
  const floor = await measureFloor(on);
  for (const action of chosen) await printReactions(page, action, times, floor);
}

/** A frame that changes a text of an empty page, after a click. */
async function measureFloor(on: Browser): Promise<number> {
  const page = await on.newPage();
  try {
    await page.setContent(`<button onclick="this.textContent = +this.textContent + 1">0</button>`);
    await watchReactions(page);
    const action = click('empty frame', page.getByRole('button'), changed(textOf('button')));
    return (await measureReactions(page, action, times)).high;
  } finally {
    await page.close();
  }
}

/** The actions on a result whose rows are all loaded, and on its query. */
async function measureResult(on: Browser): Promise<void> {
  const service = await startService(records);
  const window = await openAnswerWindow(on, service, 1000);
  try {
    const { app } = window;
    const { page } = app;
    page.setDefaultTimeout(stepMs);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await watchReactions(page);
    await showAll(app, records);
    await view(app, 'plot')();
    await app.button(plotWords.reach.load(records)).click();
    await app.button(plotWords.reach.stop).waitFor();
    await app.button(plotWords.reach.stop).waitFor({ state: 'detached', timeout: 300_000 });
    await view(app, 'table')();
    const ofTable = [tabActions, gridActions, recordActions, questionActions, panelActions];
    for (const actionsOf of [...ofTable, plotActions]) await run(on, page, actionsOf(app));
  } finally {
    await window.close();
    await service.stop();
  }
}

/** The actions on a long list of wells, on the rest of the sidebar, and on an upload of a wide file. */
async function measureWells(on: Browser): Promise<void> {
  const demo = await startDemo({ wells, records: 1000 });
  const host = await startHost();
  const context = await on.newContext({ viewport: { width: 1360, height: 800 } });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(stepMs);
    await page.goto(host.url);
    await watchReactions(page);
    const app = new AppWindow(page);
    await app.connect(addressOf(demo));
    const list = page.locator(`[role=grid][aria-label="${words.wells.heading}"][aria-rowcount="${wells}"]`);
    await list.waitFor({ timeout: 300_000 });
    await app.openDataset('demo/wits');
    await run(on, page, sidebarActions(app));
    await withFolder(async (folder) => {
      const file = join(folder, 'wide.csv');
      await writeFile(file, wideCsv(columns, 1000));
      const upload = new UploadWindow(page);
      await upload.open('demo/uploads.time');
      await upload.pick(file);
      await run(on, page, uploadActions(upload));
    });
  } finally {
    await context.close();
    await host.close();
    await demo.close();
  }
}

const browser = await openBrowser();
try {
  await measureResult(browser);
  await measureWells(browser);
} finally {
  await browser.close();
}
