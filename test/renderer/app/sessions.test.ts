import { describe, expect, it } from 'vitest';
import { connection, type Connection } from '../../../src/shared/connections/connections.ts';
import type { Session } from '../../../src/renderer/contexts.ts';
import { createSessions, type MakeSession } from '../../../src/renderer/app/compose.ts';
import { createConnections } from '../../../src/renderer/features/connections/connections.ts';

const made = (id: string, other: Partial<Connection> = {}): Connection =>
  connection.parse({
    id,
    name: id,
    color: 'blue',
    dataUrl: 'https://data.example.com',
    platformUrl: 'https://api.example.com',
    method: 'api_key',
    secret: 'session',
    readOnly: false,
    sample: false,
    ...other,
  });

const recent = { use: () => undefined, sort: (list: readonly Connection[]) => [...list] };

async function withSessions() {
  const calls: string[] = [];
  const last = { read: () => null, write: () => undefined, forget: () => undefined };
  const connections = createConnections({} as never, last, recent);
  const make: MakeSession = (id) => {
    const one = {
      connection: id,
      load: () => void calls.push(`load ${id}`),
      close: () => void calls.push(`close ${id}`),
    };
    return one as unknown as Session;
  };
  const loading = Promise.resolve(make);
  const sessions = createSessions(connections, loading);
  await loading;
  const shown = () => {
    const { open, current: session } = sessions.getState();
    return [...open.keys()].map((id) => (id === session?.connection ? `[${id}]` : id)).join(' ');
  };
  return { ...connections.actions, calls, shown, sessions };
}

describe('the sessions of a window', () => {
  it('stay unchanged while another connection is shown, and come back', async () => {
    const window = await withSessions();
    window.open(made('north'));
    const first = window.sessions.getState().current;
    window.open(made('south'));
    expect(window.shown()).toBe('north [south]');
    window.open(made('north'));
    expect(window.shown()).toBe('[north] south');
    expect(window.sessions.getState().current).toBe(first);
    window.leave();
    expect(window.shown()).toBe('north south');
    expect(window.calls).toEqual(['load north', 'load south']);
  });

  it('wait for their dependencies, whatever was opened before', async () => {
    const last = { read: () => null, write: () => undefined, forget: () => undefined };
    const connections = createConnections({} as never, last, recent);
    const loading = Promise.withResolvers<MakeSession>();
    const sessions = createSessions(connections, loading.promise);
    connections.actions.open(made('north'));
    expect(sessions.getState()).toEqual({ open: new Map(), current: null });
    const loaded: string[] = [];
    loading.resolve((id) => ({ connection: id, load: () => void loaded.push(id) }) as unknown as Session);
    await loading.promise;
    expect(sessions.getState().current?.connection).toBe('north');
    expect(loaded).toEqual(['north']);
  });

  it('end with their connection, and another open one is shown instead', async () => {
    const window = await withSessions();
    window.open(made('north'));
    window.open(made('south'));
    window.close('south');
    expect(window.shown()).toBe('[north]');
    window.close('north');
    expect(window.shown()).toBe('');
    expect(window.calls).toEqual(['load north', 'load south', 'close south', 'close north']);
  });

  it('reload their lists when the connection’s host changes or its credentials are entered again, or replaced', async () => {
    const window = await withSessions();
    window.open(made('north', { secret: 'missing' }));
    window.open(made('north', { secret: 'missing', name: 'North', color: 'red' }));
    expect(window.calls).toEqual(['load north']);
    window.open(made('north'));
    window.open(made('north', { dataUrl: 'https://other.example.com' }));
    window.open(made('north', { dataUrl: 'https://other.example.com', replacedAt: '2026-01-01T00:00:00Z' }));
    expect(window.calls).toEqual(['load north', 'load north', 'load north', 'load north']);
  });
});
