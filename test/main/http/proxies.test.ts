import { describe, expect, it } from 'vitest';
import { proxiesFrom } from '../../../src/main/http/proxies.ts';

describe('proxy variables', () => {
  it('are absent', () => {
    expect(proxiesFrom({ HTTPS_PROXY: ' ' })).toEqual({
      http: undefined,
      https: undefined,
      except: 'localhost,127.0.0.1,::1',
    });
  });

  it('take an address without a scheme, and lower case first', () => {
    const { http, https } = proxiesFrom({
      HTTP_PROXY: 'a:1',
      http_proxy: 'proxy.corp:8080',
      HTTPS_PROXY: 'https://b:2',
    });
    expect(http).toBe('http://proxy.corp:8080');
    expect(https).toBe('https://b:2');
  });

  it('never stand between this machine and itself', () => {
    expect(proxiesFrom({ NO_PROXY: '.corp' }).except).toBe('.corp,localhost,127.0.0.1,::1');
  });

  it('are refused by name, without showing the password in them', () => {
    const malformed = () => proxiesFrom({ HTTPS_PROXY: 'http://me:hunter2@:x' });
    expect(malformed).toThrow(/HTTPS_PROXY/);
    expect(malformed).not.toThrow(/hunter2/);
    expect(() => proxiesFrom({ HTTP_PROXY: 'socks5://a:1' })).toThrow(/HTTP_PROXY/);
  });
});
