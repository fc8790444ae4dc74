import { describe, expect, it } from 'vitest';
import { apiKeyCredential, replaceable } from '../../../../../src/main/core/wire/services/credentials.ts';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';

const servers = useServers();
const open = useServices();
const keyOf = (key: string) => apiKeyCredential({ read: async () => key, wasAccepted: false });

describe('replaced credentials', () => {
  it('are sent with the next request, and a request in flight is repeated with them', async () => {
    const credential = replaceable(keyOf('old'));
    const server = await servers.http(({ headers }, response) => {
      if (headers.authorization === 'API new') return [];
      // They are replaced while the request with the old ones is in flight.
      credential.replace(keyOf('new'));
      response.statusCode = 401;
      return { message: 'unknown key old' };
    });
    const { data } = open(server.url, { credential: () => credential });
    await expect(data.datasets({})).resolves.toEqual([]);
    await data.datasets({});
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'API old',
      'API new',
      'API new',
    ]);
    expect(credential.secrets()).toEqual(['old', 'new']);
  });

  it('don’t count as accepted because the old ones were', async () => {
    const accepted: string[] = [];
    const noting = (key: string) =>
      apiKeyCredential({
        read: async () => key,
        wasAccepted: false,
        onAccepted: () => accepted.push(key),
      });
    const credential = replaceable(noting('old'));
    const old = await credential.header();
    credential.replace(noting('new'));
    credential.onAccepted(old);
    expect(accepted).toEqual([]);
    credential.onAccepted(await credential.header());
    expect(accepted).toEqual(['new']);
  });

  it('resume waiting requests, and release canceled ones', async () => {
    const credential = replaceable(keyOf('old'));
    const cancel = new AbortController();
    await expect(credential.waitForReplacement()).resolves.toBe(false);
    credential.onRefused(await credential.header());
    const cancelled = credential.waitForReplacement(cancel.signal);
    const waiting = credential.waitForReplacement();
    cancel.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    await expect(credential.waitForReplacement(cancel.signal)).rejects.toMatchObject({ code: 'cancelled' });
    credential.replace(keyOf('new'));
    await expect(waiting).resolves.toBe(true);
    await expect(credential.header()).resolves.toBe('API new');
  });

  it('resume waiting requests when a service accepts them after all', async () => {
    const credential = replaceable(keyOf('right'));
    const header = await credential.header();
    credential.onRefused(header);
    const waiting = credential.waitForReplacement();
    credential.onAccepted(header);
    await expect(waiting).resolves.toBe(false);
  });

  it('are reported as refused if they were renewed and refused again, by a read and by an insert', async () => {
    const reports: unknown[] = [];
    let tokens = 0;
    const renewing = {
      header: async () => `Bearer ${tokens}`,
      onRefused: () => (tokens += 1) > 0,
      refusalReason: () => 'login_needed' as const,
      secrets: () => [],
    };
    const server = await servers.http(({ url }, response) => {
      if (url.pathname.startsWith('/v2')) return { data: [] };
      response.statusCode = 401;
      return {};
    });
    const credential = replaceable(renewing, (reason) => reports.push(reason));
    const { data, platform } = open(server.url, { credential: () => credential });
    const rejected = { code: 'not_authenticated' };
    await expect(data.datasets({})).rejects.toMatchObject(rejected);
    expect(reports).toEqual(['login_needed']);
    await platform.pages('wells', {}).next();
    expect(reports).toEqual(['login_needed', null]);
    const insert = () => data.insert({ provider: 'demo', dataset: 'wits' }, Buffer.from('[{}]'), 1);
    expect((await insert()).kind).toBe('not_stored');
    expect(reports).toHaveLength(2);
    expect((await insert()).kind).toBe('not_stored');
    expect(reports).toEqual(['login_needed', null, 'login_needed']);
  });
});
