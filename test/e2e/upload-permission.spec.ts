import { words } from '../../src/renderer/words/words.ts';
import { sentenceFor } from '../../src/shared/sentences.ts';
import { any, including, like } from '../support/wording.ts';
import { callHost } from './support/call-host.ts';
import { findings } from './support/findings.ts';
import { addressOf } from './support/fixtures.ts';
import { expect, test } from './support/upload.ts';

test('without permission it stops at the first refusal and says whom to ask', async ({
  app,
  demo,
  page,
  rig,
  upload,
}) => {
  await rig('refused.csv', 5000, { apiKey: demo.apiKeys.read });
  await upload.send();
  await expect(upload.tab.getByRole('heading', { name: words.upload.ledger.headings.failed })).toBeVisible();
  await expect(upload.tab.getByRole('alert')).toContainText(
    including(sentenceFor('forbidden', { service: 'data', what: any, said: any })),
  );
  expect(await findings(page, [], '.upload-step')).toEqual([]);
  // What the refused request held is all that was tried; nothing of it, and nothing after it, was stored.
  const { accepted, rejected, unknown, pending, rows } = await upload.books();
  expect({ accepted, rejected, rows, all: unknown + pending }).toEqual({
    accepted: 0,
    rejected: 0,
    rows: 5000,
    all: 5000,
  });
  expect(unknown).toBeLessThan(100);
  await expect(upload.button(words.upload.ledger.lookAt)).toHaveCount(0);
  await app.openDataset('demo/uploads.time');
  await app.typeQuery('{}');
  expect(await app.count()).toBe(0);
});

test('the ledger of a connection that is gone opens under its name, and acts on no other one', async ({
  app,
  demo,
  page,
  rig,
  upload,
}) => {
  await rig('gone.csv', 5);
  await upload.send();
  await expect(upload.button(words.upload.ledger.lookAt)).toBeVisible();
  await page.getByRole('button', { name: like(words.connection.menu(any)) }).click();
  await page.getByRole('menuitemradio', { name: words.connection.leave }).click();
  await app.button(words.start.remove('Test bed')).click();
  await app.button(words.start.removeNow).click();
  await page.getByLabel(words.connection.name).fill('Another');
  await page.getByLabel(words.connection.dataUrl).fill(demo.dataUrl);
  await page.getByLabel(words.connection.platformUrl).fill(demo.platformUrl);
  await page.getByLabel(words.connection.apiKey).fill(demo.apiKeys.write);
  await app.button(words.connection.connect).click();
  await app.jobsToggle().click();
  await app.jobs.getByRole('button', { name: words.jobs.openNamed('gone.csv') }).click();
  await expect(upload.ledger).toBeVisible();
  await expect(upload.tab).toContainText(words.upload.onConnection('Test bed'));
  await expect(upload.button(words.upload.ledger.lookAt)).toHaveCount(0);
});

test('a read-only connection does not offer an upload, and says why', async ({
  app,
  demo,
  host,
  page,
  upload,
}) => {
  await expect(app.button(words.connection.connect)).toBeVisible();
  const { dataUrl, platformUrl, apiKey } = addressOf(demo);
  await callHost(page, host, (api) =>
    api.connections.add({
      name: 'Only to look at',
      dataUrl,
      platformUrl,
      credential: { method: 'api_key', apiKey },
      readOnly: true,
    }),
  );
  await page.reload();
  await page.getByRole('button', { name: words.start.open('Only to look at') }).click();
  const reason = words.upload.drop.readOnly;
  await page.getByRole('searchbox', { name: words.datasets.search }).fill('demo/uploads.time');
  for (const name of [words.upload.button, words.upload.openInto('demo/uploads.time')]) {
    await expect(app.button(name)).toBeDisabled();
    await expect(app.button(name)).toHaveAccessibleDescription(reason);
  }
  await upload.hold(words.upload.drop.readOnly);
});
