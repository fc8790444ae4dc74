import { expect, it } from 'vitest';
import { createThinner } from '../../../../src/renderer/features/plot/thinner.ts';

it('a thread of plots that fails is terminated, who waits is told, and another is started at the next need', async () => {
  const failing: ((event: { message: string }) => void)[] = [];
  let terminated = 0;
  const thinner = createThinner(() => ({
    postMessage: () => undefined,
    terminate: () => void (terminated += 1),
    addEventListener(type: string, listener: (event: never) => void) {
      if (type === 'error') failing.push(listener as never);
    },
  }));
  const data = { x: Float64Array.of(1), y: [Float64Array.of(2)], groups: null, groupCount: 1 };
  const load = () => thinner.load({ data, kind: 'lines', elapsed: false, view: null });
  const first = load();
  failing[0]?.({ message: 'out of memory' });
  await expect(first).rejects.toMatchObject({ details: { problem: 'out of memory' } });
  const second = load();
  // What the first thread still says is not about the second.
  failing[0]?.({ message: 'late' });
  failing[1]?.({ message: 'again' });
  await expect(second).rejects.toMatchObject({ details: { problem: 'again' } });
  expect([failing.length, terminated]).toEqual([2, 2]);
});
