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
  it('makes a connection of what was typed', () => {
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
  ])('gives an address without a scheme one: %s', (dataUrl, whole_) => {
    expect(parseDraft({ ...whole, dataUrl })).toMatchObject({ value: { dataUrl: whole_ } });
  });

  it('takes a proxy with a user and a password, each wrong part bound to its field', () => {
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

  it('says of each empty field what belongs there', () => {
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
  ] as const)('binds what is wrong with %s to it: %s', (field, text, message) => {
    expect(problems({ [field]: text })).toEqual({ [field]: expect.stringMatching(message) });
  });

  it('lets an address on this machine be without https', () => {
    expect(problems({ dataUrl: 'http://127.0.0.1:4000' })).toEqual({});
  });
});

describe('a draft that signs in', () => {
  it('holds email and password, and no key that was typed before', () => {
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

describe('the change of a connection', () => {
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

  it('leaves the secret and the certificates where nothing is said of them', () => {
    const made = change({ name: 'North' });
    expect(made.ok && made.value).toEqual({
      connection: 'north',
      name: 'North',
      color: 'amber',
      dataUrl: 'https://data.example.com',
      platformUrl: 'https://api.example.com',
      readOnly: true,
    });
  });

  it('takes certificates out, or others in', () => {
    const file = { token: 'a'.repeat(32), name: 'ca.pem', bytes: 1 };
    expect(change({ ca: { kind: 'none' } })).toMatchObject({ value: { caFile: null } });
    expect(change({ ca: { kind: 'file', file } })).toMatchObject({ value: { caFile: file.token } });
  });

  it('asks for the secret where it has to be another one', () => {
    expect(change({ method: 'api_key' })).toEqual({ ok: false, problems: { apiKey: { message: 'needed' } } });
    expect(change({ email: 'you@company.example' })).toMatchObject({
      ok: false,
      problems: { password: { message: 'needed' } },
    });
    expect(change({ method: 'api_key', apiKey: 'k' })).toMatchObject({
      value: { credential: { method: 'api_key', apiKey: 'k' } },
    });
  });

  it('binds what main says of the secret as a whole to the field that is shown', () => {
    expect(draftField('credential', 'login')).toBe('password');
    expect(draftField('change.credential', 'api_key')).toBe('apiKey');
    expect(draftField('draft.credential.email')).toBe('email');
    expect(draftField('nothing')).toBeUndefined();
  });
});
