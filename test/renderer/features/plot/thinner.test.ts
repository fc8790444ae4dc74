import { expect, it } from 'vitest';
import { createThinner } from '../../../../src/renderer/features/plot/thinner.ts';
import { portPair } from '../../../support/threads.ts';

it('a plot thread that fails is closed, its callers get an error, and the next request starts another', async () => {
  const pairs: ReturnType<typeof portPair>[] = [];
  const thinner = createThinner(() => {
    const pair = portPair();
    pairs.push(pair);
    return pair.ends[0];
  });
  const load = () => {
    const data = { x: Float64Array.of(1), y: [Float64Array.of(2)], groups: null, groupCount: 1 };
    return thinner.load({ data, kind: 'lines', elapsed: false, changes: [], view: null });
  };
  for (const problem of ['out of memory', 'again']) {
    const loading = load();
    pairs.at(-1)?.fail(problem);
    await expect(loading).rejects.toMatchObject({ details: { problem } });
  }
  expect(pairs.map(({ closed }) => closed())).toEqual([1, 1]);
});
