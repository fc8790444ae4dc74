import { RPCHandler } from '@orpc/server/message-port';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorInterceptors } from '../../../src/main/call-errors.ts';
import { portChannel } from '../../../src/renderer/api/port.ts';
import { createReconnectingLink } from '../../../src/renderer/api/reconnecting.ts';
import { compose } from '../../../src/renderer/app/compose.ts';
import { endFirstScreen } from '../../../src/renderer/app/first-screen.ts';
import { closeConnection } from '../../../src/renderer/features/connections/connections.ts';
import { queryKind } from '../../../src/renderer/features/query/query-kind.ts';
import { openUpload } from '../../../src/renderer/features/upload/open-upload.ts';
import { uploadKind } from '../../../src/renderer/features/upload/upload-kind.ts';
import { job } from '../../../src/shared/jobs/jobs.ts';
import { savedQuery } from '../../../src/shared/saved/saved.ts';
import { valueOr } from '../../../src/renderer/state/loadable.ts';
import { useApplication } from './support/application.ts';

/** The browser features of the page that the window's features use. */
function pageOf() {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('Worker', function start() {
    return { postMessage: () => undefined, addEventListener: () => undefined };
  });
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', Object.assign(new EventTarget(), { documentElement: { dataset: {} } }));
}

/** How long a loaded machine may take, in milliseconds. */
const timeoutMs = 20_000;

const startApplication = useApplication();
const closing: (() => void)[] = [];
beforeEach(pageOf);
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
  vi.unstubAllGlobals();
});

/** The features of a window over an application of its own. */
async function windowOn() {
  const { application } = await startApplication();
  const handler = new RPCHandler(application.router, errorInterceptors(application.log.fault));
  const link = createReconnectingLink(async () => {
    const { port1, port2 } = new MessageChannel();
    handler.upgrade(port2, { context: {} });
    port2.start();
    closing.push(() => port2.close());
    return portChannel(port1);
  });
  const parts = compose(link);
  endFirstScreen();
  const page = new AbortController();
  closing.push(() => {
    page.abort();
    link.close();
  });
  parts.start(page.signal);
  await vi.waitFor(
    () => expect(valueOr(parts.connections.store.getState().list, [])).toHaveLength(1),
    timeoutMs,
  );
  const [listed] = valueOr(parts.connections.store.getState().list, []);
  if (!listed) throw new Error('the connection is not listed');
  return { ...parts, listed };
}

describe('the features of a window', () => {
  it('show the settings or the help at the side, never both', async () => {
    const { settings, help } = await windowOn();
    help.actions.open();
    settings.actions.show(true);
    expect([settings.store.getState().isOpen, help.store.getState().at]).toEqual([true, null]);
    help.actions.open();
    expect([settings.store.getState().isOpen, help.store.getState().at]).toEqual([false, expect.anything()]);
  });

  it('open a session with the connection, and queries in their own tabs: the user’s own runs, that of a stranger doesn’t', async () => {
    const { connections, sessions, saved, opened, listed } = await windowOn();
    connections.actions.open(listed);
    await vi.waitFor(() => expect(sessions.getState().current?.connection).toBe(listed.id), timeoutMs);
    const id = crypto.randomUUID();
    const question = { find: { query: '{ asset_id: 5001 }' } };
    const address = { provider: 'demo', dataset: 'wits' };
    const night = savedQuery.parse({ id, name: 'Night', folder: '', ...address, question, changedAt: 0 });
    await saved.actions.open(night);
    const content = { queries: [night], folders: [] };
    const link = { key: 1, kind: 'queries', file: null, content, kept: null } as const;
    await opened.actions.open({ ...night, name: 'Day' }, link);
    const tabs = sessions.getState().current?.tabs.store.getState().tabs ?? [];
    const statuses = tabs.map((tab) => queryKind.of(tab)?.results.store.getState().run.status);
    expect(tabs.map(({ name }) => name)).toEqual(['Night', 'Day']);
    expect(statuses).toEqual(['running', 'idle']);
  });

  it('have the tabs of a connection in view only while its session is shown', async () => {
    const { connections, sessions, listed } = await windowOn();
    const isInView = () => sessions.getState().open.get(listed.id)?.tabs.store.getState().areInView;
    connections.actions.open(listed);
    await vi.waitFor(() => expect(sessions.getState().current).not.toBeNull(), timeoutMs);
    expect(isInView()).toBe(true);
    connections.actions.leave();
    expect(isInView()).toBe(false);
    connections.actions.open(listed);
    expect(isInView()).toBe(true);
  });

  it('store all tabs when the page closes', async () => {
    const { connections, sessions, listed } = await windowOn();
    connections.actions.open(listed);
    await vi.waitFor(() => expect(sessions.getState().current).not.toBeNull(), timeoutMs);
    const session = sessions.getState().current;
    if (!session) throw new Error('no session is shown');
    const flush = vi.spyOn(session.tabStorage, 'flush');
    window.dispatchEvent(new Event('pagehide'));
    expect(flush).toHaveBeenCalledTimes(1);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(flush).toHaveBeenCalledTimes(2);
  });

  it('prompt before the page closes if running jobs would end with it', async () => {
    const { workspace, jobs, settings } = await windowOn();
    const progress = { rows: 0, totalRows: null, bytes: 0, rate: 0, secondsLeft: null, nextTryMs: null };
    const running = job.parse({
      kind: 'export',
      id: 'export-1',
      state: 'running',
      address: { provider: 'demo', dataset: 'wits' },
      connection: 'Test bed',
      file: 'wits.csv',
      started: '2026-11-21T06:00:00Z',
      updated: '2026-11-21T06:00:00Z',
      progress,
      error: null,
      artifacts: [],
      result: null,
    });
    jobs.store.setState({ jobs: [running, { ...running, id: 'export-2', state: 'done' }] });
    await vi.waitFor(() => expect(workspace.store.getState().version).not.toBe(''), timeoutMs);
    const canLeave = (host: { endsWithWindow: boolean; files: 'stream' | 'dialog' }): boolean => {
      workspace.store.setState(host);
      return window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    };
    expect(canLeave({ endsWithWindow: true, files: 'stream' })).toBe(false);
    // Jobs of `wellbench serve` continue, and Electron asks about exports itself.
    expect(canLeave({ endsWithWindow: false, files: 'stream' })).toBe(true);
    expect(canLeave({ endsWithWindow: true, files: 'dialog' })).toBe(true);
    settings.actions.set({ askBeforeLeaving: false });
    expect(canLeave({ endsWithWindow: true, files: 'stream' })).toBe(true);
  });

  it('prompt before the page closes only if an upload would lose something, and the setting is on', async () => {
    const { connections, sessions, settings, listed } = await windowOn();
    const leave = () => {
      const leaving = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(leaving);
      return !leaving.defaultPrevented;
    };
    connections.actions.open(listed);
    await vi.waitFor(() => expect(sessions.getState().current).not.toBeNull(), timeoutMs);
    const session = sessions.getState().current;
    if (!session) throw new Error('no session is shown');
    openUpload(session);
    expect(leave()).toBe(true);
    const [tab] = session.tabs.store.getState().tabs;
    uploadKind.of(tab ?? null)?.store.setState({ isQueued: true });
    expect(leave()).toBe(false);
    settings.actions.set({ askBeforeLeaving: false });
    expect(leave()).toBe(true);
    // Closing the connection asks, too, as closing the tab does.
    closeConnection({ connections, sessions }, listed.id);
    expect(sessions.getState().current).toBe(session);
    session.tabs.actions.answerClosing('all');
    expect(sessions.getState().open.size).toBe(0);
  });
});
