import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket, type AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:https';
import { afterEach } from 'vitest';

/** A complete request as received by a server. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Handles a request; the result is sent as JSON, or nothing if it has responded itself. */
export type RequestHandler = (request: ReceivedRequest, response: ServerResponse, socket: Socket) => unknown;

export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly seen: ReceivedRequest[];
}

/** Real servers on port 0, closed after each test. */
export function useServers() {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
  });

  async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    });
    return (server.address() as AddressInfo).port;
  }

  function answering(seen: ReceivedRequest[], answer: RequestHandler) {
    return (request: IncomingMessage, response: ServerResponse): void => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const one: ReceivedRequest = {
          method: request.method ?? '',
          url: new URL(request.url ?? '/', 'http://service'),
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        };
        seen.push(one);
        void Promise.resolve(answer(one, response, request.socket)).then((value) => {
          if (value !== undefined) response.end(JSON.stringify(value));
        });
      });
    };
  }

  return {
    async http(answer: RequestHandler): Promise<TestServer> {
      const seen: ReceivedRequest[] = [];
      const port = await listen(createServer(answering(seen, answer)));
      return { url: `http://127.0.0.1:${port}`, port, seen };
    },
    async https(pair: { key: string; cert: string }, answer: RequestHandler): Promise<TestServer> {
      const seen: ReceivedRequest[] = [];
      const port = await listen(createTlsServer(pair, answering(seen, answer)));
      return { url: `https://127.0.0.1:${port}`, port, seen };
    },
    /** A server of raw bytes. */
    async tcp(onSocket: (socket: Socket) => void): Promise<TestServer> {
      const port = await listen(createTcpServer(onSocket));
      return { url: `http://127.0.0.1:${port}`, port, seen: [] };
    },
    /** A server of node:http with its own setup. */
    async raw(server: Server): Promise<TestServer> {
      const port = await listen(server);
      return { url: `http://127.0.0.1:${port}`, port, seen: [] };
    },
    /** A port without a listener. */
    async nobody(): Promise<TestServer> {
      const server = createTcpServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      await new Promise<void>((resolve) => server.close(() => resolve()));
      return { url: `http://127.0.0.1:${port}`, port, seen: [] };
    },
  };
}
