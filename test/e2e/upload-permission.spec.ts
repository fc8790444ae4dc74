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
  await expect(upload.tab.getByRole('heading', { name: 'Stopped by an error' })).toBeVisible();
  await expect(upload.tab.getByRole('alert')).toContainText('Ask your administrator for access.');
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
  await expect(upload.button('Look at it')).toHaveCount(0);
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
  await expect(upload.button('Look at it')).toBeVisible();
  await page.getByRole('button', { name: /^Connection: / }).click();
  await page.getByRole('menuitemradio', { name: 'All connections…' }).click();
  await app.button('Remove Test bed').click();
  await app.button('Remove').click();
  await page.getByLabel('Name').fill('Another');
  await page.getByLabel('Data service address').fill(demo.dataUrl);
  await page.getByLabel('Platform service address').fill(demo.platformUrl);
  await page.getByLabel('API key').fill(demo.apiKeys.write);
  await app.button('Connect').click();
  await app.jobs.getByRole('button', { name: /^Jobs/ }).click();
  await app.jobs.getByRole('button', { name: 'Ledger of gone.csv' }).click();
  await expect(upload.ledger).toBeVisible();
  await expect(upload.tab).toContainText('over the connection “Test bed”');
  await expect(upload.button('Look at it')).toHaveCount(0);
});

test('a read-only connection does not offer an upload, and says why', async ({
  app,
  demo,
  host,
  page,
  upload,
}) => {
  await expect(app.button('Connect')).toBeVisible();
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
  await page.getByRole('button', { name: 'Open Only to look at' }).click();
  const reason = 'This connection is read-only: nothing can be uploaded by it';
  await page.getByRole('searchbox', { name: 'Search datasets' }).fill('demo/uploads.time');
  for (const name of ['Upload', 'Upload into demo/uploads.time']) {
    await expect(app.button(name)).toBeDisabled();
    await expect(app.button(name)).toHaveAccessibleDescription(reason);
  }
  await upload.hold('This connection is read-only: nothing can be uploaded by it');
});
