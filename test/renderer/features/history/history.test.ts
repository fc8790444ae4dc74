import { expect, it } from 'vitest';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { run as runShape, type Run, type RunNote } from '../../../../src/shared/contract/query.ts';
import { questionText } from '../../../../src/shared/query/question.ts';
import type { Api } from '../../../../src/renderer/api/api.ts';
import { createHistory } from '../../../../src/renderer/features/history/history.ts';

const noted = {
  provider: 'demo',
  dataset: 'wits',
  mode: 'find',
  wells: [],
  outcome: 'done',
  code: null,
  rows: 1,
  ms: 2,
} as const;
const runOf = (id: string): Run =>
  runShape.parse({ ...noted, id, at: 1, text: `{ a: '${id}' }`, whole: true });
const question = questionText.parse({ find: { query: '{ a: 1 }' } });

/** A history with a main process that has these runs. */
function historyOf(...ids: string[]) {
  let runs = ids.map(runOf);
  let removedRuns: Run[] = [];
  let broken = false;
  const calls: string[] = [];
  const guard = (call: string) => {
    calls.push(call);
    if (broken) throw new AppError('disk_full', { file: 'history', writtenBytes: 0 });
  };
  const api: Api['history'] = {
    async list({ search = '' }) {
      guard(`list ${search}`.trim());
      const found = runs.filter(({ text }) => text.includes(search));
      return { runs: found, matching: found.length, all: runs.length };
    },
    async get({ id }) {
      guard(`get ${id}`);
      return { question };
    },
    async note(note) {
      guard('note');
      runs = [runOf(`n${String(runs.length)}`), ...runs];
      expect(note.connection).toBe('c');
      return {};
    },
    async remove({ ids: wanted }) {
      guard(`remove ${wanted?.join() ?? 'all'}`);
      removedRuns = runs.filter(({ id }) => wanted?.includes(id) ?? true);
      runs = runs.filter((each) => !removedRuns.includes(each));
      return { ids: removedRuns.map(({ id }) => id) };
    },
    async restore({ ids: wanted }) {
      guard(`restore ${wanted.join()}`);
      runs = [...removedRuns, ...runs];
      return {};
    },
  };
  const history = createHistory({ history: api }, 'c');
  const shown = () => {
    const { page } = history.store.getState();
    return page.status === 'loaded' ? page.value.runs.map(({ id }) => id) : page.status;
  };
  return { history, calls, shown, breakIt: () => (broken = true) };
}
const note: Omit<RunNote, 'connection'> = { ...noted, wells: [], question };

it('a run is recorded immediately, and listed again only where the list is open', async () => {
  const { history, calls, shown } = historyOf('a');
  await history.actions.note(note);
  expect([calls, shown()]).toEqual([['note'], 'idle']);
  await history.actions.load();
  await history.actions.note(note);
  expect(calls).toEqual(['note', 'list', 'note', 'list']);
  expect(shown()).toEqual(['n2', 'n1', 'a']);
});

it('the history is searched, and more results follow the search', async () => {
  const { history, shown } = historyOf('a', 'b');
  await history.actions.search("'b'");
  expect(shown()).toEqual(['b']);
  await history.actions.load();
  expect(shown()).toEqual(['b']);
});

it('removed runs, one or all, are restored', async () => {
  const { history, shown } = historyOf('a', 'b');
  await history.actions.remove(runOf('a'));
  expect([shown(), history.store.getState().removedRuns]).toEqual([['b'], ['a']]);
  await history.actions.undo();
  expect([shown(), history.store.getState().removedRuns]).toEqual([['a', 'b'], []]);
  await history.actions.remove(null);
  expect(shown()).toEqual([]);
  await history.actions.undo();
  expect(shown()).toEqual(['a', 'b']);
});

it('an error is shown above the list, which stays, until it is dismissed', async () => {
  const { history, shown, breakIt } = historyOf('a');
  await history.actions.load();
  breakIt();
  await history.actions.remove(runOf('a'));
  expect(shown()).toEqual(['a']);
  expect(history.store.getState().problem).toMatch(/\S/);
  history.actions.dismiss();
  expect(history.store.getState().problem).toBeNull();
  await history.actions.load();
  expect(shown()).toBe('failed');
});
