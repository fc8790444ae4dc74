import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { queryCommands } from '../../../../src/renderer/features/query/query-kind.ts';
import type { TabCommands } from '../../../../src/renderer/features/commands/command-table.ts';
import { words } from '../../../../src/renderer/words/words.ts';
import { stubHiddenPage } from '../live/support.ts';
import { made } from '../datasets/made.ts';

beforeEach(stubHiddenPage);
afterEach(() => vi.unstubAllGlobals());

/** A query with a result that its limit cuts off. */
function withResult(
  value: object | null = {
    request: { kind: 'find', request: { query: '{}', limit: 5 } },
    records: 5,
    limit: 5,
  },
) {
  const acts: string[] = [];
  const results = createStore(() => ({
    view: 'table',
    zone: 'utc',
    isMaximized: false,
    run: value ? { status: 'loaded', value } : { status: 'idle' },
    lastResult: value,
  }));
  const log = (name: string) => (given?: unknown) => void acts.push(`${name} ${String(given ?? '')}`.trim());
  const store = createStore(() => ({ text: { mode: 'find' }, count: { status: 'idle' } }));
  const described: unknown[] = [];
  const model = {
    dataset: made('wits'),
    store,
    results: {
      store: results,
      plot: { store: createStore(() => ({ choice: null })), addNote: { call: log('note') } },
      calls: { focusFind: { call: log('find') }, copy: { call: log('copy') } },
      actions: {
        setView: log('view'),
        show: log('zone'),
        pickZone: log('pick'),
        maximize: log('maximize'),
        showAll: log('all'),
        showNotice: log('notice'),
      },
    },
    actions: {
      canCount: () => true,
      describe(sent: unknown) {
        described.push(sent);
        return Promise.reject(new Error('no service'));
      },
    },
  };
  const settings = { store: createStore(() => ({ values: { times: 'utc' } })) };
  const session = {
    app: { records: { live: async () => undefined }, settings },
    datasets: { actions: { scopeOf: () => null } },
    tabs: {
      store: createStore(() => ({ tabs: [], active: null, wellsWithoutTab: [] })),
      actions: { showForm: log('form'), open: log('open') },
    },
  };
  const commands = queryCommands(model as never, { id: 'a' }, session as never);
  const can = () => Object.entries(commands).flatMap(([id, actionOf]) => (actionOf() ? [id] : []));
  return { acts, can, described, results, store, act: (id: keyof TabCommands) => commands[id]?.()?.() };
}

it('result commands change the view and the time zone of the result in view, except to the current ones', () => {
  const { act, acts, can } = withResult();
  const ids = [
    'viewBoth',
    'zoneLocal',
    'showAll',
    'follow',
    'viewTable',
    'zoneUtc',
    'find',
    'copyCsv',
    'zoneOther',
    'maximize',
  ] as const;
  for (const id of ids) act(id);
  expect(acts).toEqual([
    'view both',
    'zone local',
    'all',
    'open [object Object]',
    'find',
    'copy csv',
    'pick true',
    'maximize true',
  ]);
  expect(can()).not.toContain('viewTable');
});

it('result commands don’t exist without a result that they apply to', () => {
  const whole = withResult({ request: { kind: 'pipeline', request: {} }, records: 1, limit: null });
  expect(whole.can()).not.toEqual(expect.arrayContaining(['showAll']));
  expect(whole.can()).not.toEqual(expect.arrayContaining(['follow']));
  const none = withResult(null).can();
  for (const id of ['showAll', 'follow', 'find', 'copyCsv', 'zoneOther', 'maximize'])
    expect(none).not.toContain(id);
});

it('result commands report why a request can’t be copied', async () => {
  const { act, acts } = withResult();
  act('copyCurl');
  await expect.poll(() => acts).toHaveLength(1);
  expect(acts[0]).not.toContain(words.query.request.copied(words.query.request.languages.curl));
});

it('a request is copied of a service’s result and of a query, and not of SQL', async () => {
  const { act, can, described, store } = withResult({ request: { kind: 'sql', request: {} }, records: 1 });
  act('copyCurl');
  await expect.poll(() => described).toEqual([null]);
  store.setState({ text: { mode: 'sql' } });
  expect(can()).not.toContain('copyCurl');
  const ofFind = withResult();
  ofFind.store.setState({ text: { mode: 'sql' } });
  ofFind.act('copyCurl');
  await expect.poll(() => ofFind.described).toMatchObject([{ kind: 'find' }]);
});

it('result commands for the table don’t exist while no table is in view', () => {
  const { can, results } = withResult();
  results.setState({ view: 'plot' });
  for (const id of ['find', 'copyCsv', 'copyTsv', 'copyJson', 'copyMarkdown'])
    expect(can()).not.toContain(id);
  results.setState({ view: 'both' });
  for (const id of ['find', 'copyCsv', 'copyTsv', 'copyJson', 'copyMarkdown']) expect(can()).toContain(id);
});
