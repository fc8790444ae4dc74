import { describe, expect, it } from 'vitest';
import { connection, type Connection } from '../../../../src/shared/connections.ts';
import { AppError } from '../../../../src/shared/errors.ts';
import { createConnections } from '../../../../src/renderer/features/connections/connections.ts';
import { lastConnectionIn } from '../../../../src/renderer/features/connections/last-connection.ts';

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
  return { kept, ...createConnections(api as never, lastConnectionIn(kept)) };
}
const shown = ({ store }: ReturnType<typeof withConnections>) => store.getState().current?.id ?? null;

describe('the connections of a window', () => {
  it('show none at first, then the one that is opened', async () => {
    const window = withConnections([made('north')]);
    await window.actions.load();
    expect(shown(window)).toBeNull();
    await window.actions.openSample();
    expect(shown(window)).toBe('sample');
    const { list } = window.store.getState();
    expect(list.face === 'full' && list.value.map(({ id }) => id)).toEqual(['north', 'sample']);
  });

  it('come back after a reload to what was shown, unless it was left', async () => {
    const kept = storage();
    withConnections([], kept).actions.open(made('north'));
    const reloaded = withConnections([made('north')], kept);
    await reloaded.actions.load();
    expect(shown(reloaded)).toBe('north');
    reloaded.actions.leave();
    const again = withConnections([made('north')], kept);
    await again.actions.load();
    expect(shown(again)).toBeNull();
  });

  it('do not come back to one whose secret is gone, and open it when the secret was given again', async () => {
    const kept = storage();
    withConnections([], kept).actions.open(made('north'));
    const changed: unknown[] = [];
    const api = {
      connections: {
        list: async () => [{ ...made('north'), secret: 'missing' as const }],
        change: async (change: unknown) => {
          changed.push(change);
          return made('north');
        },
      },
    };
    const window = createConnections(api as never, lastConnectionIn(kept));
    await window.actions.load();
    expect(window.store.getState().current).toBeNull();
    const { signal } = new AbortController();
    await window.actions.giveSecret({ connection: made('north'), secret: 'k-2' }, signal);
    expect(changed).toEqual([{ connection: 'north', credential: { method: 'api_key', apiKey: 'k-2' } }]);
    expect(window.store.getState().current?.id).toBe('north');
  });

  it('do not come back to a connection that is gone', async () => {
    const kept = storage();
    withConnections([], kept).actions.open(made('north'));
    const reloaded = withConnections([], kept);
    await reloaded.actions.load();
    expect(shown(reloaded)).toBeNull();
  });

  it('say why the sample could not be opened', async () => {
    const window = withConnections([], storage(), () =>
      Promise.reject(new AppError('internal', { problem: 'no memory' })),
    );
    await window.actions.openSample();
    expect(window.store.getState().sample).toMatchObject({ face: 'failed', error: { code: 'internal' } });
    expect(shown(window)).toBeNull();
  });
});
