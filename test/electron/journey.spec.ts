import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { SaveDialogOptions } from 'electron';
import * as z from 'zod';
import { startDemo } from '../../src/demo/index.ts';
import type { Desktop } from '../support/electron/desktop.ts';
import { expect, test } from './fixtures.ts';

declare global {
  // What the scripted dialog was asked, in the main process; and all that came over ports, in the page.
  var askedToSave: SaveDialogOptions[] | undefined;
  var heardByPage: string[] | undefined;
}

/** Answers the next save dialogs with a path, as a person would; null: thinks better of it. */
const answerSaveDialog = (desktop: Desktop, path: string | null): Promise<void> =>
  desktop.evaluate(({ dialog }, filePath) => {
    const asked = (globalThis.askedToSave ??= []);
    dialog.showSaveDialog = async (...given: unknown[]) => {
      asked.push(given.at(-1) as SaveDialogOptions);
      return { canceled: filePath === null, filePath: filePath ?? '' };
    };
  }, path);

/** From its next load on the page keeps all that comes to it over ports. */
async function listenToPorts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const heard: string[] = (globalThis.heardByPage = []);
    window.addEventListener('message', ({ ports }) => {
      for (const port of ports) port.addEventListener('message', ({ data }) => heard.push(String(data)));
    });
  });
  await page.reload();
}

/** Puts a file into a picker of the page as the system's own picker does: with its place on the disk. */
async function pick(page: Page, path: string): Promise<void> {
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'picker' }));
  });
  const chromium = await page.context().newCDPSession(page);
  const { result } = await chromium.send('Runtime.evaluate', {
    expression: "document.querySelector('#picker')",
  });
  await chromium.send('DOM.setFileInputFiles', { files: [path], objectId: result.objectId ?? '' });
}

const sampleRecords = z.object({ measured_depth: z.number(), asset_id: z.int() });

/** What the data service of the sample workspace itself says matches, deepest first. */
async function recordsOfSample(assetId: number): Promise<z.infer<typeof sampleRecords>[]> {
  const demo = await startDemo({ seed: 1, wells: 30, records: 200_000 });
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

test('from the sample workspace to a CSV where the dialog said', async ({ app, desktop, folder }) => {
  await listenToPorts(app.page);
  await app.openSample();
  await app.well('Cottonwood A-105H').click();
  await app.openDataset('demo/drilling.wits.depth');
  await app.run();
  await expect(app.answer.getByRole('gridcell').first()).toBeVisible();

  const target = join(folder, 'Brønn «A-105H».csv');
  const startExport = async (): Promise<void> => {
    await app.button('Export').click();
    await app.page.getByLabel('File name').fill('depth log.csv');
    await app.button('Start export').click();
  };

  await test.step('nothing is begun when the person thinks better of it', async () => {
    await answerSaveDialog(desktop, null);
    await startExport();
    await expect.poll(() => desktop.evaluate(() => globalThis.askedToSave?.length)).toBe(1);
    await expect(app.jobs.getByRole('button', { name: /Jobs/ })).toContainText('0 jobs');
    await app.page.keyboard.press('Escape');
  });

  await test.step('the system’s dialog opens in the downloads, with the name and its kind', async () => {
    await answerSaveDialog(desktop, target);
    await startExport();
    const job = app.jobs.getByRole('listitem', { name: /^Export Brønn «A-105H»\.csv/ });
    await expect(job).toContainText('done', { timeout: 30_000 });
    const asked = await desktop.evaluate(({ app: electron }) => ({
      last: globalThis.askedToSave?.at(-1),
      downloads: electron.getPath('downloads'),
    }));
    expect(asked.last?.defaultPath).toBe(join(asked.downloads, 'depth log.csv'));
    expect(asked.last?.filters?.[0]).toEqual({ name: 'CSV', extensions: ['csv'] });
  });

  await test.step('the file has every record that the service has, in order, and its manifest fits it', async () => {
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

  await test.step('the window never learned a path', async () => {
    const heard = await app.page.evaluate(() => globalThis.heardByPage ?? []);
    expect(heard.length).toBeGreaterThan(5);
    expect(heard.join('\n')).toContain('Brønn «A-105H».csv');
    expect(
      heard.filter(
        (message) => message.includes(folder) || /"(?:\/(?:home|root|tmp|Users)\/|[A-Z]:\\\\)/.test(message),
      ),
    ).toEqual([]);
  });
});

test('a file of the disk that the window was given is known to it by a token only', async ({
  app,
  folder,
}) => {
  const path = join(folder, 'surveys.csv');
  await writeFile(path, 'md,inc\n1,2\n');
  await pick(app.page, path);
  const offered = await app.page.evaluate(async () => {
    const file = document.querySelector<HTMLInputElement>('#picker')?.files?.[0];
    return file && JSON.stringify(await window.wellbench?.offerFile(file));
  });
  expect(JSON.parse(offered ?? 'null')).toMatchObject({
    ok: true,
    value: { name: 'surveys.csv', bytes: 11 },
  });
  expect(offered).not.toContain(folder);
  const madeUp = await app.page.evaluate(() => window.wellbench?.offerFile(new File(['a'], '/etc/passwd')));
  expect(madeUp).toMatchObject({ ok: false, error: { code: 'file_unreadable' } });
});
