import { describe, expect, it, vi } from 'vitest';
import {
  createOpened,
  textOf,
  type OpenedDependencies,
} from '../../../../src/renderer/features/opened/opened.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { Opened } from '../../../../src/shared/contract/events.ts';
import { questionText } from '../../../../src/shared/query/question.ts';

const query = {
  name: 'Rate',
  folder: '',
  provider: 'demo',
  dataset: 'wits',
  question: questionText.parse({ find: { query: '{ a: 1 }', sort: '{ a: -1 }' } }),
};
const file: Opened = { kind: 'queries', file: 'a.wellbench', content: { queries: [query], folders: [] } };

function started(...things: Opened[]) {
  const ending = new AbortController();
  const open = vi.fn<OpenedDependencies['open']>(async () => undefined);
  const saveQueries = vi.fn<OpenedDependencies['saveQueries']>(async () => true);
  const showSettings = vi.fn<OpenedDependencies['showSettings']>();
  const openRows = vi.fn<OpenedDependencies['openRows']>(() => false);
  const api = {
    events: {
      opened: async () =>
        (async function* all() {
          yield* things;
          ending.abort();
        })(),
    },
  } as unknown as OpenedDependencies['api'];
  const opened = createOpened({ api, open, openRows, saveQueries, showSettings });
  return {
    ...opened,
    open,
    openRows,
    keep: saveQueries,
    showSettings,
    events: opened.actions.follow(ending.signal),
  };
}

describe('an item opened from outside', () => {
  it('is shown, and neither opened in a tab nor saved without the user', async () => {
    const { store, open, keep, events } = started(file, { ...file, file: null });
    await events;
    expect(store.getState().items).toMatchObject([
      { kind: 'queries', file: null },
      { kind: 'queries', file: 'a.wellbench', kept: null },
    ]);
    expect(open).not.toHaveBeenCalled();
    expect(keep).not.toHaveBeenCalled();
  });

  it('may be settings, which are shown', async () => {
    const { store, showSettings, events } = started({ kind: 'settings' });
    await events;
    expect(showSettings).toHaveBeenCalledTimes(1);
    expect(store.getState().items).toEqual([]);
  });

  it('may be a file with rows: it waits for a connection, and is opened by the user or at once', async () => {
    const rows: Opened = { kind: 'rows', file: { token: 't'.repeat(20), name: 'a.las', bytes: 3 } };
    const { store, actions, openRows, events } = started(rows, rows);
    openRows.mockReturnValueOnce(true);
    await events;
    const items = store.getState().items;
    expect(items).toMatchObject([{ kind: 'rows', file: { name: 'a.las' } }]);
    const [waiting] = items;
    if (waiting?.kind !== 'rows') throw new Error('it has another kind');
    actions.openRows(waiting);
    expect(store.getState().items).toHaveLength(1);
    openRows.mockReturnValueOnce(true);
    actions.openRows(waiting);
    expect(store.getState().items).toEqual([]);
    expect(openRows).toHaveBeenCalledTimes(4);
  });

  it('is opened in a tab, saved, or closed as the user selects', async () => {
    const { store, actions, open, keep, events } = started(file);
    await events;
    const [thing] = store.getState().items;
    if (!thing) throw new Error('nothing is shown');
    keep.mockResolvedValueOnce(false);
    await actions.keep(thing);
    expect(store.getState().items).toMatchObject([{ kept: false }]);
    keep.mockClear();
    await actions.keep(thing);
    expect(keep).toHaveBeenCalledExactlyOnceWith({ queries: [query], folders: [] });
    expect(store.getState().items).toMatchObject([{ kept: true }]);
    await actions.open(query, thing);
    expect(open).toHaveBeenCalledExactlyOnceWith(query);
    expect(store.getState().items).toEqual([]);
  });

  it('stays while it contains more than the part opened in a tab, until it is closed', async () => {
    const { store, actions, events } = started({
      ...file,
      content: { queries: [query, query], folders: [] },
    });
    await events;
    const [thing] = store.getState().items;
    if (!thing) throw new Error('nothing is shown');
    await actions.open(query, thing);
    expect(store.getState().items).toEqual([thing]);
    actions.close(thing.key);
    expect(store.getState().items).toEqual([]);
  });

  it('reports its errors, including a missing dataset', async () => {
    const problem = new AppError('file_unsuitable', {
      file: 'a',
      reason: 'it isn’t JSON',
      wanted: 'queries',
    });
    const { store, actions, open, events } = started({ kind: 'problem', error: problem.toBody() });
    await events;
    open.mockRejectedValue(new AppError('not_found', { service: 'data', what: 'demo/wits' }));
    await vi.waitFor(() => expect(store.getState().items).toHaveLength(1));
    const [thing] = store.getState().items;
    if (!thing) throw new Error('nothing is shown');
    await actions.open(query, thing);
    expect(store.getState().items).toMatchObject([
      { kind: 'problem', error: { code: 'not_found' } },
      { kind: 'problem', error: { code: 'file_unsuitable' } },
    ]);
  });

  it('is shown as it was typed, in each query mode', () => {
    expect(textOf(query)).toBe('{ a: 1 }\n{ a: -1 }');
    const shownText = (question: object) => textOf({ ...query, question: questionText.parse(question) });
    expect(shownText({ mode: 'aggregate', aggregate: { match: '{}', group: '{ _id: 1 }' } })).toBe(
      '{}\n{ _id: 1 }',
    );
    expect(shownText({ mode: 'pipeline', pipeline: { stages: '[]' }, find: { query: '{}' } })).toBe('[]');
    const sql = { mode: 'sql', sql: { statement: 'SELECT 1' }, pipeline: { stages: '[]' } };
    expect(shownText(sql)).toBe('SELECT 1');
  });
});
