import { expect, it } from 'vitest';
import { createThinner } from '../../../../src/renderer/features/plot/thinner.ts';
import { portPair } from '../../../support/threads.ts';

it('a thread of plots that fails is closed, who waits is told, and another is started at the next need', async () => {
  const pairs: ReturnType<typeof portPair>[] = [];
  const thinner = createThinner(() => {
    const pair = portPair();
    pairs.push(pair);
    return pair.ends[0];
  });
  const load = () => {
    const data = { x: Float64Array.of(1), y: [Float64Array.of(2)], groups: null, groupCount: 1 };
    return thinner.load({ data, kind: 'lines', elapsed: false, view: null });
  };
  for (const problem of ['out of memory', 'again']) {
    const loading = load();
    pairs.at(-1)?.fail(problem);
    await expect(loading).rejects.toMatchObject({ details: { problem } });
  }
  expect(pairs.map(({ closed }) => closed())).toEqual([1, 1]);
});
