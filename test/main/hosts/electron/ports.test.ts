import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { implement } from '@orpc/server';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppRouter } from '../../../../src/main/app.ts';
import { maxFrameLength } from '../../../../src/main/hosts/limited-port.ts';
import {
  acceptPorts,
  type PortRequest,
  type Port,
  acceptOffers,
  type OfferOptions,
  isOwnMessage,
  describeSender,
} from '../../../../src/main/hosts/electron/ports.ts';
import { channels } from '../../../../src/shared/bridge.ts';
import { contract } from '../../../../src/shared/contract/contract.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFiles } from '../../../../src/main/core/files/files.ts';
import { useFolders } from '../../../support/folders.ts';

/** A Node port with the interface of Electron's. */
function portMain(port: MessagePort): Port {
  const listeners = new EventEmitter();
  port.on('close', () => listeners.emit('close'));
  return {
    on: (event: string, listener: (message: { data: unknown }) => void) => listeners.on(event, listener),
    postMessage: (data) => port.postMessage(data),
    start: () => port.on('message', (data) => listeners.emit('message', { data })),
    close: () => port.close(),
  };
}

describe('the ports of windows', () => {
  const open: MessagePort[] = [];
  afterEach(() => {
    for (const port of open.splice(0)) port.close();
  });

  function start() {
    const ipc = new EventEmitter();
    const logged: string[] = [];
    const faults: AppError[] = [];
    let stopped = 0;
    const os = implement(contract);
    // Only the procedures that these tests call; the application tests the whole router.
    const router = {
      settings: {
        change: os.settings.change.handler(() => ({ values: { theme: 'dark' as const }, shortcuts: {} })),
      },
      jobs: {
        cancel: os.jobs.cancel.handler(() => {
          throw new AppError('job_unknown', { job: 'x' });
        }),
      },
      events: {
        notices: os.events.notices.handler(async function* ({ signal }) {
          await new Promise<void>((resolve) =>
            signal?.addEventListener('abort', () => resolve(), { once: true }),
          );
          stopped += 1;
          yield* [];
        }),
      },
    };
    acceptPorts({
      ipc,
      isOwn: ({ sender }) => sender.id === 1,
      router: router as unknown as AppRouter, // a part of it, see above
      onFault: (error) => faults.push(error),
      log: (sentence) => logged.push(sentence),
    });
    const connect = (id: number, count = 1): MessagePort[] => {
      const pairs = Array.from({ length: count }, () => new MessageChannel());
      open.push(...pairs.map(({ port2 }) => port2));
      const message: PortRequest = {
        sender: { id },
        senderFrame: { url: id === 1 ? 'app://wellbench/' : 'https://evil.example/?x', parent: null },
        ports: pairs.map(({ port1 }) => portMain(port1)),
      };
      ipc.emit(channels.connect, message);
      return pairs.map(({ port2 }) => port2);
    };
    return { connect, logged, faults, stopped: () => stopped };
  }

  function client(port: MessagePort): ContractRouterClient<typeof contract> {
    return createORPCClient(new RPCLink({ port }));
  }
  const closing = (port: MessagePort): Promise<void> =>
    new Promise((resolve) => port.once('close', () => resolve()));

  it('carry calls, and errors with their code', async () => {
    const { connect } = start();
    const [port] = connect(1);
    if (!port) throw new Error('no port');
    const api = client(port);
    expect(await api.settings.change({})).toMatchObject({ values: { theme: 'dark' } });
    await expect(api.jobs.cancel({ job: 'a-job-of-old' })).rejects.toMatchObject({
      data: { code: 'job_unknown' },
    });
  });

  it('end running calls when the window closes', async () => {
    const { connect, stopped } = start();
    const [port] = connect(1);
    if (!port) throw new Error('no port');
    const notices = await client(port).events.notices();
    const next = notices.next().catch(() => 'ended');
    port.close();
    await next;
    await expect.poll(stopped).toBe(1);
  });

  it('are closed without a message when a foreign sender opens them, which is logged without its query', async () => {
    const { connect, logged } = start();
    const ports = connect(2, 2);
    const closed = Promise.all(ports.map(closing));
    for (const port of ports) port.start();
    await closed;
    expect(logged).toEqual(['A message from an unknown sender was rejected: https://evil.example.']);
  });

  it('are opened one at a time', async () => {
    const { connect, logged } = start();
    connect(1, 0);
    await Promise.all(connect(1, 2).map(closing));
    expect(logged).toHaveLength(2);
  });

  it.each([
    ['invalid JSON', '{'],
    ['an object', { i: '1', p: { u: '/settings/change' } }],
    ['a name of another form', '{"i":"1","p":{"u":"/__proto__/x"}}'],
    ['a stream to the main process', '{"i":"4","t":3,"p":{"e":"message"}}'],
    ['bytes', new Uint8Array([1, 255, 2])],
    ['more than a call can contain', `{"i":"1","p":{"u":"/a/b","b":"${'x'.repeat(maxFrameLength)}"}}`],
  ])('close at %s', async (_name, frame) => {
    const { connect, logged } = start();
    const [port] = connect(1);
    if (!port) throw new Error('no port');
    const closed = closing(port);
    port.start();
    port.postMessage(frame);
    await closed;
    expect(logged).toEqual(['A window sent an invalid message; its port was closed.']);
  });

  it('cancel running calls when they close', async () => {
    const { connect, stopped } = start();
    const [port] = connect(1);
    if (!port) throw new Error('no port');
    const notices = await client(port).events.notices();
    const next = notices.next().catch(() => 'ended');
    port.postMessage('{');
    await next;
    await expect.poll(stopped).toBe(1);
  });
});

describe('a file dropped on the window', () => {
  const folder = useFolders();

  function start() {
    const files = createFiles();
    const logged: string[] = [];
    const handlers = new Map<string, Parameters<OfferOptions['ipc']['handle']>[1]>();
    acceptOffers({
      ipc: { handle: (channel, listener) => void handlers.set(channel, listener) },
      isOwn: ({ sender }) => sender.id === 1,
      files,
      log: (sentence) => logged.push(sentence),
    });
    const offer = async (path: unknown, id = 1) =>
      handlers.get(channels.offer)?.({ sender: { id }, senderFrame: null }, path);
    return { offer, files, logged };
  }

  it('is read from its folder, and the window gets a token without its path', async () => {
    const { offer, files } = start();
    const home = await folder();
    const path = join(home, 'Brønn 7.csv');
    await writeFile(path, 'a,b\n1,2\n');
    const offered = await offer(path);
    expect(offered).toMatchObject({ ok: true, value: { name: 'Brønn 7.csv', bytes: 8 } });
    expect(JSON.stringify(offered)).not.toContain(home);
    if (!offered?.ok) throw new Error('refused');
    expect(files.source(offered.value.token)).toEqual({ place: 'path', path, name: 'Brønn 7.csv' });
  });

  it.each([
    ['a folder', (home: string) => home, 'it is a folder'],
    ['a missing file', (home: string) => join(home, 'gone.csv'), 'it doesn’t exist'],
    ['a file created by the page', () => '', 'it wasn’t dropped or chosen in this window'],
    ['a relative path', () => 'survey.csv', 'it wasn’t dropped or chosen in this window'],
    ['another type of item', () => ({ path: '/etc/passwd' }), 'it wasn’t dropped or chosen in this window'],
  ])('is rejected when it is %s, without its path', async (_name, pathIn, reason) => {
    const { offer } = start();
    const home = await folder();
    await mkdir(join(home, 'inner'));
    const offered = await offer(pathIn(join(home, 'inner')));
    expect(offered).toMatchObject({ ok: false, error: { code: 'file_unreadable', details: { reason } } });
    expect(JSON.stringify(offered)).not.toContain(home);
  });

  it('is rejected and logged when a foreign sender offers it', async () => {
    const { offer, logged } = start();
    expect(await offer(import.meta.filename, 2)).toMatchObject({ ok: false, error: { code: 'internal' } });
    expect(logged).toHaveLength(1);
  });
});

describe('a message', () => {
  const windows = new Set([7]);
  const frame = { url: 'app://wellbench/', parent: null };

  it('is ours when it comes from the main frame of our window, on our page', () => {
    expect(isOwnMessage({ sender: { id: 7 }, senderFrame: frame }, windows)).toBe(true);
  });

  it.each([
    ['another window', { sender: { id: 8 }, senderFrame: frame }],
    ['a frame within our page', { sender: { id: 7 }, senderFrame: { ...frame, parent: frame } }],
    [
      'another page in our window',
      { sender: { id: 7 }, senderFrame: { ...frame, url: 'https://evil.example/' } },
    ],
    ['an empty page in our window', { sender: { id: 7 }, senderFrame: { ...frame, url: 'about:blank' } }],
    ['a removed frame', { sender: { id: 7 }, senderFrame: null }],
  ])('is foreign when it comes from %s', (_name, message) => {
    expect(isOwnMessage(message, windows)).toBe(false);
    expect(describeSender(message)).not.toBe('');
  });
});
