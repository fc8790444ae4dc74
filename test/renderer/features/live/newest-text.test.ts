import { expect, it } from 'vitest';
import { newestText } from '../../../../src/renderer/features/live/newest-text.ts';
import { words } from '../../../../src/renderer/words/words.ts';

const now = Date.UTC(2026, 10, 22, 12);

it('the age in a live view is that of the newest record, not of its response', () => {
  expect(newestText(now - 3 * 86_400_000, 'timestamp', now)).toMatch(/3 days ago/);
  expect(newestText(now + 5000, 'datetime', now)).toMatch(/now/);
});

it('a value that isn’t a time in milliseconds has no age', () => {
  expect(newestText(8123.5, 'measured_depth', now)).toBe(words.live.upTo('measured_depth', 8123.5));
  expect(newestText(1_700_000_000, 'timestamp', now)).toBe(words.live.upTo('timestamp', 1_700_000_000));
});
