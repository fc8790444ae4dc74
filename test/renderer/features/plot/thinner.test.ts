import { expect, it } from 'vitest';
import { createThinner } from '../../../../src/renderer/features/plot/thinner.ts';
import { portPair } from '../../../support/threads.ts';
import { linesOver } from './plot-spec.ts';

it('a plot thread that fails is closed, its callers get an error, and the next request starts another', async () => {
  const pairs: ReturnType<typeof portPair>[] = [];
  const thinner = createThinner(() => {
    const pair = portPair();
    pairs.push(pair);
    return pair.ends[0];
  });
  const load = () => {
    const source = {
      rows: 1,
      part: null,
      fields: [],
      numbers: async () => [],
      groups: async () => ({ codes: new Uint16Array(), names: [] }),
    };
    return thinner.load(source, linesOver(['y']), null);
  };
  for (const problem of ['out of memory', 'again']) {
    const loading = load();
    pairs.at(-1)?.fail(problem);
    await expect(loading).rejects.toMatchObject({ details: { problem } });
  }
  expect(pairs.map(({ closed }) => closed())).toEqual([1, 1]);
});
