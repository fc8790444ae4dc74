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

  /** Puts a text of few lines in place of the query. */
  async typeQuery(text: string): Promise<void> {
    const bare = (one: string) => one.replaceAll(/\s/g, '');
    // Keys of a machine outrun a busy editor.
    await expect(async () => {
      await this.editor().focus();
      await this.page.keyboard.press('ControlOrMeta+A');
      await this.page.keyboard.insertText(text);
      // What the editor closed by itself stands behind what was typed.
      await this.page.keyboard.press('ControlOrMeta+Shift+End');
      await this.page.keyboard.press('Delete');
      await expect.poll(async () => bare(await this.query()), { timeout: 5000 }).toBe(bare(text));
    }).toPass();
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
