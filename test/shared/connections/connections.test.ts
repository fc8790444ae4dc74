import { describe, expect, it } from 'vitest';
import { connection, connectionDraft, serviceUrl } from '../../../src/shared/connections/connections.ts';

const messagesOf = (text: string): string[] =>
  serviceUrl.safeParse(text).error?.issues.map(({ message }) => message) ?? [];

describe('the address of a service', () => {
  it.each([
    ['https://data.example', 'https://data.example'],
    ['https://data.example/', 'https://data.example'],
    ['https://data.example:8443/base//', 'https://data.example:8443/base'],
    ['HTTPS://data.example', 'HTTPS://data.example'],
    ['https://data.example/a@b', 'https://data.example/a@b'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['http://localhost/', 'http://localhost'],
    ['data.example', 'https://data.example'],
    ['http://[::1]:4000/x', 'http://[::1]:4000/x'],
  ])('accepts %s', (text, address) => expect(serviceUrl.parse(text)).toBe(address));

  it.each([
    'http://data.example',
    'http://127.0.0.1.example',
    'http://localhost.example',
    'http://localhost@data.example',
    'http://10.0.0.1',
  ])('rejects %s: plain http is for this machine only', (text) => {
    expect(messagesOf(text)).toContain(
      'The address must begin with https:// (http is for this computer only).',
    );
  });

  it.each(['', 'ftp://data.example', 'https://', 'https://data.example:99999', 'javascript:alert(1)'])(
    'rejects %j as invalid',
    (text) => expect(messagesOf(text)).toContain('Enter an address that begins with https://.'),
  );

  it.each([
    'https://me@data.example',
    'https://me:secret@data.example/x',
    'https:///me:secret@data.example',
    'https://\\me:secret@data.example',
    'https://data.example?key=secret',
    'https://data.example/#secret',
  ])('rejects %s, which may contain credentials', (text) => {
    expect(messagesOf(text)).toContain(
      'Remove the user name, password, query, or fragment from the address.',
    );
  });
});

describe('a connection', () => {
  const draft = {
    name: ' Field ',
    dataUrl: 'https://data.example/',
    platformUrl: 'https://platform.example',
    credential: { method: 'api_key', apiKey: 'secret' },
  };

  it('is blue and writable by default', () => {
    expect(connectionDraft.parse(draft)).toMatchObject({ name: 'Field', color: 'blue', readOnly: false });
  });

  it.each([
    ['no name', { ...draft, name: '  ' }],
    ['no key', { ...draft, credential: { method: 'api_key', apiKey: '' } }],
    ['another authentication', { ...draft, credential: { method: 'magic' } }],
  ])('is rejected with %s', (_what, given) => expect(connectionDraft.safeParse(given).success).toBe(false));

  it('contains no credentials in the window', () => {
    const crossing = connection.parse({
      ...draft,
      id: 'c1',
      color: 'blue',
      method: 'api_key',
      secret: 'session',
      readOnly: false,
      sample: false,
    });
    expect(JSON.stringify(crossing)).not.toContain('apiKey');
  });
});
