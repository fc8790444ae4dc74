import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { startDemo } from '../../src/demo/index.ts';
import { uploadWords } from '../../src/renderer/words/upload.ts';
import { words } from '../../src/renderer/words/words.ts';
import { sentenceFor } from '../../src/shared/errors/sentences.ts';
import { rigRows, UploadWindow } from '../e2e/support/upload.ts';
import { answerSaveDialog, dropFiles } from '../support/electron/gestures.ts';
import { recordMessages, recordedMessages, withPaths } from '../support/electron/recorded-messages.ts';
import { any, anyCount, including, like } from '../support/wording.ts';
import { expect, test } from './fixtures.ts';

const sampleRecords = z.object({ measured_depth: z.number(), asset_id: z.int() });

/** The matching records from the sample workspace's data service, deepest first. */
async function recordsOfSample(assetId: number): Promise<z.infer<typeof sampleRecords>[]> {
  const demo = await startDemo({ seed: 1, wells: 30, records: 5000 });
  const query = new URLSearchParams({
    query: JSON.stringify({ asset_id: assetId }),
    sort: JSON.stringify({ measured_depth: -1 }),
    limit: '10000',
  });
  const answer = await fetch(`${demo.dataUrl}/api/v1/data/demo/drilling.wits.depth/?${query}`, {
    headers: { authorization: `API ${demo.apiKeys.write}` },
  });
  const records = z.array(sampleRecords).parse(await answer.json());
  await demo.close();
  return records;
}

test('from the sample workspace to a CSV file at the place selected in the dialog, and from a dropped file to its upload', async ({
  app,
  desktop,
  folder,
}) => {
  await recordMessages(app.page);
  await app.openSample();
  await app.well('Cottonwood A-105H').click();
  await app.openDataset('demo/drilling.wits.depth');
  await app.run();
  await expect(app.answer.getByRole('gridcell').first()).toBeVisible();

  const target = join(folder, 'Brønn «A-105H».csv');
  const startExport = async (): Promise<void> => {
    await app.button(words.query.export).click();
    await app.page.getByText(words.export.uses.pandas, { exact: true }).click();
    await app.page.getByLabel(words.export.fileName).fill('depth log.csv');
    await app.button(words.export.start).click();
  };

  await test.step('nothing starts when the user cancels', async () => {
    await answerSaveDialog(desktop, null);
    await startExport();
    await expect.poll(() => desktop.evaluate(() => globalThis.askedToSave?.length)).toBe(1);
    await expect(app.jobsToggle()).toContainText(words.jobs.summary(0, 0, 0));
    await app.page.keyboard.press('Escape');
  });

  await test.step('the system’s dialog opens in the downloads folder, with the name and its type', async () => {
    await answerSaveDialog(desktop, target);
    await startExport();
    const job = app.job('export', 'Brønn «A-105H».csv');
    await expect(job).toContainText(words.jobs.states.done, { timeout: 30_000 });
    const dialogOptions = await desktop.evaluate(({ app: electron }) => ({
      last: globalThis.askedToSave?.at(-1),
      downloads: electron.getPath('downloads'),
    }));
    expect(dialogOptions.last?.defaultPath).toBe(join(dialogOptions.downloads, 'depth log.csv'));
    expect(dialogOptions.last?.filters?.[0]).toEqual({ name: 'CSV', extensions: ['csv'] });
  });

  await test.step('the file has every record of the service, in order, and its manifest matches it', async () => {
    const bytes = await readFile(target);
    const [head = '', ...lines] = bytes.toString('utf8').trimEnd().split(/\r?\n/);
    const at = head.split(',').indexOf('measured_depth');
    const depths = lines.map((line) => Number(line.split(',')[at]));
    expect(depths).toEqual((await recordsOfSample(5005)).map((record) => record.measured_depth));
    const manifest = await readFile(`${target}.manifest.json`, 'utf8');
    expect(manifest).toContain(createHash('sha256').update(bytes).digest('hex'));
    const left = await readdir(folder);
    expect(left.filter((name) => name.includes('partial') || name.endsWith('.tmp'))).toEqual([]);
  });

  await test.step('the window never received a path', async () => {
    const messages = await recordedMessages(app.page);
    expect(messages.length).toBeGreaterThan(5);
    expect(messages.some((message) => message.includes('Brønn «A-105H».csv'))).toBe(true);
    expect(withPaths(messages, folder)).toEqual([]);
  });

  await test.step('a file dropped on the window is read in place, and a folder is rejected with a message', async () => {
    const upload = new UploadWindow(app.page);
    const path = join(folder, 'surveys.csv');
    await writeFile(path, ['timestamp,data.rop', ...rigRows(50).map((row) => row.slice(0, 30))].join('\n'));
    await dropFiles(app.page, app.page.getByRole('main'), [path]);
    await expect(upload.tab.getByText(like(uploadWords.file.rowsAndColumns(50, anyCount)))).toBeVisible({
      timeout: 30_000,
    });
    // In the browser host the file would be in Wellbench's spool folder.
    expect(await desktop.evaluate(() => globalThis.askedToOpen)).toBeFalsy();
    await expect(app.page.getByRole('tab', { name: uploadWords.tab('surveys.csv') })).toBeVisible();
    const messages = await recordedMessages(app.page);
    expect(messages.length).toBeGreaterThan(5);
    expect(withPaths(messages, folder)).toEqual([]);

    await dropFiles(app.page, app.page.getByRole('main'), [folder]);
    await expect(
      app.page
        .getByText(including(sentenceFor('file_unreadable', { file: basename(folder), reason: any })))
        .first(),
    ).toBeVisible();
  });
});
