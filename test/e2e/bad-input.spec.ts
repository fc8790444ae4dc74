import { words } from '../../src/renderer/words/words.ts';
import { addressOf, expect, test } from './support/fixtures.ts';

test('an export is cancelled, resumed and discarded', async ({ app, demo, page }) => {
  await app.connect(addressOf(demo));
  await app.openDataset('demo/wits');
  // So slow that the first page takes minutes.
  demo.faults.bandwidth = 2000;
  await app.button(words.query.export).click();
  await page.getByLabel(words.export.fileName).fill('slow.csv');
  await app.button(words.export.start).click();
  const job = app.jobs.getByRole('listitem', { name: 'Export slow.csv' });
  await expect(job.getByRole('progressbar')).toBeVisible();
  await job.getByRole('button', { name: words.jobs.cancel('slow.csv') }).click();
  await expect(job).toContainText(words.jobs.states.cancelled);
  await expect(job.getByRole('link')).toHaveCount(0);
  demo.faults.bandwidth = 0;
  await job.getByRole('button', { name: words.jobs.resumeNamed('slow.csv') }).click();
  await expect(job).toContainText(words.jobs.states.done, { timeout: 30_000 });
  await job.getByRole('button', { name: words.jobs.discardNamed('slow.csv') }).click();
  await page.getByRole('dialog').getByRole('button', { name: words.jobs.discard, exact: true }).click();
  await expect(job).toHaveCount(0);
});

test.describe('when the application ends under the window', () => {
  test.use({ mayComplain: /WebSocket|ERR_CONNECTION/, ownHost: {} });

  test('the window says so and keeps what it shows', async ({ app, host, page }) => {
    await app.openSample();
    await app.openDataset('demo/wits');
    await app.run();
    await host.kill();
    await expect(page.getByText(words.link.reconnecting)).toBeVisible();
    await expect(app.grid()).toBeVisible();
  });
});
