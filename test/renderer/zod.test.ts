import { expect, it } from 'vitest';
import '../../src/renderer/zod.ts';

it('no code is made from text for schemas of the window, whose page’s policy forbids it', async () => {
  const { config } = await import('zod');
  expect(config().jitless).toBe(true);
});
