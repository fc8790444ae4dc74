import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDemo } from '../../src/demo/index.ts';
import { uploadWords } from '../../src/renderer/words/upload.ts';
import { words } from '../../src/renderer/words/words.ts';
import { addressOf } from '../e2e/support/fixtures.ts';
import { rigRows, UploadWindow } from '../e2e/support/upload.ts';
import { answerOpenDialog, answerSaveDialog } from '../support/electron/gestures.ts';
import { recordMessages, recordedMessages, withPaths } from '../support/electron/recorded-messages.ts';
import { expect, test } from './fixtures.ts';

test('a file is uploaded to its dataset, and rejected rows are saved as a file', async ({
  app,
  desktop,
  folder,
}) => {
  const demo = await startDemo({ wells: 8, records: 5000 });
  try {
    await recordMessages(app.page);
    const { page } = app;
    const upload = new UploadWindow(page);
    // Each fiftieth row has no time.
    const rows = rigRows(1000).map((row, at) => `${at % 50 === 0 ? row.slice(24) : row},5002`);
    const path = join(folder, 'Schicht «7».csv');
    await writeFile(path, ['timestamp,data.rop,data.wob,asset_id', ...rows].join('\n'));
    await app.connect(addressOf(demo));
    await upload.open('demo/uploads.time');

    await test.step('nothing happens when the user cancels', async () => {
      await answerOpenDialog(desktop, []);
      await upload.button(uploadWords.choose.button).click();
      await expect.poll(() => desktop.evaluate(() => globalThis.askedToOpen?.length)).toBe(1);
      await expect(upload.button(uploadWords.choose.button)).toBeVisible();
    });

    await test.step('the system’s dialog selects the file', async () => {
      await answerOpenDialog(desktop, [path]);
      await upload.button(uploadWords.choose.button).click();
      await expect(upload.tab.getByText(uploadWords.file.rowsAndColumns(1_000, 4))).toBeVisible({
        timeout: 30_000,
      });
    });

    await upload.next('columns');
    await upload.next('check');
    await upload.send();
    expect(await upload.books()).toMatchObject({
      accepted: 980,
      rejected: 20,
      unknown: 0,
      pending: 0,
      rows: 1000,
    });

    await test.step('the rejected rows are saved at the place selected in the dialog', async () => {
      const saved = join(folder, 'back.csv');
      await answerSaveDialog(desktop, saved);
      await upload.tab.getByRole('button', { name: words.jobs.save('Schicht «7».rejects.csv') }).click();
      await expect.poll(() => readFile(saved, 'utf8').catch(() => '')).toContain('timestamp,data.rop');
      const defaultPath = await desktop.evaluate(() => globalThis.askedToSave?.at(-1)?.defaultPath);
      expect(defaultPath).toContain('Schicht «7».rejects.csv');
      const lines = (await readFile(saved, 'utf8')).trimEnd().split('\n').slice(1);
      expect(lines).toHaveLength(20);
      for (const [index, line] of lines.entries()) expect(line).toContain(rows[index * 50]);
    });

    expect(withPaths(await recordedMessages(app.page), folder)).toEqual([]);
  } finally {
    await demo.close();
  }
});
