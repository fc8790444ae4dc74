import { describe, expect, it } from 'vitest';
import {
  proxiesFrom,
  parseExceptions,
  isThisMachine,
} from '../../../../../src/main/core/wire/http/routes.ts';

describe('proxy variables', () => {
  it('may be unset', () => {
    expect(proxiesFrom({ HTTPS_PROXY: ' ' })).toEqual({
      http: undefined,
      https: undefined,
      except: '',
    });
  });

  it('may omit the scheme, and lowercase names take precedence', () => {
    const { http, https } = proxiesFrom({
      HTTP_PROXY: 'a:1',
      http_proxy: 'proxy.corp:8080',
      HTTPS_PROXY: 'https://b:2',
    });
    expect(http).toBe('http://proxy.corp:8080');
    expect(https).toBe('https://b:2');
  });

  it('never apply to this machine', () => {
    for (const NO_PROXY of [undefined, '.corp']) {
      const isException = parseExceptions(proxiesFrom({ NO_PROXY }).except);
      for (const host of ['localhost', '127.0.0.1', '[::1]']) expect(isException(host, 443)).toBe(true);
    }
  });

  it('are rejected by name, without showing the password in them', () => {
    const malformed = () => proxiesFrom({ HTTPS_PROXY: 'http://me:hunter2@:x' });
    expect(malformed).toThrow(/HTTPS_PROXY/);
    expect(malformed).not.toThrow(/hunter2/);
    expect(() => proxiesFrom({ HTTP_PROXY: 'socks5://a:1' })).toThrow(/HTTP_PROXY/);
  });
});

describe('NO_PROXY', () => {
  it.each([
    ['.corp', 'a.corp', true],
    ['.corp', 'corp', true],
    ['corp', 'a.b.corp', true],
    ['corp', 'acorp', false],
    ['*.corp', 'a.corp', true],
    ['*.corp', 'corp', false],
    ['Data.Example.', 'data.example', true],
    ['data.example', 'DATA.example.', true],
    ['data.example:8443', 'data.example', false],
    ['data.example:443', 'data.example', true],
    ['*', 'anything', true],
    ['*:80', 'anything', false],
    ['a, b;c d', 'd', true],
    ['10.0.0.0/8', '10.20.30.40', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/8', 'ten.example', false],
    ['fd00::/8', '[fd12::1]', true],
    ['[fd12::1]:443', '[fd12::1]', true],
    ['fd12::1', '[fd12::1]', true],
    ['10.0.0.0/99', '10.0.0.1', false],
    ['', 'data.example', false],
  ])('“%s” and %s: %s', (text, host, direct) => {
    expect(parseExceptions(text)(host, 443)).toBe(direct);
  });

  it('is not needed for this machine', () => {
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]'])
      expect(isThisMachine(host)).toBe(true);
    for (const host of ['127.example', 'localhost.example', '128.0.0.1', '[::2]'])
      expect(isThisMachine(host)).toBe(false);
    expect(parseExceptions('')('localhost', 443)).toBe(true);
  });
});
