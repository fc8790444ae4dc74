import { expect, it } from 'vitest';
import { createNotes } from '../../../../src/renderer/features/notes/notes.tsx';

it('what was damaged is said until something else is: the application says it once', async () => {
  const problems = ['reset', null, null, 'reset again', null];
  const answer = async () => ({ notes: [], problem: problems.shift() ?? null });
  const notes = createNotes({ notes: { list: answer, put: answer, remove: answer } }, 'c1');
  const problem = async () => (await notes.list.value('c1')).problem;
  expect(await problem()).toBe('reset');
  await notes.refresh();
  expect(await problem()).toBe('reset');
  await notes.remove('a');
  expect(await problem()).toBe('reset');
  await notes.refresh();
  expect(await problem()).toBe('reset again');
});
