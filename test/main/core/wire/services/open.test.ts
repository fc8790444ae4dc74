import { describe, expect, it } from 'vitest';
import { useServices } from '../../../../support/services.ts';

const open = useServices();

describe('opening services', () => {
  it.each([
    'http://data.example',
    'ftp://data.example',
    'https://me:pw-secret@data.example',
    'https//data.example',
    'https://a.example?k=1',
  ])('is rejected when credentials would not be safe: %s', (url) => {
    expect(() => open(url)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    expect(() => open(url)).not.toThrow(/pw-secret/);
  });

  it('accepts https on any host and http on this machine, without a request', () => {
    expect(() => open('https://data.example/below/')).not.toThrow();
    expect(() => open('http://[::1]:8080')).not.toThrow();
  });
});
