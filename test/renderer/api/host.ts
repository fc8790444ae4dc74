import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { implement, ORPCError } from '@orpc/server';
import { RPCHandler as PortHandler } from '@orpc/server/message-port';
import { contract } from '../../../src/shared/contract/contract.ts';
import { AppError, appErrorName, toAppError } from '../../../src/shared/errors/errors.ts';
import { errorInterceptors } from '../../../src/main/call-errors.ts';
import type { AppRouter } from '../../../src/main/app.ts';
import { createSockets } from '../../../src/main/hosts/browser/serve.ts';
import { noMarks } from '../../../src/shared/wells/wells.ts';
import type { Notice } from '../../../src/shared/workspace/workspace.ts';

const os = implement({
  query: { count: contract.query.count, find: contract.query.find },
  wells: contract.wells,
  events: contract.events,
});

/** The calls of a test. */
export interface Seen {
  aborted: number;
  begun: () => void;
}

/** The records of a page: even invalid UTF-8 arrives unchanged. */
export const page = Uint8Array.of(0x5b, 0xff, 0xc3, 0xa9, 0x00, 0xff, 0x5d);

const notice: Notice = { kind: 'retry', service: 'data', host: 'h', attempt: 2, nextTryMs: 1, cause: '503' };

/** A few procedures behind the dispatcher that every host uses. */
export function testRouter(seen: Seen) {
  return os.router({
    query: {
      // Returns 7; `wait` waits until it is canceled, every other call fails in some way.
      count: os.query.count.handler(async ({ input, signal }) => {
        if (input.query === 'wait') {
          seen.begun();
          await new Promise((resolve) => signal?.addEventListener('abort', resolve));
          seen.aborted += 1;
          throw toAppError(signal?.reason);
        }
        if (input.query === 'refused')
          throw new AppError('refused', { service: 'data', status: 412, said: 'no' });
        if (input.query === 'fault') throw new Error('a fault of our own');
        return { count: 7, ms: 1 };
      }),
      find: os.query.find.handler(async () => ({ records: page, count: 1, total: null, ms: 1 })),
    },
    wells: {
      resolve: os.wells.resolve.handler(async () => []),
      marks: os.wells.marks.handler(async () => noMarks),
      mark: os.wells.mark.handler(async () => noMarks),
    },
    events: {
      settings: os.events.settings.handler(async function* settings() {}),
      jobs: os.events.jobs.handler(async function* jobs() {}),
      connections: os.events.connections.handler(async function* connections() {}),
      opened: os.events.opened.handler(async function* opened() {}),
      tabs: os.events.tabs.handler(async function* tabs() {}),
      notices: os.events.notices.handler(async function* notices() {
        yield notice;
        const error = new AppError('service_failed', { service: 'data' });
        throw new ORPCError(appErrorName, { message: error.message, data: error.toBody() });
      }),
    },
  });
}

const interceptors = errorInterceptors(() => undefined);

/** The router behind a WebSocket on a free port. */
export async function serveSocket(seen: Seen, port = 0) {
  const server = createServer();
  const open = new Set<Duplex>();
  // Only the procedures that tests call.
  const sockets = createSockets(testRouter(seen) as unknown as AppRouter, () => undefined);
  server.on('upgrade', (request, socket, head) => {
    open.add(socket);
    sockets.accept(request, socket, head);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: taken } = server.address() as AddressInfo;
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: taken,
    address: `ws://127.0.0.1:${taken}/ws`,
    cut,
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The router at the other end of a message port. */
export function servePort(seen: Seen) {
  const { port1, port2 } = new MessageChannel();
  new PortHandler(testRouter(seen), interceptors).upgrade(port2, { context: {} });
  port2.start();
  return { port: port1, close: () => port2.close() };
}
