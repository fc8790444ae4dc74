import { expect, it } from 'vitest';
import { createViewCall } from '../../../src/renderer/state/view-call.ts';

it('a call is carried out by the view that is mounted, and by none later', () => {
  const [copy, other] = [createViewCall<string>(), createViewCall<string>()];
  const acts: string[] = [];
  expect(copy.call('early')).toBe(false);
  const unmountFirst = copy.mount((format) => acts.push(`first ${format}`));
  expect([copy.call('csv'), other.call('csv')]).toEqual([true, false]);
  // A view that replaces another one is mounted before the other one is gone.
  const unmountSecond = copy.mount((format) => acts.push(`second ${format}`));
  unmountFirst();
  expect(copy.call('tsv')).toBe(true);
  unmountSecond();
  expect(copy.call('late')).toBe(false);
  expect(acts).toEqual(['first csv', 'second tsv']);
});
