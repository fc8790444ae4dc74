import { expect, it } from 'vitest';
import { createViewStore } from '../../../../src/renderer/features/results/view-store.ts';
import { plainView } from '../../../../src/shared/tabs/tabs.ts';

const wits = { provider: 'demo', dataset: 'wits' };
const hiding = (...hidden: string[]) => ({ ...plainView, hidden });

it('changes are stored in sequence, so that the last one remains; failures are ignored', async () => {
  const kept: string[][] = [];
  const done = Promise.withResolvers<void>();
  const views = createViewStore({
    workspace: {
      view: async () => Promise.reject(new Error('no file')),
      changeView: async ({ view: { hidden = [] } }) => {
        await new Promise((resolve) => setTimeout(resolve, hidden.includes('slow') ? 20 : 0));
        if (hidden.includes('bad')) throw new Error('no room');
        kept.push(hidden);
        if (hidden.includes('last')) done.resolve();
        return {};
      },
    },
  });
  expect(await views.read(wits)).toEqual(plainView);
  for (const name of ['slow', 'bad', 'last']) views.write(wits, null, hiding(name));
  await done.promise;
  expect(kept).toEqual([['slow'], ['last']]);
});
