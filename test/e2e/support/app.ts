import { expect, type Locator, type Page } from '@playwright/test';

/** The window, by what its parts are called. */
export class AppWindow {
  readonly page: Page;
  readonly wells: Locator;
  readonly datasets: Locator;
  readonly scope: Locator;
  readonly answer: Locator;
  readonly jobs: Locator;

  constructor(page: Page) {
    this.page = page;
    this.wells = page.getByRole('grid', { name: 'Wells', exact: true });
    this.datasets = page.getByRole('grid', { name: 'Datasets', exact: true });
    this.scope = page.getByRole('banner');
    this.answer = page.getByRole('region', { name: 'Answer' });
    this.jobs = page.getByRole('contentinfo', { name: 'Jobs' });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  async openSample(): Promise<void> {
    await this.button('Open the sample workspace').click();
    // The demo makes its records first.
    await expect(this.wells.getByRole('row').first()).toBeVisible({ timeout: 30_000 });
  }

  async connect(to: { dataUrl: string; platformUrl: string; apiKey: string }): Promise<void> {
    await this.fillConnection(to);
    await this.button('Connect').click();
  }

  async fillConnection(to: { dataUrl: string; platformUrl: string; apiKey: string }): Promise<void> {
    await this.page.getByLabel('Name').fill('Test bed');
    await this.page.getByLabel('Data service address').fill(to.dataUrl);
    await this.page.getByLabel('Platform service address').fill(to.platformUrl);
    await this.page.getByLabel('API key').fill(to.apiKey);
  }

  well(name: string | RegExp): Locator {
    return this.wells.getByRole('row', { name });
  }

  searchWells(text: string): Promise<void> {
    return this.page.getByRole('searchbox', { name: 'Search wells' }).fill(text);
  }

  /** Opens a query to a dataset and waits for its editor. */
  async openDataset(address: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: 'Search datasets' }).fill(address);
    await this.datasets.getByRole('row', { name: new RegExp(`${address.replaceAll('.', '\\.')}$`) }).click();
    // What a screen reader and the keyboard find has no size of its own.
    await expect(this.editor()).toBeAttached();
  }

  editor(): Locator {
    return this.page.getByRole('textbox', { name: /^Query/ });
  }

  /** The text in the editor, as it is drawn. */
  async query(): Promise<string> {
    const drawn = await this.page.locator('.code .view-lines').innerText();
    return drawn.replaceAll('\u00a0', ' ').trim();
  }

  /** Puts a query in the place of what is there. */
  typeQuery(text: string): Promise<void> {
    return this.pasteInto(this.editor(), text);
  }

  /**
   * Pastes into an editor of code, in the place of all that is there, the caret behind it: all at once, and nothing is
   * closed by itself. A text that is typed as a whole goes by the browser's focus, which can be a moment behind the page's.
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
    const code = field.locator('xpath=ancestor::*[@class="code"]');
    await expect(code.locator('.view-lines')).toContainText(text.split('\n')[0] ?? '');
  }

  /** Runs the query and waits until its records are drawn. */
  async run(): Promise<void> {
    await this.button('Run').click();
    await expect(this.answer.getByRole('status').filter({ hasText: /record/ })).toBeVisible();
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
    await this.button('Count').click();
    const said = this.page.getByRole('status').filter({ hasText: /records? match/ });
    return Number((await said.innerText()).replace(/ record.*$/s, '').replaceAll(',', ''));
  }
}
