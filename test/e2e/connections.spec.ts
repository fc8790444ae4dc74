import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Demo } from '../../src/demo/index.ts';
import type { AppWindow } from './support/app.ts';
import { findings } from './support/findings.ts';
import { addressOf, expect, test } from './support/fixtures.ts';

const fill = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(text);
};
const menu = async (page: Page, item: string): Promise<void> => {
  await page.getByRole('button', { name: /^Connection: / }).click();
  await page.getByRole('menuitemradio', { name: item, exact: true }).click();
};
const notices = (page: Page) => page.getByRole('complementary', { name: /^Connection: / });

/** Fills the form for a login to a demo. */
async function fillLogin(page: Page, demo: Demo, password: string): Promise<void> {
  await page.getByRole('radio', { name: 'E-mail and password' }).check({ force: true });
  await fill(page, {
    Name: 'North Ridge',
    'Data service address': demo.dataUrl,
    'Platform service address': demo.platformUrl,
    'E-mail': demo.login.email,
    Password: password,
  });
}

async function wellsAreThere(app: AppWindow): Promise<void> {
  await expect(app.wells.getByRole('row')).toHaveCount(8);
}

test('a connection by login is tried, kept, edited and removed; what is wrong stands at its field', async ({
  app,
  demo,
  page,
}) => {
  await page.getByRole('radio', { name: 'E-mail and password' }).check({ force: true });
  await app.button('Connect').click();
  for (const problem of [/Give the connection a name/, /Give the e-mail address/, /Give the password/])
    await expect(page.getByText(problem)).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await fillLogin(page, demo, 'wrong');
  await app.button('Connect').click();
  await expect(page.getByRole('alert')).toContainText('did not accept the e-mail and password');
  await fill(page, { Password: demo.login.password });
  await app.button('Test').click();
  await expect(page.getByRole('status').filter({ hasText: 'Data service: works' })).toBeVisible();
  await app.button('Connect').click();
  await wellsAreThere(app);
  await expect(page.getByRole('button', { name: 'Connection: North Ridge' })).toContainText(
    'login for this session only',
  );

  await menu(page, 'Edit this connection…');
  await fill(page, { Name: 'South Ridge', 'Data service address': 'http://localhost:9' });
  await page.getByRole('checkbox', { name: /^Read-only/ }).check({ force: true });
  await page.getByRole('radio', { name: 'Red' }).check({ force: true });
  await app.button('Save').click();
  await expect(page.getByText(/Give the key or login again, so that it does not go there/)).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await fill(page, { 'Data service address': demo.dataUrl });
  await app.button('Save').click();
  await expect(app.button('Open South Ridge')).toContainText('read-only');
  await app.button('Open South Ridge').click();
  await wellsAreThere(app);
  await expect(app.button('Upload')).toBeDisabled();
  await expect(app.button('Upload')).toHaveAccessibleDescription(/This connection is read-only/);

  await menu(page, 'All connections…');
  await app.button('Remove South Ridge').click();
  expect(await findings(page)).toEqual([]);
  await app.button('Remove').click();
  await expect(app.button('Open South Ridge')).toHaveCount(0);
  await expect(app.button('Undo')).toBeFocused();
  await page.keyboard.press('Enter');
  await app.button('Open South Ridge').click();
  await wellsAreThere(app);
  await menu(page, 'All connections…');
  await app.button('Remove South Ridge').click();
  await app.button('Remove').click();
  await expect(app.button('Open South Ridge')).toHaveCount(0);
  await expect(app.button('Connect')).toBeVisible();
});

test('a key that is refused is asked for where the work is, and so is a login that ends', async ({
  app,
  demo,
  page,
}) => {
  await app.connect({ ...addressOf(demo), apiKey: 'API not-the-key' });
  await app.button('Save anyway').click();
  const notice = notices(page);
  await expect(notice).toContainText('Test bed does not accept its key.');
  expect(await findings(page)).toEqual([]);
  await notice.getByRole('button', { name: 'Give a new key…' }).click();
  await fill(page, { 'API key': 'neither' });
  await app.button('Use this key').click();
  await expect(notice.getByRole('alert')).toContainText('did not accept the key');
  expect(await findings(page)).toEqual([]);
  await fill(page, { 'API key': `API ${demo.apiKeys.write}` });
  await app.button('Use this key').click();
  await wellsAreThere(app);
  await expect(notice).toHaveCount(0);

  await menu(page, 'All connections…');
  await app.button('Add a connection').click();
  await fillLogin(page, demo, demo.login.password);
  await app.button('Connect').click();
  await app.openDataset('demo/wits');
  Object.assign(demo.faults, { access_revoked: true, refresh_revoked: true });
  await app.button('Run').click();
  await expect(app.answer.getByRole('alert')).toContainText('has ended');
  await expect(notice).toContainText('The login of North Ridge has ended. Log in again.');
  demo.faults.access_revoked = false;
  await notice.getByRole('button', { name: 'Log in again…' }).click();
  await fill(page, { Password: demo.login.password });
  await app.button('Log in').click();
  await expect(notice).toHaveCount(0);
  await app.run();
});

test('the doctor is reached from what failed, and its report can be copied without a secret in it', async ({
  app,
  demo,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const apiKey = 'a-key-that-nobody-knows';
  await app.connect({ ...addressOf(demo), dataUrl: 'http://127.0.0.1:9', apiKey });
  await app.button('Find out why').first().click();
  const doctor = page.getByRole('region', { name: 'Diagnostics: Test bed' });
  await expect(doctor.getByRole('status').first()).toContainText('Found 2 causes');
  const step = (name: string) => doctor.getByRole('listitem').filter({ hasText: name });
  await expect(step('Connection 127.0.0.1:9')).toContainText('failed');
  await expect(step('Key or login')).toContainText('did not accept the key');
  expect(await findings(page)).toEqual([]);
  await doctor.getByRole('button', { name: 'Copy the report' }).click();
  await expect(doctor.getByText('Copied.')).toBeVisible();
  const report = await page.evaluate(() => navigator.clipboard.readText());
  expect(report).toContain('127.0.0.1:9');
  expect(report).not.toContain(apiKey);
  await doctor.getByRole('button', { name: 'Close' }).click();
  await expect(doctor).toHaveCount(0);
});

test('connections that are open keep their tabs and wells; profiles go out and come in without secrets', async ({
  app,
  demo,
  page,
}) => {
  await app.connect(addressOf(demo));
  await app.well(/./).first().click();
  await app.openDataset('demo/wits');
  await expect(app.scope.getByRole('row')).toHaveCount(1);
  await menu(page, 'All connections…');
  await app.button('Add a connection').click();
  await fillLogin(page, demo, demo.login.password);
  await app.button('Connect').click();
  await wellsAreThere(app);
  await expect(page.getByRole('tab')).toHaveCount(0);
  await menu(page, 'Test bed');
  await expect(page.getByRole('tab')).toHaveCount(1);
  await expect(app.scope.getByRole('row')).toHaveCount(1);
  await menu(page, 'Close Test bed');
  await expect(page.getByRole('button', { name: 'Connection: North Ridge' })).toBeVisible();

  await menu(page, 'All connections…');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    app.button('Export connections…').click(),
  ]);
  const path = await download.path();
  const text = await readFile(path, 'utf8');
  expect(text).toContain('Test bed');
  for (const secret of [demo.apiKeys.write, demo.login.password, demo.login.email])
    expect(text).not.toContain(secret);
  await app.button('Remove Test bed').click();
  await app.button('Remove').click();
  await expect(app.button('Open Test bed')).toHaveCount(0);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    app.button('Import connections…').click(),
  ]);
  await chooser.setFiles(path);
  await expect(page.getByText('“North Ridge” is there already.')).toBeVisible();
  await app.button('Open Test bed').click();
  expect(await findings(page)).toEqual([]);
  await fill(page, { 'API key': demo.apiKeys.read });
  await app.button('Use this key').click();
  await wellsAreThere(app);
});
