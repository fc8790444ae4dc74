import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import type { Demo } from '../../../src/demo/index.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { including, oneOf } from '../../support/wording.ts';
import { firstTab, openTabs, selectedWells } from './support/tabs.ts';
import { watchDownloads } from './support/downloads.ts';
import { findings } from './support/findings.ts';
import {
  addressOf,
  openConnected,
  openWindow,
  waitForWells,
  type TestWindow,
} from './support/open-window.tsx';
import { firstSentence } from './support/first-sentence.ts';

const w = words.connection;
const refused = words.authenticating.refused;
const menuOf = (window: TestWindow, connection: string, item: string) =>
  window.pick(w.menu(connection), item);
const notices = (name: string) => screen.queryByRole('complementary', { name: w.menu(name) });

/** Fills in the form with an email and password for a demo. */
async function fillLogin({ tick, fill }: TestWindow, demo: Demo, password: string): Promise<void> {
  await tick(w.hows.login);
  await fill(w.name, 'North Ridge');
  await fill(w.dataUrl, demo.dataUrl);
  await fill(w.platformUrl, demo.platformUrl);
  await fill(w.email, demo.login.email);
  await fill(w.password, password);
}

it('tests a connection by sign-in, saves it, edits it, and removes it', async () => {
  const opened = await openWindow();
  const { press, fill, tick, demo } = opened;
  await fillLogin(opened, demo, 'wrong');
  await press(w.connect);
  await expect
    .poll(() => screen.findByRole('alert'))
    .toHaveTextContent(firstSentence('not_authenticated', { service: 'platform', why: 'login_wrong' }));
  await fill(w.password, demo.login.password);
  await press(w.test);
  await screen.findByText(new RegExp(`^${w.dataService}: ${w.works}`));
  await press(w.connect);
  await waitForWells(8);
  const menu = await screen.findByRole('button', { name: w.menu('North Ridge') });
  expect(menu).toHaveTextContent(w.secrets.login.session);

  await menuOf(opened, 'North Ridge', w.edit);
  await fill(w.name, 'South Ridge');
  const dataUrl = await fill(w.dataUrl, 'http://localhost:9');
  await tick(w.readOnlyBox);
  await tick(w.colors.red);
  await press(w.save);
  // Credentials aren't sent to another address without the user.
  await expect.poll(async () => screen.findByLabelText(w.password)).toBeInvalid();
  expect(await findings()).toEqual([]);
  await fill(w.dataUrl, demo.dataUrl);
  expect(dataUrl).toHaveValue(demo.dataUrl);
  await press(w.save);
  await expect
    .poll(() => screen.findByRole('button', { name: words.start.open('South Ridge') }))
    .toHaveTextContent(w.readOnly);

  await press(words.start.remove('South Ridge'));
  const question = await screen.findByText(words.start.removeText('South Ridge'));
  expect(await findings()).toEqual([]);
  await press(words.cancel);
  await expect.poll(() => document.body.contains(question)).toBe(false);
  await press(words.start.open('South Ridge'));
  await waitForWells(8);
  await menuOf(opened, 'South Ridge', w.leave);
  await press(words.start.remove('South Ridge'));
  await press(words.start.removeNow);
  await expect.poll(() => screen.queryByRole('button', { name: words.start.open('South Ridge') })).toBeNull();
  // The focus of the row is not lost with it.
  expect(document.activeElement).not.toBe(document.body);
  await screen.findByRole('button', { name: w.connect });
});

it('requests a new key next to the work after a rejection', async () => {
  const opened = await openWindow();
  const { press, fill, demo } = opened;
  const { dataUrl, platformUrl, apiKey } = addressOf(demo);
  await fill(w.name, 'Test bed');
  await fill(w.dataUrl, dataUrl);
  await fill(w.platformUrl, platformUrl);
  await fill(w.apiKey, 'API not-the-key');
  await press(w.connect);
  await press(w.saveAnyway);
  await expect.poll(() => notices('Test bed')).toHaveTextContent(refused.key_unknown('Test bed'));
  await press(words.authenticating.giveKey);
  await fill(w.apiKey, 'neither');
  await press(words.authenticating.use);
  await expect
    .poll(() => within(notices('Test bed') ?? document.body).findByRole('alert'))
    .toHaveTextContent(firstSentence('not_authenticated', { service: 'data', why: 'key_unknown' }));
  expect(await findings()).toEqual([]);
  await fill(w.apiKey, `API ${apiKey}`);
  await press(words.authenticating.use);
  await waitForWells(8);
  await expect.poll(() => notices('Test bed')).toBeNull();
});

it('requests a new sign-in next to the work after the session expired', async () => {
  const opened = await openWindow();
  const { press, fill, demo, openDataset, answer } = opened;
  await fillLogin(opened, demo, demo.login.password);
  await press(w.connect);
  await waitForWells(8);
  await openDataset('demo/wits');
  Object.assign(demo.faults, { access_revoked: true, refresh_revoked: true });
  await press(words.query.run);
  // Either service says so first: requests beside the query renew the session, too.
  const expired = (service: 'platform' | 'data') =>
    including(firstSentence('not_authenticated', { service, why: 'login_needed' }));
  await expect
    .poll(async () => within(await answer()).findByRole('alert'))
    .toHaveTextContent(oneOf(expired('platform'), expired('data')));
  await expect.poll(() => notices('North Ridge')).toHaveTextContent(refused.login_needed('North Ridge'));
  demo.faults.access_revoked = false;
  await press(words.authenticating.giveLogin);
  await fill(w.password, demo.login.password);
  await press(words.authenticating.logIn);
  await expect.poll(() => notices('North Ridge')).toBeNull();
  await press(words.query.run);
  await within(await answer()).findAllByRole('gridcell');
});

it('diagnoses the cause of each failure, in a report that can be copied, without credentials', async () => {
  const opened = await openWindow();
  const { press, fill, demo } = opened;
  const apiKey = 'a-key-that-nobody-knows';
  await fill(w.name, 'Test bed');
  await fill(w.dataUrl, 'http://127.0.0.1:9');
  await fill(w.platformUrl, demo.platformUrl);
  await fill(w.apiKey, apiKey);
  await press(w.connect);
  await press(w.why);
  const diagnostics = await screen.findByRole('region', { name: words.diagnostics.heading('Test bed') });
  await within(diagnostics).findByText(words.diagnostics.bad(2));
  const step = (name: string) =>
    within(diagnostics)
      .getAllByRole('listitem')
      .find(({ textContent }) => textContent.startsWith(name));
  expect(step(words.diagnostics.steps.tcp)).toHaveTextContent(words.diagnostics.states.failed);
  expect(step(words.diagnostics.steps.auth)).toHaveTextContent(
    firstSentence('not_authenticated', { service: 'platform', why: 'key_unknown' }),
  );
  expect(await findings()).toEqual([]);
  await press(words.diagnostics.copy, diagnostics);
  await within(diagnostics).findByText(words.diagnostics.copied);
  const report = await navigator.clipboard.readText();
  expect(report).toContain('127.0.0.1:9');
  expect(report).not.toContain(apiKey);
  await press(words.close, diagnostics);
  expect(diagnostics).not.toBeInTheDocument();
});

it('keeps the tabs and wells of each open connection', async () => {
  const opened = await openConnected();
  const { press, demo, user, openDataset } = opened;
  const [first] = await waitForWells(8);
  if (!first) throw new Error('there is no well');
  await user.click(first);
  await openDataset('demo/wits');
  expect(selectedWells()).toHaveLength(1);
  await menuOf(opened, 'Test bed', w.leave);
  await fillLogin(opened, demo, demo.login.password);
  await press(w.connect);
  await screen.findByRole('button', { name: w.menu('North Ridge') });
  await waitForWells(8);
  expect(openTabs()).toHaveLength(0);
  await press(w.menu('North Ridge'));
  expect(screen.getAllByRole('menuitemradio').map(({ textContent }) => textContent)).toEqual([
    'Test bed',
    'North Ridge',
  ]);
  expect(await screen.findByRole('menuitemradio', { name: 'North Ridge' })).toBeChecked();
  await opened.takeItem('Test bed');
  await firstTab();
  expect(openTabs()).toHaveLength(1);
  expect(selectedWells()).toHaveLength(1);
  await menuOf(opened, 'Test bed', w.closeOne('Test bed'));
  await screen.findByRole('button', { name: w.menu('North Ridge') });
});

it('exports and imports connections, without credentials', async () => {
  const opened = await openConnected();
  const { press, demo, fill } = opened;
  const downloads = watchDownloads();
  await menuOf(opened, 'Test bed', w.leave);
  await press(words.start.exportAll);
  await expect.poll(() => downloads).toHaveLength(1);
  const text = (await downloads[0]?.content.text()) ?? '';
  expect(text).toContain('Test bed');
  expect(text).not.toContain(demo.apiKeys.write);
  const importFile = () => opened.pickFile(words.start.importFile, new File([text], 'connections.json'));
  await importFile();
  await screen.findByText(words.start.imported(0));
  await press(words.start.remove('Test bed'));
  await press(words.start.removeNow);
  await expect.poll(() => screen.queryByRole('button', { name: words.start.open('Test bed') })).toBeNull();
  await importFile();
  await press(words.start.open('Test bed'));
  expect(await findings()).toEqual([]);
  const form = await screen.findByRole('form', { name: words.authenticating.form('Test bed') });
  await fill(w.apiKey, demo.apiKeys.read, form);
  await press(words.authenticating.use);
  await waitForWells(8);
});

it('duplicates a connection with its key, and opens the copy’s form', async () => {
  const opened = await openConnected(undefined, { color: 'red', readOnly: true });
  const { press, fill } = opened;
  await menuOf(opened, 'Test bed', w.duplicate);
  await screen.findByRole('heading', { name: w.editing('Test bed (2)') });
  expect(await screen.findByLabelText(w.readOnlyBox)).toBeChecked();
  // Another window allows uploads meanwhile, which is no part of what this form changes.
  const { connections } = opened.application.client;
  const copy = (await connections.list({})).find(({ name }) => name === 'Test bed (2)');
  await connections.change({ connection: copy?.id ?? '', readOnly: false });
  await expect
    .poll(() => screen.findByRole('button', { name: words.start.open('Test bed (2)') }))
    .not.toHaveTextContent(w.readOnly);
  await fill(w.name, 'South Ridge');
  await press(w.save);
  const saved = async () => (await connections.list({})).find(({ id }) => id === copy?.id);
  await expect.poll(saved).toMatchObject({ name: 'South Ridge', readOnly: false });
  // The most recently opened connection comes first, however old it is.
  const names = () =>
    within(screen.getByRole('list'))
      .getAllByRole('button', { name: new RegExp(`^${words.start.open('')}`) })
      .map((button) => button.getAttribute('aria-label'));
  await expect.poll(names).toEqual([words.start.open('Test bed'), words.start.open('South Ridge')]);
  await press(words.start.open('South Ridge'));
  await waitForWells(8);
  await menuOf(opened, 'South Ridge', w.leave);
  await expect.poll(names).toEqual([words.start.open('South Ridge'), words.start.open('Test bed')]);
});
