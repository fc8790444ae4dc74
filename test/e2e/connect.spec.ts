import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { findings } from './support/findings.ts';
import { addressOf, expect, test } from './support/fixtures.ts';

/** Pictures for whoever looks at a change; nothing is written unless a folder is named. */
const shots = process.env['WELLBENCH_SHOTS'];
async function shoot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return;
  await mkdir(shots, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(shots, `${name}-${colorScheme}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

test('Connect keeps nothing with a wrong key, a refused address or swapped addresses, unless it is to', async ({
  app,
  demo,
  page,
}) => {
  const right = addressOf(demo);
  const failure = page.getByRole('alert');

  await test.step('a wrong key', async () => {
    await app.connect({ ...right, apiKey: 'no-such-key' });
    await expect(failure).toContainText('Nothing was saved. The data service did not accept the key.');
    expect(await findings(page)).toEqual([]);
    await shoot(page, 'wrong-key');
  });

  await test.step('a refused address', async () => {
    await app.connect({ ...right, dataUrl: 'http://127.0.0.1:9' });
    await expect(failure).toContainText('Nothing was saved. 127.0.0.1:9 refused the connection.');
    await shoot(page, 'refused');
  });

  await test.step('swapped addresses, which are swapped back by a button', async () => {
    await app.connect({ ...right, dataUrl: right.platformUrl, platformUrl: right.dataUrl });
    await expect(failure).toContainText('Nothing was saved. The two addresses are swapped');
    expect(await findings(page)).toEqual([]);
    await shoot(page, 'swapped');
    await app.button('Find out why').click();
    const diagnostics = page.getByRole('region', { name: 'Diagnostics: Test bed' });
    await expect(diagnostics.getByRole('status').first()).toHaveText('Found the cause:');
    await expect(diagnostics.getByRole('listitem')).toHaveCount(1);
    await expect(diagnostics.getByRole('listitem')).toContainText('Swap the data and the platform address.');
    expect(await findings(page)).toEqual([]);
    await shoot(page, 'swapped-diagnostics');
    await app.button('Swap addresses').click();
    await expect(page.getByLabel('Data service address')).toHaveValue(right.dataUrl);
  });

  await page.reload();
  // Nothing is listed: the form stands open by itself.
  await expect(app.button('Connect')).toBeVisible();
  await expect(app.button('Add a connection')).toHaveCount(0);

  await app.connect({ ...right, apiKey: 'no-such-key' });
  await app.button('Save anyway').click();
  await expect(page.getByRole('complementary', { name: /^Connection: / })).toContainText(
    'Test bed does not accept its key.',
  );
});

test('diagnostics of an old key are gone when a new one works', async ({ app, demo, page }) => {
  await app.connect({ ...addressOf(demo), apiKey: 'no-such-key' });
  await app.button('Save anyway').click();
  const notices = page.getByRole('complementary', { name: /^Connection: / });
  await expect(notices).toContainText('does not accept its key');
  await app.button('Find out why').first().click();
  const diagnostics = page.getByRole('region', { name: 'Diagnostics: Test bed' });
  await expect(diagnostics.getByRole('listitem')).toContainText('did not accept the key');
  await shoot(page, 'diagnostics-key');
  await notices.getByRole('button', { name: 'Give a new key…' }).click();
  await page.getByLabel('API key').fill(demo.apiKeys.write);
  await app.button('Use this key').click();
  await expect(diagnostics).toHaveCount(0);
  await expect(notices).toHaveCount(0);
});

test('an address gets its scheme, and a proxy its fields', async ({ app, page }) => {
  await page.getByText('Proxy', { exact: true }).click();
  await page.getByLabel('Proxy address').fill('me:secret@proxy.example.com:8080');
  await expect(page.getByLabel('Proxy user')).toBeVisible();
  await page.getByLabel('Proxy password').fill('p w');
  await page.getByLabel('Data service address').fill('data.example.com');
  await app.button('Connect').click();
  await expect(page.getByLabel('Proxy address')).toHaveAccessibleDescription(/in their own fields/);
  await expect(page.getByLabel('Data service address')).not.toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Platform service address')).toHaveAttribute('aria-invalid', 'true');
  expect(await findings(page)).toEqual([]);
  await page.getByLabel('Proxy address').scrollIntoViewIfNeeded();
  await shoot(page, 'proxy');
});
