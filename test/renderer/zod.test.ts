import { expect, it } from 'vitest';
import '../../src/renderer/zod.ts';

it('schemas of the window don’t compile code from text, which the page’s policy forbids', async () => {
  const { config } = await import('zod');
  expect(config().jitless).toBe(true);
});
