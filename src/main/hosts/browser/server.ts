import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import sirv from 'sirv';
import { AppError } from '../../../shared/errors/errors.ts';
import type { AppRouter } from '../../dispatch.ts';
import type { Files } from '../../files/files.ts';
import { plainName } from '../../files/plain-name.ts';
import {
  limitConnections,
  type ConnectionLimits,
  foreign,
  hasOrigin,
  targetOf,
  type Target,
  answerOnward,
  answerPage,
  answerSignIn,
  securityHeaders,
} from './guard.ts';
import { linkPath, type LinkAnswer } from './running-hosts.ts';
import { createSession } from './session.ts';
import { createSockets } from './socket.ts';
import { receiveFile, sendFile } from './transfer.ts';

// Not imported: Node would load all that `node:http` has, its own fetch included, and a start would feel that.
const { createServer } = process.getBuiltinModule('node:http');

export interface BrowserHostOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly router: AppRouter;
  readonly files: Files;
  /** Folder of the built renderer. */
  readonly renderer: string;
  /** Folder for picked files until a job takes them over. */
  readonly spool: string;
  readonly onFault: (error: AppError) => void;
  readonly limits?: ConnectionLimits;
}

export type BrowserHost = Awaited<ReturnType<typeof startBrowserHost>>;

/**
 * The largest headers of a request, in bytes. Cookies ignore ports, so a browser sends us those of every other server
 * of this machine too: 180 of 4 kB at most.
 */
const maxHeaderSize = 1024 * 1024;

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });

/** Serves the window to the person's own browser, on this machine only: pages, `/ws` for calls, `/files` for files. */
export async function startBrowserHost(options: BrowserHostOptions) {
  const { router, files, onFault } = options;
  // A large file on a slow disk takes more than the five minutes that Node gives a request; limitConnections ends
  // those who only pretend to send one.
  const server = createServer({ maxHeaderSize, requestTimeout: 0 });
  const admit = limitConnections(server, options.limits ?? {});
  const port = await listen(server, options.port);
  const session = createSession(port);
  const pages = sirv(options.renderer, { etag: false, single: false });
  const headers = securityHeaders(port);
  const newLink = (): string => `http://127.0.0.1:${port}/${session.issue()}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const refuse = (say: () => void): void => {
      // What else it sends is not read.
      response.setHeader('Connection', 'close');
      say();
    };
    const refusal = foreign(request, port);
    if (refusal) return refuse(() => answerPage(response, 403, refusal));
    const { path, parameters } = targetOf(request);
    const signedIn = session.holds(request);
    // What only looks at a link, as a preview does, does not use it up.
    if (request.method === 'GET' && parameters.has('token')) {
      const cookie = session.redeem(parameters.get('token'));
      // A link that this browser has used before leads on: it stands in its history and its reopened tabs.
      if (!cookie && !signedIn)
        return refuse(() => answerSignIn(response, 403, 'This sign-in link has expired'));
      admit(request.socket);
      if (cookie) response.setHeader('Set-Cookie', cookie);
      // A strict cookie is not sent along where a navigation began elsewhere, as in the file that leads a browser here:
      // so there the page itself leads on.
      if (request.headers['sec-fetch-site'] === 'cross-site') answerOnward(response);
      else response.writeHead(302, { Location: '/' }).end();
      return undefined;
    }
    if (request.method === 'POST' && path === linkPath && session.mayIssue(request)) {
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ url: newLink() } satisfies LinkAnswer));
      return undefined;
    }
    if (!signedIn)
      return refuse(() => answerSignIn(response, 401, 'This browser is not signed in to Wellbench'));
    admit(request.socket);
    return route(request, response, { path, parameters });
  }

  async function route(
    request: IncomingMessage,
    response: ServerResponse,
    { path, parameters }: Target,
  ): Promise<void> {
    if (request.method === 'POST' && path === '/files')
      return receiveFile(request, response, plainName(parameters.get('name')), {
        files,
        spool: options.spool,
      });
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return answerPage(response, 405, 'Not supported here.');
    const token = /^\/files\/([A-Za-z0-9_-]+)$/.exec(path)?.[1];
    if (token) return sendFile(response, token, files);
    return pages(request, response, () => answerPage(response, 404, 'Nothing found at this address.'));
  }

  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent)
        answerPage(response, error instanceof AppError ? 404 : 500, 'File not found.');
      else response.destroy();
    });
  });

  const sockets = createSockets(router, onFault);
  server.on('upgrade', (request, socket, head) => {
    // Node leaves the errors of an upgraded connection to us, a reset among them.
    socket.on('error', () => socket.destroy());
    const allowed =
      !foreign(request, port) &&
      hasOrigin(request) &&
      session.holds(request) &&
      targetOf(request).path === '/ws';
    if (!allowed)
      return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n', () => socket.destroy());
    admit(socket);
    return sockets.accept(request, socket, head);
  });

  return {
    port,
    /** A new sign-in link: the address with a one-time token. The link before it is no longer good. */
    newLink,
    /** What `wellbench open` proves itself with when it asks for a new link. */
    linkKey: session.linkKey,
    async close(): Promise<void> {
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
