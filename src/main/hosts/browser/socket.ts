import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { RPCHandler } from '@orpc/server/message-port';
import { WebSocketServer, type WebSocket } from 'ws';
import type { AppError } from '../../../shared/errors/errors.ts';
import { errorInterceptors, type AppRouter } from '../../dispatch.ts';
import { maxFrameLength } from '../frames.ts';
import { LimitedPort, type CallLimits } from '../limited-port.ts';
import { pageDelimiter } from '../../../shared/query/page-frame.ts';

/** The close code for a message that breaks the rules (RFC 6455, section 7.4.1). */
const policyViolation = 1008;

function limitedPort(socket: WebSocket, limits: CallLimits | undefined): LimitedPort {
  const port = new LimitedPort(
    {
      send: (data) => socket.send(typeof data === 'string' ? data : encodePage(data), () => port.onRead()),
      end(reason) {
        socket.close(policyViolation, reason);
        // A window that doesn't read gets no close frame either.
        if (socket.bufferedAmount > 0) socket.terminate();
      },
      unreadBytes: () => socket.bufferedAmount,
    },
    limits,
  );
  socket.on('close', () => port.close());
  socket.addEventListener('message', ({ data }) => port.receive(data));
  return port;
}

/** Carries calls, cancels and streams of windows over WebSocket. */
export function createSockets(router: AppRouter, onFault: (error: AppError) => void, limits?: CallLimits) {
  const server = new WebSocketServer({ noServer: true, maxPayload: maxFrameLength });
  const handler = new RPCHandler(router, errorInterceptors(onFault));
  server.on('connection', (socket) => {
    // An invalid frame ends only its own socket.
    socket.on('error', () => socket.terminate());
    handler.upgrade(limitedPort(socket, limits), { context: {} });
  });
  return {
    /** Upgrades a request that is already authenticated. */
    accept: (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
      server.handleUpgrade(request, socket, head, (webSocket) =>
        server.emit('connection', webSocket, request),
      ),
    /** The number of open ones. A window has two. */
    count: (): number => server.clients.size,
    close(): void {
      for (const socket of server.clients) socket.terminate();
    },
  };
}

/** A message with a page as one binary frame: the JSON of all but the records, the delimiter, the records as they are. */
export function encodePage(message: unknown): Buffer {
  const records: Uint8Array[] = [];
  const head = JSON.stringify(message, (_key, value: unknown) => {
    if (!(value instanceof Uint8Array)) return value;
    records.push(value);
    return undefined;
  });
  return Buffer.concat([Buffer.from(head), Buffer.of(pageDelimiter), ...records]);
}
