import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { addressOf, test as base } from './fixtures.ts';

/** An upload of the window, by what its parts are called. */
export class UploadWindow {
  readonly page: Page;
  /** The upload in view. */
  readonly tab: Locator;
  readonly ledger: Locator;

  constructor(page: Page) {
    this.page = page;
    // Those not in view stay mounted, hidden.
    this.tab = page.getByRole('region', { name: /^Upload( of .*)?$/ }).and(page.locator(':visible'));
    this.ledger = this.tab.getByRole('table', { name: 'Ledger' });
  }

  button(name: string | RegExp): Locator {
    return this.tab.getByRole('button', { name, exact: true });
  }

  /** Opens an upload, into a dataset when one is named. */
  async open(dataset?: string): Promise<void> {
    if (dataset === undefined) await this.page.getByRole('button', { name: 'Upload', exact: true }).click();
    else {
      await this.page.getByRole('searchbox', { name: 'Search datasets' }).fill(dataset);
      await this.page.getByRole('button', { name: `Upload into ${dataset}`, exact: true }).click();
    }
    await expect(this.button('Choose a file')).toBeVisible();
  }

  /** Picks a file and waits until it has been read whole. */
  async pick(path: string): Promise<void> {
    await this.hand(path);
    await expect(this.tab.getByText(/^[\d,]+ rows?, \d+ columns?$/)).toBeVisible({ timeout: 30_000 });
  }

  /** Picks a file, whatever becomes of it. */
  async hand(path: string): Promise<void> {
    const choosing = this.page.waitForEvent('filechooser');
    await this.button(/^Choose a(nother)? file$/).click();
    await (await choosing).setFiles(path);
    await expect(this.tab.getByText(basename(path), { exact: true }).first()).toBeVisible();
  }

  /** Opens an upload of a file whose columns find their places by themselves, and goes to the button that sends it. */
  async bring(path: string, dataset: string): Promise<void> {
    await this.open(dataset);
    await this.pick(path);
    await this.next('Columns');
    await this.next('Check');
  }

  async into(dataset: string): Promise<void> {
    const box = this.tab.getByRole('combobox', { name: 'Dataset' });
    await box.fill(dataset);
    await this.page.getByRole('option', { name: dataset, exact: true }).click();
    await expect(box).toHaveValue(dataset);
  }

  next(step: 'Columns' | 'Check'): Promise<void> {
    return this.button(`Next: ${step}`).click();
  }

  /** The step that is shown. */
  step(): Locator {
    return this.tab.getByRole('navigation', { name: 'Steps of the upload' }).locator('[aria-current=step]');
  }

  /** A field that the dataset needs. */
  field(path: string): Locator {
    return this.tab.getByRole('listitem', { name: path, exact: true });
  }

  /** A column of the file among those to be placed. */
  column(name: string): Locator {
    return this.tab.getByRole('row').filter({ has: this.page.getByRole('rowheader', { name, exact: true }) });
  }

  /** Opens the means to place a column. */
  async place(name: string): Promise<Locator> {
    await this.button(`Where “${name}” goes`).click();
    const dialog = this.page.getByRole('dialog', { name: `Where “${name}” goes` });
    await expect(dialog).toBeVisible();
    return dialog;
  }

  /** A line of the file as it stands in it. */
  rawLine(line: number): Locator {
    const lines = this.tab.getByRole('region', { name: /^First lines of / });
    return lines.getByRole('row').filter({
      has: this.page.getByRole('rowheader', { name: String(line), exact: true }),
    });
  }

  /** Types into a box that takes what is no option as well. */
  async typeInto(box: Locator, text: string): Promise<void> {
    await box.fill(text);
    await box.press('Enter');
  }

  /** Sends, also where some rows are left out, and waits until the job is at rest. */
  async send(): Promise<void> {
    await this.button(/^Send [\d,]+ rows?(, leave out [\d,]+)?$/).click();
    await this.atRest();
  }

  async atRest(): Promise<void> {
    await expect(this.step()).toHaveText(/Ledger/, { timeout: 120_000 });
  }

  /** The ledger in numbers. */
  async books(): Promise<Record<'accepted' | 'rejected' | 'unknown' | 'pending' | 'rows', number>> {
    const of = async (name: string) => {
      const row = this.ledger.getByRole('row', { name: new RegExp(`^${name}`) });
      return Number((await row.getByRole('cell').first().innerText()).replaceAll(',', ''));
    };
    return {
      accepted: await of('Accepted'),
      rejected: await of('Rejected'),
      unknown: await of('Unknown'),
      pending: await of('Still to do'),
      rows: await of('Rows in the file'),
    };
  }

  /** Holds a file over the window until it says so; a real hand, too, is told of again and again. */
  async hold(sign: string) {
    await expect(async () => {
      await this.drag([['held.csv', 'a\n1\n']], ['dragenter', 'dragover']);
      await expect(this.page.getByRole('strong').filter({ hasText: sign })).toBeVisible({ timeout: 1000 });
    }).toPass();
  }

  /** Drops files on the window. */
  drop(files: readonly (readonly [name: string, text: string])[]) {
    return this.drag(files, ['dragenter', 'dragover', 'drop']);
  }

  private async drag(files: readonly (readonly [name: string, text: string])[], events: readonly string[]) {
    await this.page.evaluate(
      ([dropped, told]) => {
        const data = new DataTransfer();
        for (const [name, text] of dropped) data.items.add(new File([text], name));
        const at = document.querySelector('main') ?? document.body;
        for (const event of told)
          at.dispatchEvent(new DragEvent(event, { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      [files, events] as const,
    );
  }
}

interface UploadFixtures {
  upload: UploadWindow;
  /** Writes a file for the person to pick; gives its path. */
  fileWith: (name: string, content: string | Uint8Array) => Promise<string>;
  /** Connects, and brings so many rows of a rig to the button that sends them; with another key where one is given. */
  rig: (name: string, rows: number, as?: { apiKey: string }) => Promise<void>;
}

/** Tests with uploads, and files to upload. */
export const test = base.extend<UploadFixtures>({
  upload: async ({ page }, use) => use(new UploadWindow(page)),
  // oxlint-disable-next-line no-empty-pattern -- the form in which fixtures say what they need
  fileWith: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'wellbench-files-'));
    await use(async (name, content) => {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    });
    await rm(folder, { recursive: true, force: true });
  },
  rig: async ({ app, demo, upload, fileWith }, use) =>
    use(async (name, rows, as) => {
      await app.connect({ ...addressOf(demo), ...as });
      await upload.bring(await fileWith(name, rigFile(rows)), 'demo/uploads.time');
    }),
});

export { expect };

/** A file of a rig on one well, whose columns are called as the dataset needs them. */
export const rigFile = (rows: number): string =>
  ['timestamp,ROP,WOB,asset_id', ...rigRows(rows).map((row) => `${row},5001`)].join('\n');

/** Rows of a rig, a second apart: the time, a rate of penetration, a weight. */
export function rigRows(
  count: number,
  ropOf: (row: number) => string = (row) => (100 + row / 100).toFixed(2),
) {
  return Array.from({ length: count }, (_, row) => {
    const time = new Date(Date.UTC(2026, 0, 1) + row * 1000).toISOString();
    return `${time},${ropOf(row)},${(row % 30) + 5}`;
  });
}
