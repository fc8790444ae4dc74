import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { RPCHandler } from '@orpc/server/message-port';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { AppError } from '../../../shared/errors/errors.ts';
import { gates } from '../../dispatch.ts';
import type { AppRouter } from '../../dispatch.ts';
import { isFrame, largestFrame } from '../frames.ts';
import { encodePage } from './page-frame.ts';

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

export interface Sockets {
  /** Takes over a request that is already known to be ours. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** Carries calls, cancels and streams of windows over WebSocket. */
export function createSockets(router: AppRouter, onFault: (error: AppError) => void): Sockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: largestFrame });
  const handler = new RPCHandler(router, gates(onFault));
  server.on('connection', (socket) => {
    // A broken frame ends its own socket; nobody else hears of it.
    socket.on('error', () => socket.terminate());
    handler.upgrade(portOf(socket), { context: {} });
  });
  return {
    accept: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, (opened) => server.emit('connection', opened, request)),
    close() {
      for (const socket of server.clients) socket.terminate();
    },
  };
}
