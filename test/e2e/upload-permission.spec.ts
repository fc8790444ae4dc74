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

test('a read-only connection says so before the first step', async ({ app, demo, host, page, upload }) => {
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
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(upload.tab).toContainText('The connection “Only to look at” is read-only');
  await expect(upload.button('Choose a file')).toHaveCount(0);
  await upload.hold('This connection is read-only: nothing can be uploaded by it');
});
