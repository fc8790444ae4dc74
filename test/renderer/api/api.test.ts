import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/shared/errors/errors.ts';
import { createApi, type Api } from '../../../src/renderer/api/api.ts';
import { portChannel } from '../../../src/renderer/api/port.ts';
import { openSocket } from '../../../src/renderer/api/socket.ts';
import { socketAddress } from '../../../src/renderer/api/own-socket.ts';
import { page, servePort, serveSocket, type Seen } from './host.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const carriers: Record<string, (seen: Seen) => Promise<Api>> = {
  'a WebSocket': async (seen) => {
    const host = await serveSocket(seen);
    const channel = await openSocket(host.address);
    closing.push(host.close, channel.close);
    return createApi(channel.link);
  },
  'a WebSocket that was opened before': async (seen) => {
    const host = await serveSocket(seen);
    const socket = new WebSocket(host.address);
    await once(socket, 'open');
    const channel = await openSocket(host.address, socket);
    closing.push(host.close, channel.close);
    return createApi(channel.link);
  },
  'a message port': async (seen) => {
    const host = servePort(seen);
    const channel = portChannel(host.port);
    closing.push(host.close, channel.close);
    return createApi(channel.link);
  },
};
const requestOf = (query: string) => ({ connection: 'c', provider: 'demo', dataset: 'wits', query });
const errorOf = async (call: Promise<unknown>): Promise<AppError> => {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error(`not an AppError: ${String(error)}`);
  return error;
};

describe.each(Object.entries(carriers))('the client over %s', (_, connect) => {
  const emptyLog = (): Seen => ({ aborted: 0, begun: () => undefined });

  it('calls the procedures of the contract', async () => {
    const api = await connect(emptyLog());
    expect(await api.query.count(requestOf('{}'))).toEqual({ count: 7, ms: 1 });
  });

  it('gets the records of a page as the bytes of the main process', async () => {
    const api = await connect(emptyLog());
    const answer = await api.query.find({ ...requestOf('{}'), limit: 1 });
    expect([...answer.records]).toEqual([...page]);
    expect(answer).toMatchObject({ count: 1, total: null, ms: 1 });
  });

  it('rejects with the error that the main process threw, with its details', async () => {
    const error = await errorOf((await connect(emptyLog())).query.count(requestOf('refused')));
    expect(error.toBody()).toMatchObject({
      code: 'refused',
      details: { service: 'data', status: 412, said: 'no' },
    });
    expect(error.message).toContain('412');
  });

  it('rejects input that does not fit the contract, naming the field', async () => {
    const api = await connect(emptyLog());
    const error = await errorOf(api.query.count({ ...requestOf('{}'), dataset: '' }));
    expect(error.is('invalid_input') && error.details.issues[0]?.place?.field).toBe('dataset');
  });

  it('rejects with internal on an unexpected error in the main process', async () => {
    expect((await errorOf((await connect(emptyLog())).query.count(requestOf('fault')))).code).toBe(
      'internal',
    );
  });

  it('cancels in the main process what the window cancels', async () => {
    const start = Promise.withResolvers<void>();
    const seen: Seen = { aborted: 0, begun: start.resolve };
    const api = await connect(seen);
    const controller = new AbortController();
    const call = errorOf(api.query.count(requestOf('wait'), { signal: controller.signal }));
    await start.promise;
    controller.abort();
    expect((await call).code).toBe('cancelled');
    await expect.poll(() => seen.aborted).toBe(1);
  });

  it('receives events, and an AppError when the stream breaks', async () => {
    const api = await connect(emptyLog());
    const numbers: number[] = [];
    const listening = async () => {
      for await (const notice of await api.events.notices({}))
        if (notice.kind === 'retry') numbers.push(notice.attempt);
    };
    expect((await errorOf(listening())).code).toBe('service_failed');
    expect(numbers).toEqual([2]);
  });
});

describe('openSocket', () => {
  it('rejects when its socket is already closed', async () => {
    const host = await serveSocket({ aborted: 0, begun: () => undefined });
    const socket = new WebSocket(host.address);
    await once(socket, 'open');
    socket.close();
    await once(socket, 'close');
    expect((await errorOf(openSocket(host.address, socket))).code).toBe('internal');
    await host.close();
  });
});

describe('socketAddress', () => {
  it('is on the page’s own host, and as secure as the page', () => {
    expect(socketAddress({ protocol: 'http:', host: '127.0.0.1:8080' })).toBe('ws://127.0.0.1:8080/ws');
    expect(socketAddress({ protocol: 'https:', host: 'wellbench.test' })).toBe('wss://wellbench.test/ws');
  });
});
