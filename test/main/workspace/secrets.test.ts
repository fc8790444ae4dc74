import { describe, expect, it } from 'vitest';
import { secretsIn } from '../../../src/main/workspace/secrets.ts';

describe('the secrets of an environment', () => {
  it('are keys, passwords, and what proxies are given, in each form they take', () => {
    const secrets = secretsIn({
      WELLBENCH_API_KEY: ' API the-key ',
      WELLBENCH_PASSWORD: 'pass word',
      HTTPS_PROXY: 'http://me:p%40ss@word@proxy.corp:8080',
      http_proxy: 'you:100%25@other:1',
      HOME: '/home/me',
    });
    for (const text of [
      'the-key',
      'pass word',
      'p%40ss@word',
      'p@ss@word',
      btoa('me:p@ss@word'),
      '100%',
      btoa('you:100%'),
    ])
      expect(secrets).toContain(text);
    for (const text of ['me', '/home/me', 'proxy.corp:8080']) expect(secrets).not.toContain(text);
  });

  it('are none where there are none', () => {
    expect(secretsIn({ HTTPS_PROXY: 'http://proxy:8080' })).toEqual([]);
  });
});
