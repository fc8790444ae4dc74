import { expect, type Locator, type Page } from '@playwright/test';
import { words } from '../../../src/renderer/words/words.ts';
import { anyCount, including, oneOf, startingLike } from '../../support/wording.ts';

/** The number of loaded records, and of matching ones. */
const someRecords = oneOf(
  including(words.results.records(1)),
  including(words.results.records(anyCount)),
  including(words.results.recordsSoFar(anyCount)),
);
const matchingRecords = oneOf(including(words.query.counted(1)), including(words.query.counted(anyCount)));

/** Selects a radio button or a check box, by its label: messages that come above it may still move it. */
export async function check(field: Locator): Promise<void> {
  if (!(await field.isChecked())) await field.locator('xpath=ancestor::label').click();
  await expect(field).toBeChecked();
}

/** The window, by accessible names. */
export class AppWindow {
  readonly page: Page;
  readonly wells: Locator;
  readonly datasets: Locator;
  /** The wells of the query in view. */
  readonly scope: Locator;
  /** The selected wells in the sidebar. */
  readonly selectedWells: Locator;
  readonly answer: Locator;
  readonly jobs: Locator;

  constructor(page: Page) {
    this.page = page;
    this.wells = page.getByRole('grid', { name: words.wells.heading, exact: true });
    this.datasets = page.getByRole('grid', { name: words.datasets.heading, exact: true });
    this.scope = page.getByRole('button', { name: startingLike(`${words.query.scope.wells}: `) });
    this.selectedWells = this.wells.getByRole('row', { selected: true });
    this.answer = page.getByRole('region', { name: words.results.region });
    this.jobs = page.getByRole('contentinfo', { name: words.jobs.region });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Shows and hides the list of jobs; its text has their number. */
  jobsToggle(): Locator {
    return this.jobs.getByRole('button', { name: startingLike(words.jobs.toggle) });
  }

  /** A job in the list. */
  job(kind: keyof typeof words.jobs.kinds, file: string): Locator {
    return this.jobs.getByRole('listitem', { name: `${words.jobs.kinds[kind]} ${file}` });
  }

  async openSample(): Promise<void> {
    await this.button(words.start.openSample).click();
    // The demo creates its records first.
    await expect(this.wells.getByRole('row').first()).toBeVisible({ timeout: 30_000 });
  }

  async connect(to: { dataUrl: string; platformUrl: string; apiKey: string }): Promise<void> {
    await this.fillConnection(to);
    await this.button(words.connection.connect).click();
  }

  async fillConnection(to: { dataUrl: string; platformUrl: string; apiKey: string }): Promise<void> {
    await this.page.getByLabel(words.connection.name).fill('Test bed');
    await this.page.getByLabel(words.connection.dataUrl).fill(to.dataUrl);
    await this.page.getByLabel(words.connection.platformUrl).fill(to.platformUrl);
    // An option may have the same name.
    const fields = this.page.locator('input:not([type=radio])');
    await fields.and(this.page.getByLabel(words.connection.apiKey)).fill(to.apiKey);
  }

  well(name: string | RegExp): Locator {
    return this.wells.getByRole('row', { name });
  }

  searchWells(text: string): Promise<void> {
    return this.page.getByRole('searchbox', { name: words.wells.search }).fill(text);
  }

  /** Shows a section of the sidebar. */
  async showSection(section: 'wells' | 'datasets' | 'saved' | 'history'): Promise<void> {
    // A tight window collapses the sidebar when a tab opens.
    const side = this.button(words.tabs.side);
    const tab = this.page.getByRole('tab', { name: words[section].heading, exact: true });
    // That tab may open just now.
    await expect(async () => {
      if ((await side.getAttribute('aria-expanded')) === 'false') await side.click();
      await tab.click({ timeout: 2000 });
    }).toPass({ timeout: 20_000 });
  }

  /** Opens a query of a dataset in a tab that stays, and waits for its editor. */
  async openDataset(address: string): Promise<void> {
    await this.showSection('datasets');
    await this.page.getByRole('searchbox', { name: words.datasets.search }).fill(address);
    await this.datasets
      .getByRole('row', { name: new RegExp(`${address.replaceAll('.', '\\.')}$`) })
      .dblclick();
    await this.showSection('wells');
    await this.openText();
  }

  /** Opens the text of the query in view, if it is folded. */
  async openText(): Promise<void> {
    const toggle = this.textToggle();
    await expect(toggle).toBeVisible();
    if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
    // The element that screen readers and the keyboard find has no size of its own.
    await expect(this.editor()).toBeAttached();
  }

  /** Opens and folds the text of the query in view. */
  textToggle(): Locator {
    return this.page
      .getByRole('region', { name: words.query.region })
      .getByRole('button', { name: startingLike(words.query.fold) });
  }

  editor(): Locator {
    return this.page.getByRole('textbox', { name: startingLike(words.query.editor) });
  }

  /** The text in the editor, as drawn. */
  async query(): Promise<string> {
    // Lines that were drawn later come later in the document, wherever they appear.
    const lines = await this.page.locator('.code-editor .view-line').evaluateAll((all) =>
      all
        .map((line) => ({ top: line.getBoundingClientRect().top, text: line.textContent }))
        .toSorted((one, other) => one.top - other.top)
        .map(({ text }) => text),
    );
    return lines.join('\n').replaceAll('\u00a0', ' ').trim();
  }

  /** Replaces the query. */
  typeQuery(text: string): Promise<void> {
    return this.pasteInto(this.editor(), text);
  }

  /**
   * Pastes into a code editor, replacing all text, with the caret at the end: in one step, without automatic
   * brackets. Playwright's typing follows the browser's focus, which can lag behind the page's.
   */
  async pasteInto(field: Locator, text: string): Promise<void> {
    await field.focus();
    await this.page.keyboard.press('ControlOrMeta+A');
    await field.evaluate((element, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      element.dispatchEvent(paste);
    }, text);
    const code = field.locator('xpath=ancestor::*[starts-with(@class, "code-editor")]');
    // The caret's end is in view, however long the text is.
    await expect(code.locator('.view-lines')).toContainText(text.trimEnd().split('\n').at(-1) ?? '');
  }

  /** Runs the query and waits until its records are drawn. */
  async run(): Promise<void> {
    await this.button(words.query.run).click();
    await expect(this.answer.getByRole('status').filter({ hasText: someRecords })).toBeVisible();
    await expect(this.answer.getByRole('gridcell').first()).toBeVisible();
  }

  grid(): Locator {
    return this.answer.getByRole('grid').or(this.answer.getByRole('treegrid'));
  }

  /** The texts of one column of the grid, in the rows that are drawn. */
  column(path: string): Locator {
    return this.answer.locator(`[role=gridcell][col-id=${JSON.stringify(path)}]`);
  }

  async count(): Promise<number> {
    await this.button(words.query.count).click();
    const found = this.page.getByRole('status').filter({ hasText: matchingRecords });
    return Number((/[\d,]+/.exec(await found.innerText())?.[0] ?? '').replaceAll(',', ''));
  }
}
