import { describe, expect, it } from 'vitest';
import { connection, type Connection } from '../../../../src/shared/connections/connections.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import {
  createConnections,
  createLastConnection,
  createRecentConnections,
  signInReason,
} from '../../../../src/renderer/features/connections/connections.ts';

const made = (id: string): Connection =>
  connection.parse({
    id,
    name: id,
    color: 'blue',
    dataUrl: 'https://data.example.com',
    platformUrl: 'https://api.example.com',
    method: 'api_key',
    secret: 'session',
    readOnly: false,
    sample: id === 'sample',
  });

/** The storage of a window, in memory. */
function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

function withConnections(listed: Connection[], kept = storage(), openSample = async () => made('sample')) {
  const api = { connections: { list: async () => listed, openSample, add: async () => made('added') } };
  return {
    kept,
    ...createConnections(api as never, createLastConnection(kept), createRecentConnections(kept)),
  };
}
const shown = ({ store }: ReturnType<typeof withConnections>) => store.getState().current?.id ?? null;

describe('the connections of a window', () => {
  it('are empty at first, then contain the opened one', async () => {
    const window = withConnections([made('north')]);
    await window.actions.load();
    expect(shown(window)).toBeNull();
    await window.actions.openSample();
    expect(shown(window)).toBe('sample');
    const { list } = window.store.getState();
    expect(list.status === 'loaded' && list.value.map(({ id }) => id)).toEqual(['north', 'sample']);
  });

  it('are restored after a reload with the one in view, unless the user left it', async () => {
    const kept = storage();
    withConnections([], kept).actions.open(made('north'));
    // The order of use is among the settings, which may not be loaded yet.
    const order = 'wellbench.connections';
    kept.removeItem(order);
    const reloaded = withConnections([made('north')], kept);
    await reloaded.actions.load();
    expect(shown(reloaded)).toBe('north');
    expect(kept.getItem(order)).toBeNull();
    reloaded.actions.leave();
    const again = withConnections([made('north')], kept);
    await again.actions.load();
    expect(shown(again)).toBeNull();
  });

  it('don’t restore one without credentials, and open it once the user enters them', async () => {
    const kept = storage();
    withConnections([], kept).actions.open(made('north'));
    const changed: unknown[] = [];
    const api = {
      connections: {
        list: async () => [{ ...made('north'), secret: 'missing' as const }],
        authenticate: async (input: unknown) => {
          changed.push(input);
          return made('north');
        },
      },
    };
    const window = createConnections(api as never, createLastConnection(kept), createRecentConnections(kept));
    await window.actions.load();
    expect(window.store.getState().current).toBeNull();
    const { signal } = new AbortController();
    const input = { connection: 'north', credential: { method: 'api_key', apiKey: 'k-2' } } as const;
    window.actions.open(await window.actions.authenticate(input, signal));
    expect(changed).toEqual([input]);
    expect(window.store.getState().current?.id).toBe('north');
  });

  it('don’t restore a connection that no longer exists', async () => {
    const kept = storage();
    withConnections([], kept).actions.open(made('north'));
    const reloaded = withConnections([], kept);
    await reloaded.actions.load();
    expect(shown(reloaded)).toBeNull();
  });

  it('follow changes: the name, and the reason for requested credentials', async () => {
    const lists = [
      [made('north'), made('south')],
      [{ ...made('north'), name: 'North', refused: 'key_ended' as const }, made('south')],
    ];
    const stop = new AbortController();
    async function* events() {
      for (const list of lists) yield list;
      stop.abort();
    }
    const api = { connections: {}, events: { connections: async () => events() } };
    const window = createConnections(
      api as never,
      createLastConnection(storage()),
      createRecentConnections(storage()),
    );
    window.actions.open(made('north'));
    await window.actions.follow(stop.signal);
    const { current, open } = window.store.getState();
    expect(current).toMatchObject({ name: 'North', refused: 'key_ended' });
    expect(open.get('north')).toBe(current);
    expect(signInReason(made('south'))).toBeNull();
    expect(current && signInReason(current)).toBe('key_ended');
    expect(signInReason({ ...made('x'), secret: 'missing' })).toBe('secret_missing');
    expect(signInReason({ ...made('sample'), refused: 'key_ended' })).toBeNull();
  });

  it('close their tabs when they are removed, and stay when that fails', async () => {
    const answers = [new AppError('keychain_unavailable', { trouble: 'locked' }), null];
    const remove = async () => {
      const error = answers.shift();
      if (error) throw error;
      return {};
    };
    const window = createConnections(
      { connections: { remove } } as never,
      createLastConnection(storage()),
      createRecentConnections(storage()),
    );
    window.actions.open(made('north'));
    window.actions.open(made('south'));
    await expect(window.actions.remove('south', false)).rejects.toMatchObject({
      code: 'keychain_unavailable',
    });
    expect(window.store.getState().current?.id).toBe('south');
    await window.actions.remove('south', true);
    const { list, current, open } = window.store.getState();
    expect([list.status === 'loaded' && list.value.length, current?.id, open.size]).toEqual([1, 'north', 1]);
  });

  it('stay failed while they are loaded again, so that the start screen keeps what is typed', async () => {
    const lists = [
      Promise.reject(new AppError('internal', { problem: 'no disk' })),
      Promise.resolve([made('north')]),
    ];
    const window = createConnections(
      { connections: { list: () => lists.shift() } } as never,
      createLastConnection(storage()),
      createRecentConnections(storage()),
    );
    const statuses: string[] = [];
    window.store.subscribe(({ list }) => void statuses.push(list.status));
    await window.actions.load();
    await window.actions.load();
    expect(statuses).toEqual(['loading', 'failed', 'loaded']);
  });

  it('report why the sample could not be opened', async () => {
    const window = withConnections([], storage(), () =>
      Promise.reject(new AppError('internal', { problem: 'no memory' })),
    );
    await window.actions.openSample();
    expect(window.store.getState().sample).toMatchObject({ status: 'failed', error: { code: 'internal' } });
    expect(shown(window)).toBeNull();
  });
});
