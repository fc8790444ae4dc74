import { expect, it } from 'vitest';
import { soakTapes } from './soaks/tapes.ts';

// `npm run soak -- tapes` reads 10,000.
it('300 damaged DLIS and LIS files are refused, or have as many rows as their tables claim', async () => {
  const lines: string[] = [];
  const end = await soakTapes({ amount: 300, seed: 1, tell: (line) => lines.push(line) });
  expect(end, lines.join('\n')).toMatchObject({ sound: true });
});
