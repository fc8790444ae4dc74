import { describe, expect, it } from 'vitest';
import {
  createRoutes,
  parseRoutes,
  shownProxy,
  type Route,
} from '../../../../../src/main/core/wire/http/routes.ts';

const shown = (hops: readonly Route[]) =>
  hops.map((hop) => (hop.kind === 'direct' ? 'direct' : `${hop.kind} ${hop.address.href}`));
const target = new URL('https://data.example/api');

describe('the routes in a proxy auto-configuration file', () => {
  it.each([
    ['DIRECT', ['direct']],
    ['PROXY a:8080', ['proxy http://a:8080/']],
    [' proxy a:8080 ; HTTPS b:443;DIRECT', ['proxy http://a:8080/', 'proxy https://b/', 'direct']],
    ['SOCKS5 c:1080; SOCKS d:1', ['socks http://c:1080/', 'socks http://d:1/']],
    ['PROXY [fd00::1]:80', ['proxy http://[fd00::1]/']],
    ['QUIC x:1; PROXY', ['direct']],
    ['', ['direct']],
  ])('“%s”', (answer, hops) => {
    expect(shown(parseRoutes(answer))).toEqual(hops);
  });
});

describe('the route to an address', () => {
  const env = { HTTPS_PROXY: 'http://me:p%40ss@proxy.corp:8080', NO_PROXY: '.inside' };

  it('is that of the environment variables by default', async () => {
    const routes = createRoutes(env);
    expect(shown(await routes(target))).toEqual(['proxy http://me:p%40ss@proxy.corp:8080/']);
    expect(shown(await routes(new URL('https://a.inside')))).toEqual(['direct']);
    expect(shown(await routes(new URL('http://data.example')))).toEqual(['direct']);
    expect(shown(await routes(new URL('https://localhost:9')))).toEqual(['direct']);
  });

  it('is the system’s if available, for the origin only, and never for this computer', async () => {
    const urls: string[] = [];
    const routes = createRoutes(env, async (url) => {
      urls.push(url);
      return 'PROXY other:3128; PROXY proxy.corp:8080; DIRECT';
    });
    expect(shown(await routes(target))).toEqual([
      'proxy http://other:3128/',
      // The system stores no proxy passwords; the variable does.
      'proxy http://me:p%40ss@proxy.corp:8080/',
      'direct',
    ]);
    await routes(new URL('https://127.0.0.1:1'));
    expect(urls).toEqual(['https://data.example']);
  });

  it('is that of the environment variables if the system has none', async () => {
    for (const resolve of [
      () => Promise.reject(new Error('no script')),
      () => new Promise<string>(() => undefined),
    ]) {
      const routes = createRoutes(env, resolve, undefined, 5);
      expect(shown(await routes(target))).toEqual(['proxy http://me:p%40ss@proxy.corp:8080/']);
    }
  });

  it('is shown without user and password', () => {
    expect(shownProxy(new URL('https://me:secret@proxy.corp'))).toBe('proxy.corp:443');
  });
});
