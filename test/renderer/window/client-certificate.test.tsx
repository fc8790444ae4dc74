import { createPrivateKey } from 'node:crypto';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { makeCertificates, makePkcs12 } from '../../support/certificates.ts';
import { useServers } from '../../support/servers.ts';
import { findings } from './support/findings.ts';
import { firstSentence } from './support/first-sentence.ts';
import { addressOf, openWindow, waitForWells, type TestWindow } from './support/open-window.tsx';

const servers = useServers();
const w = words.connection;
const passphrase = 'pass-of-the-key';
const pair = makeCertificates(['wells.example']);
const encryptedKey = createPrivateKey(pair.key)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
  .toString();
const passphraseField = () => screen.findByLabelText(w.passphrase);
const groupOf = (label: string) => screen.findByRole('group', { name: label });
/** The problem beside a file. */
const problemOf = async (label: string) => within(await groupOf(label)).findByRole('alert');

/** A gateway before a service, which requires a client certificate. */
async function gatewayOf(service: string): Promise<string> {
  const options = { ...pair, ca: [pair.ca], requestCert: true, rejectUnauthorized: true };
  const server = createServer(options, (incoming, response) => {
    const { url = '/', method, headers } = incoming;
    const target = request(new URL(url, service), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(target);
  });
  const { port } = await servers.raw(server);
  return new URL(new URL(service).pathname, `https://127.0.0.1:${port}`).href;
}

/** A window with the form of a connection to services behind gateways. */
async function formFor() {
  const opened = await openWindow();
  const { demo, fill, user, pickFile } = opened;
  const dataUrl = await gatewayOf(demo.dataUrl);
  await fill(w.name, 'Test bed');
  await fill(w.dataUrl, dataUrl);
  await fill(w.platformUrl, await gatewayOf(demo.platformUrl));
  await fill(w.apiKey, addressOf(demo).apiKey);
  await user.click(await screen.findByText(w.advanced));
  await pickFile(w.ca.choose, new File([pair.ca], 'company.pem'));
  await screen.findByText('company.pem');
  return { ...opened, host: new URL(dataUrl).host };
}

/** Selects another client certificate, and waits until it is shown. */
async function replaceCertificate({ pickFile }: TestWindow, content: string, name: string): Promise<void> {
  await pickFile(w.clientCertificate.replace, new File([content], name));
  await within(await groupOf(w.clientCertificate.label)).findByText(name);
}

it('is shown to a gateway, and what is wrong with it is beside the field to correct', async () => {
  const opened = await formFor();
  const { press, pickFile, fill, host } = opened;
  await press(w.connect);
  const required = { reason: 'tls', certificate: 'CLIENT_CERTIFICATE_REQUIRED' } as const;
  await expect
    .poll(() => screen.findByRole('alert'))
    .toHaveTextContent(firstSentence('unreachable', { service: 'data', host, ...required }));
  // Only a certificate has a key and a passphrase.
  expect(screen.queryByRole('group', { name: w.clientKey.label })).toBeNull();
  expect(screen.queryByLabelText(w.passphrase)).toBeNull();

  await pickFile(w.clientCertificate.choose, new File([pair.cert], 'me.pem'));
  await groupOf(w.clientKey.label);
  await press(w.test);
  await problemOf(w.clientKey.label);
  await expect.poll(() => screen.getByRole('button', { name: w.clientKey.choose })).toHaveFocus();
  expect(await findings()).toEqual([]);
  const other = makeCertificates(['other.example']);
  await pickFile(w.clientKey.choose, new File([other.key], 'other.key'));
  await within(await groupOf(w.clientKey.label)).findByText('other.key');
  await press(w.connect);
  await problemOf(w.clientKey.label);
  await pickFile(w.clientKey.replace, new File([encryptedKey], 'me.key'));
  await within(await groupOf(w.clientKey.label)).findByText('me.key');
  await press(w.connect);
  await expect.poll(passphraseField).toBeInvalid();
  await waitFor(async () => expect(await passphraseField()).toHaveFocus());
  expect(await passphraseField()).toHaveAttribute('type', 'password');
  await fill(w.passphrase, 'another');
  await press(w.connect);
  await expect.poll(passphraseField).toBeInvalid();
  expect(await findings()).toEqual([]);

  const old = makeCertificates(['old.example'], { until: 2021 });
  await replaceCertificate(opened, `${old.cert}${old.key}`, 'old.pem');
  await press(w.connect);
  await problemOf(w.clientCertificate.label);
  expect(
    await screen.findByRole('button', { name: w.clientCertificate.replace }),
  ).toHaveAccessibleDescription((await problemOf(w.clientCertificate.label)).textContent);
  await replaceCertificate(opened, `${pair.cert}${encryptedKey}`, 'both.pem');
  await fill(w.passphrase, passphrase);
  await press(w.connect);
  await waitForWells(8);
});

it('of a saved connection is named without its passphrase, in diagnostics too, and is replaced and removed', async () => {
  const opened = await formFor();
  const { press, pick, pickFile, fill, host, application } = opened;
  const edit = async () => {
    await pick(w.menu('Test bed'), w.edit);
    await groupOf(w.clientCertificate.label);
  };
  await pickFile(
    w.clientCertificate.choose,
    new File([Uint8Array.from(makePkcs12(pair, passphrase)).buffer], 'me.p12'),
  );
  await fill(w.passphrase, passphrase);
  // PKCS#12 has the key.
  expect(screen.queryByRole('group', { name: w.clientKey.label })).toBeNull();
  await press(w.connect);
  await waitForWells(8);

  await pick(w.menu('Test bed'), w.diagnose);
  const diagnostics = await screen.findByRole('region', { name: words.diagnostics.heading('Test bed') });
  await within(diagnostics).findByText(words.diagnostics.good);
  const step = within(diagnostics)
    .getAllByRole('listitem')
    .find(({ textContent }) => textContent.startsWith(`${words.diagnostics.steps.tls} ${host}`));
  expect(step).toHaveTextContent('me.p12');

  await edit();
  await within(await groupOf(w.clientCertificate.label)).findByText('me.p12');
  expect(await passphraseField()).toHaveValue('');
  expect(await passphraseField()).toHaveAccessibleDescription(w.passphraseKept);
  expect(await findings()).toEqual([]);
  expect(JSON.stringify(await application.client.connections.list({}))).not.toContain(passphrase);
  await replaceCertificate(opened, `${pair.cert}${pair.key}`, 'new.pem');
  await press(w.save);
  await press(words.start.open('Test bed'));
  await waitForWells(8);
  await edit();
  await press(w.clientCertificate.remove);
  expect(screen.queryByLabelText(w.passphrase)).toBeNull();
  await press(w.save);
  await expect
    .poll(async () => (await application.client.connections.list({}))[0]?.clientCertificate)
    .toBeUndefined();
});
