import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { fieldName } from '../../../src/renderer/features/upload/columns/fields.ts';
import { uploadWords } from '../../../src/renderer/words/upload.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { any, anyCount, like, oneOf, startingLike } from '../../support/wording.ts';
import { AppWindow } from './app.ts';
import { addressOf, test as base } from './fixtures.ts';

const { check, file: fileWords, choose, ledger } = uploadWords;
const regions = oneOf(like(uploadWords.region(null)), like(uploadWords.region(any)));
/** The number of rows and columns of a file, shown once it has been read completely. */
export const readWhole = oneOf(
  ...[1, anyCount].flatMap((rows) =>
    [1, anyCount].map((columns) => like(fileWords.rowsAndColumns(rows, columns))),
  ),
);
const picking = oneOf(like(choose.button), like(choose.another));
const sending = oneOf(
  like(check.send(1)),
  like(check.send(anyCount)),
  like(check.sendOthers(1, anyCount)),
  like(check.sendOthers(anyCount, anyCount)),
);

/** The text that some of all rows have been sent. */
export const partlySentOf = (rows: number): RegExp =>
  new RegExp(startingLike(words.jobs.rowsOf(anyCount, rows)).source.replace('[\\d,]+', '[1-9][\\d,]*'), 'u');

/** An upload of the window, by accessible names. */
export class UploadWindow {
  readonly page: Page;
  /** The upload in view. */
  readonly tab: Locator;
  readonly ledger: Locator;

  constructor(page: Page) {
    this.page = page;
    // Uploads not in view stay mounted, hidden.
    this.tab = page.getByRole('region', { name: regions }).and(page.locator(':visible'));
    this.ledger = this.tab.getByRole('table', { name: ledger.label });
  }

  button(name: string | RegExp): Locator {
    return this.tab.getByRole('button', { name, exact: true });
  }

  /** Opens an upload, into a dataset if one is named. */
  async open(dataset?: string): Promise<void> {
    if (dataset === undefined)
      await this.page.getByRole('button', { name: uploadWords.button, exact: true }).click();
    else {
      const window = new AppWindow(this.page);
      await window.showSection('datasets');
      await this.page.getByRole('searchbox', { name: words.datasets.search }).fill(dataset);
      await this.page.getByRole('button', { name: uploadWords.openInto(dataset), exact: true }).click();
      await window.showSection('wells');
    }
    await expect(this.button(choose.button)).toBeVisible();
  }

  /** Selects a file and waits until it has been read completely. */
  async pick(path: string): Promise<void> {
    await this.hand(path);
    await expect(this.tab.getByText(readWhole)).toBeVisible({ timeout: 30_000 });
  }

  /** Selects a file, without waiting for the outcome. */
  async hand(path: string): Promise<void> {
    const choosing = this.page.waitForEvent('filechooser');
    await this.button(picking).click();
    await (await choosing).setFiles(path);
    await expect(this.tab.getByText(basename(path), { exact: true }).first()).toBeVisible();
  }

  /** Opens an upload of a file whose columns are matched automatically, and goes to the button that sends it. */
  async bring(path: string, dataset: string): Promise<void> {
    await this.open(dataset);
    await this.pick(path);
    await this.next('columns');
    await this.next('check');
  }

  async into(dataset: string): Promise<void> {
    const box = this.tab.getByRole('combobox', { name: uploadWords.dataset });
    await box.fill(dataset);
    await this.page.getByRole('option', { name: dataset, exact: true }).click();
    await expect(box).toHaveValue(dataset);
  }

  next(step: 'columns' | 'check'): Promise<void> {
    return this.button(uploadWords.next(uploadWords.steps[step])).click();
  }

  /** The current step. */
  step(): Locator {
    return this.tab.getByRole('navigation', { name: uploadWords.stepsLabel }).locator('[aria-current=step]');
  }

  /** A field that the dataset requires. */
  field(path: string): Locator {
    return this.tab.getByRole('listitem', { name: fieldName(path), exact: true });
  }

  /** A column of the file in the mapping. */
  column(name: string): Locator {
    return this.tab.getByRole('row').filter({ has: this.page.getByRole('rowheader', { name, exact: true }) });
  }

  /** Opens the mapping controls of a column. */
  async place(name: string): Promise<Locator> {
    const title = uploadWords.columns.change(name);
    await this.button(title).click();
    const dialog = this.page.getByRole('dialog', { name: title });
    await expect(dialog).toBeVisible();
    return dialog;
  }

  /** A line of the file, unchanged. */
  rawLine(line: number): Locator {
    const lines = this.tab.getByRole('region', { name: like(uploadWords.raw.label(any)) });
    return lines.getByRole('row').filter({
      has: this.page.getByRole('rowheader', { name: String(line), exact: true }),
    });
  }

  /** Types into a combo box that accepts other values too. */
  async typeInto(box: Locator, text: string): Promise<void> {
    await box.fill(text);
    await box.press('Enter');
  }

  /** Sends, even if some rows are skipped, and waits until the job stops. */
  async send(): Promise<void> {
    await this.button(sending).click();
    await this.atRest();
  }

  async atRest(): Promise<void> {
    await expect(this.step()).toContainText(uploadWords.steps.ledger, { timeout: 120_000 });
  }

  /** The counts of the ledger. */
  async books(): Promise<Record<'accepted' | 'rejected' | 'unknown' | 'pending' | 'rows', number>> {
    const of = async (name: string) => {
      const row = this.ledger.getByRole('row', { name: startingLike(name) });
      return Number((await row.getByRole('cell').first().innerText()).replaceAll(',', ''));
    };
    return {
      accepted: (await of(ledger.parts.inserted)) + (await of(ledger.parts.skipped)),
      rejected: await of(ledger.parts.rejected),
      unknown: await of(ledger.parts.unknown),
      pending: await of(ledger.parts.pending),
      rows: await of(ledger.total),
    };
  }

  /** Drags a file over the window until it is highlighted; a real drag also repeats its event. */
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
  /** Writes a file for the user to select; returns its path. */
  fileWith: (name: string, content: string | Uint8Array) => Promise<string>;
  /**
   * Connects, and prepares this many rows of a rig up to the button that sends them; with another key if one is
   * given.
   */
  rig: (name: string, rows: number, as?: { apiKey: string }) => Promise<void>;
}

/** Tests with uploads, and files to upload. */
export const test = base.extend<UploadFixtures>({
  upload: async ({ page }, use) => use(new UploadWindow(page)),
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from this parameter
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

/** A file of a rig on one well, with the column names that the dataset requires. */
export const rigFile = (rows: number): string =>
  ['timestamp,ROP,WOB,asset_id', ...rigRows(rows).map((row) => `${row},5001`)].join('\n');

/** Rows of a rig, one second apart: the time, a rate of penetration, a weight. */
export function rigRows(
  count: number,
  ropOf: (row: number) => string = (row) => (100 + row / 100).toFixed(2),
) {
  return Array.from({ length: count }, (_, row) => {
    const time = new Date(Date.UTC(2026, 0, 1) + row * 1000).toISOString();
    return `${time},${ropOf(row)},${(row % 30) + 5}`;
  });
}
