import { words } from '../../src/renderer/words/words.ts';
import { expect, test } from './support/upload.ts';

test.describe('when the application ends under the window', () => {
  test.use({ mayComplain: /WebSocket|ERR_CONNECTION|Failed to load/, ownHost: {} });

  test('the window says so, keeps what it shows, and refuses a file in words', async ({
    app,
    host,
    page,
    upload,
    fileWith,
  }) => {
    await app.openSample();
    await upload.open('demo/uploads.time');
    await app.openDataset('demo/wits');
    await app.run();
    await host.kill();
    await expect(page.getByText(words.link.reconnecting)).toBeVisible();
    await expect(app.grid()).toBeVisible();
    await page.getByRole('tab', { name: words.upload.tab(null), exact: true }).click();
    await upload.hand(await fileWith('late.csv', 'a\n1\n'));
    await expect(upload.tab.getByRole('alert')).toBeVisible();
    await expect(upload.button(words.upload.choose.button)).toBeVisible();
  });
});
