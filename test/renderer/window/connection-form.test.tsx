import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import {
  parseDraft,
  emptyDraft,
  type DraftField,
  type DraftInputs,
} from '../../../src/renderer/features/connections/draft.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { findings } from './support/findings.ts';
import { addressOf, openWindow, waitForWells, type TestWindow } from './support/open-window.tsx';
import { firstSentence } from './support/first-sentence.ts';

const w = words.connection;
const field = (label: string) => screen.findByLabelText(label, { selector: 'input:not([type=radio])' });

/** The description of a field in a draft. */
function problemAt(name: DraftField, inputs: Partial<DraftInputs> = {}): string {
  const made = parseDraft({ ...emptyDraft, ...inputs });
  const message = made.ok ? undefined : made.problems[name]?.message;
  if (message === undefined) throw new Error(`nothing is wrong with ${name}`);
  return message;
}

async function fillForm(window: TestWindow, more: Partial<ReturnType<typeof addressOf>> = {}) {
  const { dataUrl, platformUrl, apiKey } = { ...addressOf(window.demo), ...more };
  await window.fill(w.name, 'Test bed');
  await window.fill(w.dataUrl, dataUrl);
  await window.fill(w.platformUrl, platformUrl);
  await window.fill(w.apiKey, apiKey);
}

/** The expanded steps: passed ones are collapsed. */
const causesIn = (diagnostics: HTMLElement) =>
  within(diagnostics)
    .getAllByRole('listitem')
    .filter((step) => step.closest('details:not([open])') === null);

/** An address on this machine without a server. */
async function deadAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return `127.0.0.1:${port}`;
}

it('keeps what is typed while a file of certificates is copied', async () => {
  const { fill, user } = await openWindow();
  const copied = Promise.withResolvers<unknown>();
  Object.assign(window, { wellbench: { offerFile: () => copied.promise } });
  await field(w.name);
  const picker = document.querySelector<HTMLInputElement>('.connection-file input[type=file]');
  if (!picker) throw new Error('there is no picker of files');
  await user.upload(picker, new File(['x'], 'company.pem'));
  await fill(w.name, 'North');
  await fill(w.dataUrl, 'https://data.example.com');
  copied.resolve({ ok: true, value: { token: 't'.repeat(20), name: 'company.pem', bytes: 1 } });
  await screen.findByText('company.pem');
  expect(await field(w.name)).toHaveValue('North');
  expect(await field(w.dataUrl)).toHaveValue('https://data.example.com');
});

it('describes what each field of the connection needs, until the user types into it', async () => {
  const { press, fill } = await openWindow();
  await press(w.connect);
  await expect.poll(() => field(w.name)).toHaveAccessibleDescription(problemAt('name'));
  // The focus moves to the first field to correct.
  expect(await field(w.name)).toHaveFocus();
  expect(await field(w.dataUrl)).toHaveAccessibleDescription(problemAt('dataUrl'));
  expect(await field(w.apiKey)).toHaveAccessibleDescription(expect.stringContaining(problemAt('apiKey')));
  expect(await findings()).toEqual([]);
  expect(await fill(w.name, 'North Ridge')).not.toBeInvalid();
  expect(await field(w.name)).toHaveFocus();
  const dataUrl = 'http://data.example.com';
  await fill(w.dataUrl, dataUrl);
  await press(w.connect);
  await expect.poll(() => field(w.dataUrl)).toHaveAccessibleDescription(problemAt('dataUrl', { dataUrl }));
});

it('adds the scheme to an address, and splits a proxy into its fields', async () => {
  const { press, fill, user } = await openWindow();
  await user.click(await screen.findByText(w.advanced));
  const proxyAddress = 'me:secret@proxy.example.com:8080';
  await fill(w.proxyAddress, proxyAddress);
  await field(w.proxyUser);
  await fill(w.proxyPassword, 'p w');
  await fill(w.dataUrl, 'data.example.com');
  await press(w.connect);
  await expect
    .poll(() => field(w.proxyAddress))
    .toHaveAccessibleDescription(expect.stringContaining(problemAt('proxyAddress', { proxyAddress })));
  expect(await field(w.dataUrl)).toBeValid();
  expect(await field(w.platformUrl)).toBeInvalid();
  expect(await findings()).toEqual([]);
  // The section stays open while its last value is cleared.
  const section = (await field(w.proxyAddress)).closest('details');
  expect(await fill(w.proxyAddress, '')).toHaveFocus();
  expect(section).toHaveProperty('open', true);
});

it('stores nothing with a wrong key, a rejected address, or swapped addresses, unless the user insists', async () => {
  const opened = await openWindow();
  const { press, demo, reload } = opened;
  const failure = () => screen.findByRole('alert');
  const wrongKey = firstSentence('not_authenticated', { service: 'data', why: 'key_unknown' });
  const host = await deadAddress();
  const right = addressOf(demo);

  await fillForm(opened, { apiKey: 'no-such-key' });
  await press(w.test);
  const check = await screen.findByText(new RegExp(`^${w.dataService}: ${w.fails}`));
  expect(check).toHaveTextContent(wrongKey);
  await press(w.connect);
  await expect.poll(failure).toHaveTextContent(`${w.notSaved} ${wrongKey}`);
  expect((await failure()).parentElement).toHaveFocus();
  expect(await findings()).toEqual([]);

  await fillForm(opened, { dataUrl: `http://${host}` });
  await press(w.connect);
  await expect
    .poll(failure)
    .toHaveTextContent(
      `${w.notSaved} ${firstSentence('unreachable', { service: 'data', host, reason: 'refused' })}`,
    );

  await fillForm(opened, { dataUrl: right.platformUrl, platformUrl: right.dataUrl });
  await press(w.connect);
  await expect.poll(failure).toHaveTextContent(`${w.notSaved} ${firstSentence('addresses_swapped', {})}`);
  await press(w.why);
  const diagnostics = await screen.findByRole('region', { name: words.diagnostics.heading('Test bed') });
  await within(diagnostics).findByText(words.diagnostics.bad(1));
  expect(causesIn(diagnostics)).toHaveLength(1);
  expect(await findings()).toEqual([]);
  await press(w.swap);
  await expect.poll(() => field(w.dataUrl)).toHaveValue(right.dataUrl);

  await reload();
  await screen.findByText(words.start.none);
  await screen.findByRole('button', { name: w.connect });

  await fillForm(opened, { apiKey: 'no-such-key' });
  await press(w.connect);
  await press(w.saveAnyway);
  const notices = await screen.findByRole('complementary', { name: w.menu('Test bed') });
  expect(notices).toHaveTextContent(words.authenticating.refused.key_unknown('Test bed'));
  // The key is never shown.
  expect(document.body).not.toHaveTextContent('no-such-key');

  await press(w.why);
  const causes = await screen.findByRole('region', { name: words.diagnostics.heading('Test bed') });
  await expect.poll(() => causesIn(causes)[0]).toHaveTextContent(wrongKey);
  await press(words.authenticating.giveKey);
  await opened.fill(w.apiKey, right.apiKey);
  await press(words.authenticating.use);
  // With a working key there are no messages left.
  await expect.poll(() => screen.queryByRole('complementary', { name: w.menu('Test bed') })).toBeNull();
});

it('opens a connection that the user tested, and keeps it after a reload', async () => {
  const opened = await openWindow();
  const { press, pick, reload } = opened;
  await fillForm(opened);
  expect(await field(w.apiKey)).toHaveAttribute('type', 'password');
  await screen.findByText(w.noKeychain, { exact: false });
  await press(w.test);
  for (const service of [w.dataService, w.platformService])
    await screen.findByText(new RegExp(`^${service}: ${w.works}`));
  await press(w.connect);
  await waitForWells(8);
  await reload();
  await waitForWells(8);
  await pick(w.menu('Test bed'), w.leave);
  await press(words.start.open('Test bed'));
  await waitForWells(8);
});
