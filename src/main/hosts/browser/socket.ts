import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { RPCHandler } from '@orpc/server/message-port';
import { WebSocketServer, type WebSocket } from 'ws';
import type { AppError } from '../../../shared/errors/errors.ts';
import { errorInterceptors, type AppRouter } from '../../dispatch.ts';
import { isFrame, maxFrameLength } from '../frames.ts';
import { pageDelimiter } from '../../../shared/query/page-frame.ts';

/** The close code for a message that breaks the rules (RFC 6455, section 7.4.1). */
const policyViolation = 1008;

/** The socket as the RPC handler sees it: only frames of the right form get through, another one ends the socket. */
const portOf = (socket: WebSocket) => ({
  on(event: string, listener: (message?: { data: unknown }) => void): void {
    if (event === 'close') socket.on('close', () => listener());
    if (event !== 'message') return;
    socket.addEventListener('message', ({ data }) => {
      if (isFrame(data)) listener({ data });
      else socket.close(policyViolation, 'unknown message');
    });
  },
  postMessage: (data: unknown): void => socket.send(typeof data === 'string' ? data : encodePage(data)),
});

/** Carries calls, cancels and streams of windows over WebSocket. */
export function createSockets(router: AppRouter, onFault: (error: AppError) => void) {
  const server = new WebSocketServer({ noServer: true, maxPayload: maxFrameLength });
  const handler = new RPCHandler(router, errorInterceptors(onFault));
  server.on('connection', (socket) => {
    // An invalid frame ends only its own socket.
    socket.on('error', () => socket.terminate());
    handler.upgrade(portOf(socket), { context: {} });
  });
  return {
    /** Upgrades a request that is already authenticated. */
    accept: (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
      server.handleUpgrade(request, socket, head, (webSocket) =>
        server.emit('connection', webSocket, request),
      ),
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
