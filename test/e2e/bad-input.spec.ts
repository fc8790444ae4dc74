import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressOf, expect, test } from './support/fixtures.ts';

/** A port on this machine at which nobody listens. */
async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a connection that lacks something says at each field what belongs there', async ({ app, page }) => {
  await app.button('Connect').click();
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Give the connection a name.');
  await expect(page.getByLabel('Data service address')).toHaveAccessibleDescription(/https:\/\//);
  await expect(page.getByLabel('API key')).toHaveAccessibleDescription(/Give the API key\./);
  await page.getByLabel('Name').fill('North Ridge');
  await expect(page.getByLabel('Name')).not.toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Data service address').fill('http://data.example.com');
  await app.button('Connect').click();
  await expect(page.getByLabel('Data service address')).toHaveAccessibleDescription(/must begin with https/);
});

test('a wrong key is told at the test, and again where its data were to come', async ({
  app,
  demo,
  page,
}) => {
  await app.fillConnection({ ...addressOf(demo), apiKey: 'no-such-key' });
  await app.button('Test').click();
  await expect(page.getByRole('status').filter({ hasText: 'Data service: fails' })).toContainText(
    'did not accept the key',
  );
  await app.button('Connect').click();
  await expect(page.getByRole('alert')).toContainText('did not accept the key');
  await app.button('Save anyway').click();
  await expect(page.getByRole('alert')).toHaveCount(2);
  await expect(page.getByRole('alert').first()).toContainText('did not accept the key');
  await expect(page.locator('body')).not.toContainText('no-such-key');
});

test('a host that can’t be reached is named, and can be tried again', async ({ app, demo, page }) => {
  const dead = `http://127.0.0.1:${await deadPort()}`;
  await app.connect({ ...addressOf(demo), platformUrl: dead });
  await expect(page.getByRole('alert')).toContainText('refused the connection');
  await app.button('Save anyway').click();
  const wells = page.getByRole('region', { name: 'Wells' });
  // The list is tried again and again before it gives up; that takes its time and can be cancelled.
  await expect(wells.getByRole('alert').or(wells.getByRole('button', { name: 'Cancel' }))).toBeVisible();
  if (await wells.getByRole('button', { name: 'Cancel' }).isVisible()) {
    await wells.getByRole('button', { name: 'Cancel' }).click();
    await expect(wells.getByRole('button', { name: 'Load the wells' })).toBeVisible();
  }
  await app.openDataset('demo/wits');
  await app.run();
});

test('broken JSON is marked where it is broken; nothing is sent', async ({ app, demo, page }) => {
  await app.connect(addressOf(demo));
  await app.openDataset('demo/wits');
  await app.typeQuery('{\n  asset_id: { $in: [5001, 5002 }\n}');
  await app.editor().press('ControlOrMeta+Enter');
  await expect(app.answer.getByRole('alert')).toContainText('query, line 2, column');
  await expect(page.locator('.squiggly-error')).toBeVisible();
  await expect(app.answer.getByRole('button', { name: 'Try again' })).toHaveCount(0);

  await app.button('Count').click();
  await expect(page.getByRole('region', { name: 'Query' }).getByRole('alert')).toContainText('line 2');

  await app.button('Export').click();
  await app.button('Start export').click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('line 2');
  await page.keyboard.press('Escape');

  await app.typeQuery('{}');
  await expect(page.locator('.squiggly-error')).toHaveCount(0);
  await app.run();
});

test('limit and skip out of range are told at their fields', async ({ app, page }) => {
  await app.openSample();
  await app.openDataset('demo/wits');
  await page.getByLabel('Limit').fill('10001');
  await page.getByLabel('Skip').fill('some');
  await app.button('Run').click();
  await expect(page.getByLabel('Limit')).toHaveAccessibleDescription('Give a number from 1 to 10,000.');
  await expect(page.getByLabel('Skip')).toHaveAccessibleDescription('Give a whole number.');
  await page.getByLabel('Limit').fill('10');
  await expect(page.getByLabel('Limit')).not.toHaveAttribute('aria-invalid', 'true');
});

test('what the service refuses is told in its words', async ({ app, demo }) => {
  await app.connect(addressOf(demo));
  await app.openDataset('demo/wits');
  demo.faults.require_scope = true;
  await app.button('Run').click();
  await expect(app.answer.getByRole('alert')).toContainText('refused the request (400)');
  demo.faults.require_scope = false;
  await app.answer.getByRole('button', { name: 'Try again' }).click();
  await expect(app.grid()).toBeVisible();
});

test('a query that takes long is cancelled, and so is a count', async ({ app, demo, page }) => {
  await app.connect(addressOf(demo));
  await app.openDataset('demo/wits');
  demo.faults.latency_ms = 60_000;
  await app.button('Run').click();
  await expect(app.answer.getByRole('status')).toContainText('Asking wits…');
  await page.getByRole('region', { name: 'Query' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(app.answer).toContainText('Cancelled. The request was stopped.');
  await app.button('Count').click();
  await expect(page.getByRole('status').filter({ hasText: 'Counting…' })).toBeVisible();
  await page.getByRole('region', { name: 'Query' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(app.button('Run')).toBeVisible();
  demo.faults.latency_ms = 0;
  await app.run();
});

test('a busy service is asked again, and the bar below says when', async ({ app, demo }) => {
  await app.connect(addressOf(demo));
  await app.openDataset('demo/wits');
  Object.assign(demo.faults, { rate_429: 1, retry_after: 2, fault_times: 1 });
  await app.button('Run').click();
  await expect(app.jobs).toContainText(/Data service: next try in \d s \(attempt \d\)/);
  await expect(app.grid()).toBeVisible({ timeout: 20_000 });
  await expect(app.jobs).not.toContainText('next try');
});

test('an export is cancelled, resumed and discarded', async ({ app, demo, page }) => {
  await app.connect(addressOf(demo));
  await app.openDataset('demo/wits');
  // So slow that the first page takes minutes.
  demo.faults.bandwidth = 2000;
  await app.button('Export').click();
  await page.getByLabel('File name').fill('slow.csv');
  await app.button('Start export').click();
  const job = app.jobs.getByRole('listitem', { name: 'Export slow.csv' });
  await expect(job.getByRole('progressbar')).toBeVisible();
  await job.getByRole('button', { name: 'Cancel slow.csv' }).click();
  await expect(job).toContainText('cancelled');
  await expect(job.getByRole('link')).toHaveCount(0);
  demo.faults.bandwidth = 0;
  await job.getByRole('button', { name: 'Resume slow.csv' }).click();
  await expect(job).toContainText('done', { timeout: 30_000 });
  await job.getByRole('button', { name: 'Discard slow.csv' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(job).toHaveCount(0);
});

test.describe('when the application ends under the window', () => {
  test.use({ mayComplain: /WebSocket|ERR_CONNECTION/, ownHost: {} });

  test('the window says so and keeps what it shows', async ({ app, host, page }) => {
    await app.openSample();
    await app.openDataset('demo/wits');
    await app.run();
    await host.kill();
    await expect(page.getByText('The link to the application was lost.')).toBeVisible();
    await expect(app.grid()).toBeVisible();
  });
});
