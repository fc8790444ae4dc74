import { describe, expect, it } from 'vitest';
import {
  parseChange,
  draftField,
  parseDraft,
  emptyDraft,
  connectionInputs,
  type DraftInputs,
} from '../../../../src/renderer/features/connections/draft.ts';
import { connection } from '../../../../src/shared/connections/connections.ts';

const whole: DraftInputs = {
  ...emptyDraft,
  name: 'North Ridge',
  dataUrl: ' https://data.example.com/ ',
  platformUrl: 'https://api.example.com',
  apiKey: 'k',
};
const problems = (change: Partial<DraftInputs>) => {
  const made = parseDraft({ ...whole, ...change });
  return made.ok
    ? {}
    : Object.fromEntries(Object.entries(made.problems).map(([field, { message }]) => [field, message]));
};

describe('draftFrom', () => {
  it('makes a connection of the typed values', () => {
    expect(parseDraft(whole)).toMatchObject({
      ok: true,
      value: {
        name: 'North Ridge',
        dataUrl: 'https://data.example.com',
        platformUrl: 'https://api.example.com',
        credential: { method: 'api_key', apiKey: 'k' },
      },
    });
  });

  it.each([
    ['data.example.com', 'https://data.example.com'],
    [' data.example.com:8443/v1/ ', 'https://data.example.com:8443/v1'],
    ['127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['localhost:4000', 'http://localhost:4000'],
  ])('adds a scheme to an address: %s', (dataUrl, whole_) => {
    expect(parseDraft({ ...whole, dataUrl })).toMatchObject({ value: { dataUrl: whole_ } });
  });

  it('splits a proxy into address, user, and password, and reports errors at the field', () => {
    const proxy = { proxyAddress: 'proxy.corp:8080', proxyUser: ' me ', proxyPassword: 'p w' };
    expect(parseDraft({ ...whole, ...proxy })).toMatchObject({
      value: { proxy: { address: 'http://proxy.corp:8080', user: 'me', password: 'p w' } },
    });
    expect(problems({ ...proxy, proxyAddress: 'me:secret@proxy.corp:8080' })).toEqual({
      proxyAddress: expect.stringMatching(/their own fields/),
    });
    expect(problems({ ...proxy, proxyUser: ' ' })).toEqual({ proxyUser: expect.stringMatching(/user/) });
    expect(problems({ ...proxy, proxyAddress: 'socks5://proxy' })).toHaveProperty('proxyAddress');
  });

  it('describes what each empty field needs', () => {
    const made = parseDraft(emptyDraft);
    expect(made.ok ? [] : Object.keys(made.problems).sort()).toEqual([
      'apiKey',
      'dataUrl',
      'name',
      'platformUrl',
    ]);
  });

  it.each([
    ['dataUrl', 'https//data.example.com', /https/],
    ['dataUrl', 'not an address', /https/],
    ['dataUrl', 'http://data.example.com', /https/],
    ['platformUrl', 'https://me:secret@api.example.com', /Remove the user name/],
    ['platformUrl', 'https://api.example.com?key=1', /Remove the user name/],
    ['name', '   ', /name/],
  ] as const)('reports errors of %s at the field: %s', (field, text, message) => {
    expect(problems({ [field]: text })).toEqual({ [field]: expect.stringMatching(message) });
  });

  it('accepts an address on this machine without https', () => {
    expect(problems({ dataUrl: 'http://127.0.0.1:4000' })).toEqual({});
  });
});

describe('a draft with a sign-in', () => {
  it('has email and password, and no key from before', () => {
    const login = { ...whole, method: 'login', email: ' me@company.example ', password: ' p ' } as const;
    const made = parseDraft(login);
    expect(made.ok && made.value.credential).toEqual({
      method: 'login',
      email: 'me@company.example',
      password: ' p ',
    });
    expect(problems({ method: 'login' })).toEqual({
      email: 'Enter the email address.',
      password: 'Enter the password.',
    });
  });
});

describe('a change of a connection', () => {
  const saved = connection.parse({
    id: 'north',
    name: 'North Ridge',
    color: 'amber',
    dataUrl: 'https://data.example.com',
    platformUrl: 'https://api.example.com',
    method: 'login',
    email: 'me@company.example',
    secret: 'keychain',
    readOnly: true,
    sample: false,
    authorities: [{ name: 'Company CA', ends: '2030-01-01T00:00:00Z' }],
  });
  const change = (typed: Partial<DraftInputs>) =>
    parseChange(saved, { ...connectionInputs(saved), ...typed }, 'needed');

  it('has what differs from the connection as the form showed it first, and nothing else', () => {
    expect(change({})).toEqual({ ok: true, value: { connection: 'north' } });
    expect(change({ name: 'North', dataUrl: ' https://data.example.com' })).toEqual({
      ok: true,
      value: { connection: 'north', name: 'North' },
    });
    const proxy = { address: 'http://proxy.corp:8080', user: 'me' };
    const ofProxy = (typed: Partial<DraftInputs>) =>
      parseChange({ ...saved, proxy }, { ...connectionInputs({ ...saved, proxy }), ...typed }, 'needed');
    expect(ofProxy({ color: 'red' })).toEqual({ ok: true, value: { connection: 'north', color: 'red' } });
    expect(ofProxy({ proxyPassword: 'p' })).toHaveProperty('value.proxy', { ...proxy, password: 'p' });
    expect(ofProxy({ proxyAddress: ' ' })).toHaveProperty('value.proxy', null);
  });

  it('removes or replaces certificates', () => {
    const file = { token: 'a'.repeat(32), name: 'ca.pem', bytes: 1 };
    expect(change({ caFile: { kind: 'none' } })).toMatchObject({ value: { caFile: null } });
    expect(change({ caFile: { kind: 'file', file } })).toMatchObject({ value: { caFile: file.token } });
  });

  it('has what differs of a client certificate only', () => {
    const withCertificate = { ...saved, clientCertificate: 'me.pem', clientKey: 'me.key' };
    const changeOf = (typed: Partial<DraftInputs>) =>
      parseChange(withCertificate, { ...connectionInputs(withCertificate), ...typed }, 'needed');
    const selected = { kind: 'file', file: { token: 'a'.repeat(32), name: 'you.pem', bytes: 1 } } as const;
    const { token } = selected.file;
    expect(changeOf({})).not.toHaveProperty('value.clientCertificate');
    expect(changeOf({ passphrase: ' p ' })).toHaveProperty('value.clientCertificate', { passphrase: ' p ' });
    expect(changeOf({ clientKey: selected })).toHaveProperty('value.clientCertificate', { keyFile: token });
    expect(changeOf({ clientCertificate: selected, clientKey: { kind: 'none' } })).toHaveProperty(
      'value.clientCertificate',
      { file: token },
    );
    expect(changeOf({ clientCertificate: { kind: 'none' } })).toHaveProperty('value.clientCertificate', null);
    expect(change({ clientCertificate: { kind: 'none' } })).not.toHaveProperty('value.clientCertificate');
    expect(draftField('change.clientCertificate.keyFile')).toBe('clientKey');
  });

  it('requires credentials when the stored ones don’t apply', () => {
    expect(change({ method: 'api_key' })).toEqual({ ok: false, problems: { apiKey: { message: 'needed' } } });
    expect(change({ email: 'you@company.example' })).toMatchObject({
      ok: false,
      problems: { password: { message: 'needed' } },
    });
    expect(change({ method: 'api_key', apiKey: 'k' })).toMatchObject({
      value: { credential: { method: 'api_key', apiKey: 'k' } },
    });
  });

  it('shows an error about the credentials at the visible field', () => {
    expect(draftField('credential', 'login')).toBe('password');
    expect(draftField('change.credential', 'api_key')).toBe('apiKey');
    expect(draftField('draft.credential.email')).toBe('email');
    expect(draftField('nothing')).toBeUndefined();
  });
});
