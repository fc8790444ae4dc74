import { describe, expect, it } from 'vitest';
import { retryAfterMs } from '../../../src/main/http/retry-after.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['5', 5000],
    [' 0 ', 0],
    ['1.5', 1500],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ])('%s', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  it.each([null, '', 'soon', '-5', '5 minutes?!'])('is not understood: %s', (header) => {
    expect(retryAfterMs(header, now)).toBeNull();
  });
});
