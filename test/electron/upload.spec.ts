import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDemo } from '../../src/demo/index.ts';
import { uploadWords } from '../../src/renderer/words/upload.ts';
import { words } from '../../src/renderer/words/words.ts';
import { addressOf } from '../e2e/support/fixtures.ts';
import { rigRows, UploadWindow } from '../e2e/support/upload.ts';
import { answerOpenDialog, answerSaveDialog, dropFiles, pickFiles } from '../support/electron/gestures.ts';
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

test('the window gets only a token for a selected file, and one for each drop on it; a file dropped outside a drop area doesn’t replace the page', async ({
  app,
  folder,
}) => {
  const path = join(folder, 'surveys.csv');
  await writeFile(path, 'md,inc\n1,2\n');
  await app.page.evaluate(() => {
    document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'picker' }));
  });
  await pickFiles(app.page, '#picker', [path]);
  const offered = await app.page.evaluate(async () => {
    const file = document.querySelector<HTMLInputElement>('#picker')?.files?.[0];
    return file && JSON.stringify(await window.wellbench?.offerFile(file));
  });
  expect(JSON.parse(offered ?? 'null')).toMatchObject({
    ok: true,
    value: { name: 'surveys.csv', bytes: 11 },
  });
  expect(offered).not.toContain(folder);

  const forgedFile = await app.page.evaluate(() =>
    window.wellbench?.offerFile(new File(['a'], '/etc/passwd')),
  );
  expect(forgedFile).toMatchObject({ ok: false, error: { code: 'file_unreadable' } });

  const other = join(folder, 'page.html');
  await writeFile(other, '<h1>Not ours</h1>');
  await dropFiles(app.page, app.button(words.start.openSample), [other]);
  await expect(app.button(words.start.openSample)).toBeVisible();
  expect(app.page.context().pages()).toHaveLength(1);

  // A hostile page: it keeps every file object, and creates its own events and files.
  await app.page.evaluate(() => {
    const kept: File[] = [];
    Object.assign(window, { kept });
    window.addEventListener('dragover', ({ dataTransfer }) => {
      if (dataTransfer) dataTransfer.dropEffect = 'copy';
    });
    window.addEventListener('drop', (event) => kept.push(...(event.dataTransfer?.files ?? [])));
  });
  const offerKept = () =>
    app.page.evaluate(() => {
      const [file] = (window as unknown as { kept: File[] }).kept;
      return file && window.wellbench?.offerFile(file);
    });
  const refused = {
    ok: false,
    error: { details: { reason: 'it wasn’t dropped or chosen in this window' } },
  };

  await dropFiles(app.page, app.button(words.start.openSample), [path]);
  await dropFiles(app.page, app.button(words.start.openSample), [path]);
  for (const _drop of ['first', 'second'])
    expect(await offerKept()).toMatchObject({ ok: true, value: { name: 'surveys.csv', bytes: 11 } });
  expect(await offerKept()).toMatchObject(refused);

  const ownEvents = await app.page.evaluate(() => {
    const [file] = (window as unknown as { kept: File[] }).kept;
    const dataTransfer = new DataTransfer();
    if (file) dataTransfer.items.add(file);
    window.dispatchEvent(new DragEvent('drop', { dataTransfer }));
    const input = Object.assign(document.createElement('input'), { type: 'file' });
    input.files = dataTransfer.files;
    document.body.append(input);
    input.dispatchEvent(new Event('change', { bubbles: true }));
    return file && window.wellbench?.offerFile(file);
  });
  expect(ownEvents).toMatchObject(refused);
  const forgedDrop = await app.page.evaluate(() =>
    window.wellbench?.offerFile(new File(['a'], '/etc/passwd')),
  );
  expect(forgedDrop).toMatchObject(refused);
});
