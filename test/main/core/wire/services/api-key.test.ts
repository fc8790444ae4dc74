import { describe, expect, it } from 'vitest';
import { parseApiKey, apiKeyCredential } from '../../../../../src/main/core/wire/services/credentials.ts';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';

describe('a pasted API key', () => {
  it.each([
    'abc-123',
    ' abc-123\n',
    'API abc-123',
    'api  abc-123',
    'Authorization: API abc-123',
    '"abc-123"',
  ])('is accepted: %j', (pasted) => {
    expect(parseApiKey(pasted)).toBe('abc-123');
  });

  it.each(['', '  ', 'API ', 'two words', 'line\nbreak', 'schlüssel', 'nul\u0000', 'Bearer abc'])(
    'is rejected without being shown: %j',
    (pasted) => {
      let message = '';
      try {
        parseApiKey(pasted, 'WELLBENCH_API_KEY');
      } catch (error) {
        message = String(error);
      }
      expect(message).toMatch(/WELLBENCH_API_KEY/);
      for (const word of pasted.split(/\s/).filter((part) => /^(two|words|line|schl|nul|abc)/.test(part))) {
        if (word !== 'line') expect(message).not.toContain(word);
      }
    },
  );
});

const servers = useServers();
const open = useServices();
const key = 'abc-123';

describe('an API key', () => {
  it('is the whole authorization, and is not sent again when it is rejected', async () => {
    const credential = apiKeyCredential({ read: async () => key, wasAccepted: false });
    await expect(credential.header()).resolves.toBe('API abc-123');
    expect(credential.onRefused('API abc-123')).toBe(false);
    expect(credential.secrets()).toEqual([key]);
  });

  it('is read once, at the first request; an unreadable keychain is read again', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      if (reads === 1) throw new Error('locked');
      return key;
    };
    const credential = apiKeyCredential({ read, wasAccepted: false });
    expect(reads).toBe(0);
    await expect(credential.header()).rejects.toThrow('locked');
    await Promise.all([credential.header(), credential.header()]);
    expect(reads).toBe(2);
  });

  it('that doesn’t exist is requested from the user', async () => {
    const credential = apiKeyCredential({ read: async () => null, wasAccepted: true });
    await expect(credential.header()).rejects.toMatchObject({
      code: 'not_authenticated',
      details: { why: 'secret_missing' },
    });
  });
});

describe('a rejected key', () => {
  const refusing = (said: string) =>
    servers.http((_request, response) => {
      response.statusCode = 401;
      return { message: said };
    });

  it.each([
    ['no', false, 'key_unknown'],
    ['no', true, 'key_ended'],
    ['The API key has expired', false, 'key_expired'],
    ['expired', true, 'key_expired'],
    ['Invalid or expired API key', false, 'key_unknown'],
    ['Invalid or expired API key', true, 'key_ended'],
  ] as const)('with “%s”, accepted before: %s, is reported as %s', async (said, wasAccepted, why) => {
    const { url } = await refusing(said);
    const { data } = open(url, {
      credential: () => apiKeyCredential({ read: async () => key, wasAccepted }),
    });
    await expect(data.datasets({})).rejects.toMatchObject({ code: 'not_authenticated', details: { why } });
  });

  it('that only got web pages of a captive portal was not accepted', async () => {
    let isPortal = true;
    const { url } = await servers.http((_request, response) => {
      if (isPortal) {
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><title>Sign in to the network</title>');
        return undefined;
      }
      response.statusCode = 401;
      return { message: 'no' };
    });
    let noticeCount = 0;
    const { data } = open(url, {
      credential: () =>
        apiKeyCredential({ read: async () => key, wasAccepted: false, onAccepted: () => (noticeCount += 1) }),
    });
    await expect(data.datasets({})).rejects.toMatchObject({ code: 'bad_answer' });
    isPortal = false;
    await expect(data.datasets({})).rejects.toMatchObject({ details: { why: 'key_unknown' } });
    expect(noticeCount).toBe(0);
  });

  it('that was accepted before has expired, even if that was not recorded', async () => {
    let right = true;
    const { url } = await servers.http((_request, response) => {
      if (!right) response.statusCode = 401;
      return [];
    });
    let noticeCount = 0;
    const { data } = open(url, {
      credential: () =>
        apiKeyCredential({ read: async () => key, wasAccepted: false, onAccepted: () => (noticeCount += 1) }),
    });
    await data.datasets({});
    await data.datasets({});
    right = false;
    await expect(data.datasets({})).rejects.toMatchObject({ details: { why: 'key_ended' } });
    expect(noticeCount).toBe(1);
  });
});
