import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import type { RetryNotice } from '../../../../../src/shared/workspace/workspace.ts';
import { openHttp, type Http } from '../../../../../src/main/core/wire/http/http.ts';
import { openNetwork } from '../../../../../src/main/core/wire/http/network.ts';
import { SignInCredential } from '../../../../../src/main/core/wire/services/token.ts';
import {
  memoryTokens,
  type Tokens,
  type TokenStore,
} from '../../../../../src/main/core/wire/services/tokens.ts';
import { testClock, type TestClock } from '../../../../support/clock.ts';
import { useServers, type RequestHandler, type ReceivedRequest } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';

const servers = useServers();
const open = useServices();
const password = 'correct horse battery';
const login = { method: 'login', email: 'me@company.example', password } as const;
const week = 7 * 24 * 3600;

const jwtOf = (name: string, claims: object) =>
  ['e30', Buffer.from(JSON.stringify({ name, ...claims })).toString('base64url'), 'signature'].join('.');

interface TokenServiceOptions {
  readonly clock: TestClock;
  readonly lifetime?: number;
  /** How far the service's clock is ahead of ours, in seconds. */
  readonly skew?: number;
  /** Called before the service handles a token request, counted from 1; true: it has responded. */
  readonly before?: (nth: number, ...seen: Parameters<RequestHandler>) => boolean;
}

/** Both services, with rotating tokens: each refresh token is valid once. */
async function tokenService({ clock, lifetime = week, skew = 0, before }: TokenServiceOptions) {
  const state = { good: '', refresh: '', issued: 0, refused: 0 };
  const auths: Record<string, string>[] = [];
  const isGood = (seen: ReceivedRequest) => seen.headers.authorization === `Bearer ${state.good}`;
  const server = await servers.http((...all) => {
    const [seen, response] = all;
    if (seen.url.pathname !== '/v1/user_token') {
      if (isGood(seen)) return [];
      state.refused += 1;
      response.statusCode = 401;
      return { message: 'expired' };
    }
    const { auth } = JSON.parse(seen.body) as { auth: Record<string, string> };
    auths.push(auth);
    if (before?.(auths.length, ...all)) return undefined;
    const right =
      'refresh_token' in auth ? auth['refresh_token'] === state.refresh : auth['password'] === password;
    if (!right) {
      response.statusCode = 401;
      return { errors: { login: [`is wrong for ${auth['password'] ?? auth['refresh_token']}`] } };
    }
    state.issued += 1;
    const iat = Math.floor(clock.now() / 1000) + skew;
    state.good = jwtOf(`t${state.issued}`, { iat, exp: iat + lifetime });
    state.refresh = `refresh-secret-${state.issued}`;
    return { jwt: state.good, auth_key: state.good, refresh_token: state.refresh, user_id: 1 };
  });
  return { url: server.url, auths, state };
}

const read = (services: ReturnType<typeof open>) => services.platform.pages('wells', {}).next();

describe('a sign-in', () => {
  it('happens once, with the first request, however many run', async () => {
    const clock = testClock({ frozen: true });
    const service = await tokenService({ clock });
    const services = open(service.url, { credential: login, clock });
    expect(service.auths).toEqual([]);
    await Promise.all(Array.from({ length: 50 }, () => services.data.datasets({})));
    expect(service.auths).toEqual([{ email: login.email, password }]);
    expect(service.state.refused).toBe(0);
  });

  it('with a wrong password is rejected, and the password is not sent again', async () => {
    const clock = testClock({ frozen: true });
    const service = await tokenService({ clock });
    const services = open(service.url, { credential: { ...login, password: 'wrong secret' }, clock });
    for (let n = 0; n < 3; n += 1) {
      const error: unknown = await read(services).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'not_authenticated', details: { said: 'login is wrong for •••' } });
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('wrong secret');
    }
    expect(service.auths).toHaveLength(1);
  });

  it('is retried when the platform is busy or the connection is cut', async () => {
    const clock = testClock({ frozen: true });
    const before = (nth: number, ...[, response, socket]: Parameters<RequestHandler>) => {
      if (nth === 1) response.writeHead(503).end();
      if (nth === 2) socket.destroy();
      return nth < 3;
    };
    const service = await tokenService({ clock, before });
    const notices: RetryNotice[] = [];
    const onRetry = (notice: RetryNotice) => void notices.push(notice);
    await read(open(service.url, { credential: login, clock, onRetry }));
    expect(service.auths).toHaveLength(3);
    expect(notices.map((notice) => notice.service)).toEqual(['platform', 'platform']);
  });

  it('reports a response without a token', async () => {
    const server = await servers.http(() => ({ user_id: 1 }));
    const services = open(server.url, { credential: login });
    await expect(read(services)).rejects.toMatchObject({
      code: 'bad_answer',
      details: { service: 'platform' },
    });
  });

  it('that fails after its only caller was canceled causes no error', async () => {
    const { url } = await servers.nobody();
    const services = open(url, { credential: login });
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', onUnhandled);
    await expect(services.data.datasets({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    const http = openHttp({
      service: 'platform',
      baseUrl: url,
      network: openNetwork({ env: {}, tls: false }),
      credential: null,
    });
    const credential = new SignInCredential({ http, login: null });
    await expect(credential.header(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
  });

  it('of one caller continues when another is canceled', async () => {
    const clock = testClock({ frozen: true });
    const cancel = new AbortController();
    const before = () => {
      cancel.abort();
      return false;
    };
    const service = await tokenService({ clock, before });
    const services = open(service.url, { credential: login, clock });
    const cancelled = services.data.datasets({}, { signal: cancel.signal });
    const other = services.data.datasets({});
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    await expect(other).resolves.toEqual([]);
    expect(service.auths).toHaveLength(1);
  });
});

describe('a refresh', () => {
  async function loggedIn(options: Omit<TokenServiceOptions, 'clock'> = {}, store?: TokenStore) {
    const clock = testClock({ frozen: true });
    const service = await tokenService({ clock, ...options });
    const services = open(service.url, { credential: login, clock, tokens: store });
    await read(services);
    return { clock, service, services };
  }

  it('happens before the expiry, by a margin that scales with the lifetime', async () => {
    for (const [lifetime, margin] of [
      [week, 300],
      [600, 60],
    ] as const) {
      const { clock, service, services } = await loggedIn({ lifetime });
      clock.pass((lifetime - margin - 1) * 1000);
      await read(services);
      expect(service.auths).toHaveLength(1);
      clock.pass(2000);
      await Promise.all([read(services), read(services)]);
      expect(service.auths.slice(1)).toEqual([{ refresh_token: 'refresh-secret-1' }]);
      expect(service.state.refused).toBe(0);
    }
  });

  it.each([-100_000, 100_000])('tolerates a clock that is %i seconds off', async (skew) => {
    const { clock, service, services } = await loggedIn({ skew, lifetime: 1000 });
    await read(services);
    expect(service.auths).toHaveLength(1);
    clock.pass(950_000);
    await read(services);
    expect(service.auths).toHaveLength(2);
  });

  it('happens once for 50 calls whose token was rejected', async () => {
    const { service, services } = await loggedIn();
    service.state.good = 'revoked';
    await Promise.all(Array.from({ length: 50 }, () => read(services)));
    expect(service.auths).toHaveLength(2);
    expect(service.state.issued).toBe(2);
  });

  it('stores the new pair before using it', async () => {
    const kept = memoryTokens();
    const order: string[] = [];
    const store: TokenStore = {
      ...kept,
      async write(tokens: Tokens | null) {
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`stored ${tokens?.refreshToken}`);
        await kept.write(tokens);
      },
    };
    const { service, services } = await loggedIn({}, store);
    service.state.good = 'revoked';
    await read(services);
    expect(order).toEqual(['stored refresh-secret-1', 'stored refresh-secret-2']);
  });

  it('is retried once when its response is lost', async () => {
    let cut = 1;
    const before = (nth: number, ...[, , socket]: Parameters<RequestHandler>) => {
      if (nth === 1 || cut === 0) return false;
      cut -= 1;
      socket.destroy();
      return true;
    };
    const { service, services } = await loggedIn({ before });
    service.state.good = 'revoked';
    await read(services);
    expect(service.auths).toHaveLength(3);
    cut = 9;
    service.state.good = 'revoked';
    await expect(read(services)).rejects.toMatchObject({ code: 'unreachable' });
    expect(service.auths).toHaveLength(5);
  });

  it('waits when the platform limits the rate', async () => {
    const before = (nth: number, ...[, response]: Parameters<RequestHandler>) => {
      if (nth === 1 || nth > 4) return false;
      response.writeHead(429, { 'retry-after': '2' }).end();
      return true;
    };
    const { clock, service, services } = await loggedIn({ before });
    service.state.good = 'revoked';
    await read(services);
    expect(service.auths).toHaveLength(5);
    expect(clock.waits).toEqual([2000, 2000, 2000]);
  });

  it('that is rejected ends the session: the token is sent once, and no request after it', async () => {
    const store = memoryTokens();
    const { service, services } = await loggedIn({}, store);
    service.state.good = 'revoked';
    service.state.refresh = 'revoked too';
    const errors = await Promise.all(
      Array.from({ length: 20 }, () => read(services).catch((error: unknown) => error)),
    );
    const later: unknown = await read(services).catch((error: unknown) => error);
    for (const error of [...errors, later]) {
      expect(error).toMatchObject({ code: 'not_authenticated' });
      expect(inspect(error, { depth: 9 })).not.toContain('refresh-secret');
    }
    expect(service.auths.slice(1)).toEqual([{ refresh_token: 'refresh-secret-1' }]);
    await expect(store.read()).resolves.toBeNull();
  });

  it.each([403, 404, 407])(
    'that a gateway answers by %i keeps the tokens for the next try',
    async (status) => {
      const store = memoryTokens();
      const before = (nth: number, ...[, response]: Parameters<RequestHandler>) => {
        if (nth !== 2) return false;
        response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Blocked</h1>');
        return true;
      };
      const { service, services } = await loggedIn({ before }, store);
      service.state.good = 'revoked';
      await expect(read(services)).rejects.not.toMatchObject({ code: 'not_authenticated' });
      await expect(store.read()).resolves.toMatchObject({ refreshToken: 'refresh-secret-1' });
      await read(services);
      expect(service.auths).toHaveLength(3);
    },
  );

  it('that fails before the expiry keeps the token in use, and is not retried for a while', async () => {
    const before = (nth: number, ...[, response]: Parameters<RequestHandler>) => {
      if (nth === 1) return false;
      response.writeHead(503).end();
      return true;
    };
    const { clock, service, services } = await loggedIn({ before });
    clock.pass((week - 100) * 1000);
    await read(services);
    await read(services);
    expect(service.auths).toHaveLength(3);
    clock.pass(31_000);
    await read(services);
    expect(service.auths).toHaveLength(5);
  });

  it('follows a rejected insert: the insert itself is not sent again', async () => {
    const { service, services } = await loggedIn();
    service.state.good = 'revoked';
    const outcome = await services.data.insert({ provider: 'p', dataset: 'd' }, Buffer.from('[{}]'), 1);
    expect(outcome).toMatchObject({ kind: 'not_stored', status: 401 });
    await read(services);
    expect(service.auths).toHaveLength(2);
    expect(service.state.refused).toBe(1);
  });
});

/** A store that several processes share, simulated in one process: `alone` is a lock between them. */
function sharedStore() {
  const kept = memoryTokens();
  let line: Promise<unknown> = Promise.resolve();
  const state = { reads: 0, writes: 0, unreadable: false };
  const store: TokenStore = {
    async read() {
      state.reads += 1;
      if (state.unreadable) throw new AppError('keychain_unavailable', { trouble: 'locked' });
      return kept.read();
    },
    async write(tokens) {
      state.writes += 1;
      await kept.write(tokens);
    },
    withLock<T>(work: () => Promise<T>): Promise<T> {
      const result = line.then(work);
      line = result.catch(() => undefined);
      return result;
    },
  };
  return { store, state };
}

describe('a token pair that several processes share', () => {
  async function two(options: Omit<TokenServiceOptions, 'clock'> = {}) {
    const clock = testClock({ frozen: true });
    const service = await tokenService({ clock, ...options });
    const { store, state } = sharedStore();
    const first = open(service.url, { credential: login, clock, tokens: store });
    await read(first);
    const ofStore = (http: Http) => new SignInCredential({ http, login: null, store, clock });
    const second = open(service.url, { credential: ofStore, clock });
    return { clock, service, store, state, first, second };
  }

  it('serves a process that never signed in, and is not read for every request', async () => {
    const { service, second, state } = await two();
    await Promise.all(Array.from({ length: 50 }, () => read(second)));
    expect(service.auths).toHaveLength(1);
    const before = state.reads;
    await read(second);
    expect(state.reads).toBe(before);
  });

  it('is renewed once for both, before its expiry and after a 401', async () => {
    const { clock, service, first, second } = await two();
    const all = () =>
      Promise.all([first, second].flatMap((one) => Array.from({ length: 25 }, () => read(one))));
    await all();
    clock.pass((week - 100) * 1000);
    await all();
    expect(service.auths.slice(1)).toEqual([{ refresh_token: 'refresh-secret-1' }]);
    service.state.good = 'revoked';
    await all();
    expect(service.auths.slice(2)).toEqual([{ refresh_token: 'refresh-secret-2' }]);
  });

  it('that was revoked is sent once, by one of them; a new sign-in serves both', async () => {
    const { clock, service, store, first, second } = await two();
    await Promise.all([read(first), read(second)]);
    service.state.good = 'revoked';
    service.state.refresh = 'revoked too';
    const results = await Promise.allSettled([read(first), read(second), read(first), read(second)]);
    for (const result of results) expect(result).toMatchObject({ reason: { code: 'not_authenticated' } });
    expect(service.auths).toHaveLength(2);
    await read(open(service.url, { credential: login, clock, tokens: store }));
    await Promise.all([read(first), read(second)]);
    expect(service.auths).toHaveLength(3);
  });

  it('is not renewed when it can’t be read: another process may have renewed it', async () => {
    const { clock, service, state, second } = await two({ lifetime: 1000 });
    await read(second);
    state.unreadable = true;
    clock.pass(950_000);
    await read(second);
    expect(service.auths).toHaveLength(1);
    clock.pass(60_000);
    await expect(read(second)).rejects.toMatchObject({ code: 'keychain_unavailable' });
    expect(service.auths).toHaveLength(1);
    state.unreadable = false;
    await read(second);
    expect(service.auths).toHaveLength(2);
  });
});

describe('the reason for a rejected sign-in', () => {
  it.each([
    ['wrong password', () => login, 'login_wrong', true],
    [
      'an unconfigured sign-in',
      () => (http: Http) => new SignInCredential({ http, login: null }),
      'secret_missing',
      false,
    ],
  ] as const)('is reported: %s', async (_name, credential, why, asked) => {
    const clock = testClock({ frozen: true });
    const service = await tokenService({
      clock,
      before: (_nth, _seen, response) => Boolean(response.writeHead(401).end()),
    });
    await expect(read(open(service.url, { credential: credential(), clock }))).rejects.toMatchObject({
      details: { why },
    });
    expect(service.auths.length > 0).toBe(asked);
  });

  it('is reported: the session has expired', async () => {
    const clock = testClock({ frozen: true });
    const service = await tokenService({ clock });
    const services = open(service.url, { credential: login, clock });
    await read(services);
    service.state.good = 'revoked';
    service.state.refresh = 'revoked too';
    await expect(read(services)).rejects.toMatchObject({ details: { why: 'login_needed' } });
  });
});
