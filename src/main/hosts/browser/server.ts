import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import sirv from 'sirv';
import { AppError, toAppError } from '../../../shared/errors/errors.ts';
import type { AppRouter } from '../../dispatch.ts';
import type { Files } from '../../core/files/files.ts';
import { plainName } from '../../core/files/plain-name.ts';
import {
  limitConnections,
  type ConnectionLimits,
  linkHostName,
  refusalReason,
  parseTarget,
  type Target,
  sendRedirectPage,
  sendPage,
  sendSignInPage,
  securityHeaders,
  servedHosts,
} from './guard.ts';
import { linkPath, handOverPath, type LinkResponse } from './running-hosts.ts';
import { startedWith, type StartedWith } from '../open-arguments.ts';
import { createSession } from './session.ts';
import { createSockets } from './socket.ts';
import { receiveFile, receiveText, sendFile } from './transfer.ts';

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
  /** Opens what another start of the application hands over; absent: nothing is handed over to this host. */
  readonly onOpen?: ((start: StartedWith) => Promise<void>) | undefined;
  readonly limits?: ConnectionLimits;
}

export type BrowserHost = Awaited<ReturnType<typeof startBrowserHost>>;

/**
 * Maximum size of request headers, in bytes. Cookies ignore ports, so a browser also sends those of other
 * local servers: up to 180 of 4 kB.
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

/**
 * Serves the window to the user's browser, on this computer only: pages, `/ws` for calls, `/files` for files.
 */
export async function startBrowserHost(options: BrowserHostOptions) {
  const { router, files, onFault } = options;
  // A large file on a slow disk exceeds Node's five minutes; limitConnections closes clients that send
  // nothing.
  const server = createServer({ maxHeaderSize, requestTimeout: 0 });
  const admit = limitConnections(server, options.limits ?? {});
  const port = await listen(server, options.port);
  const session = createSession(port);
  const pages = sirv(options.renderer, { etag: false, single: false });
  const linkName = linkHostName(options.port);
  const hosts = servedHosts(linkName, port);
  const headers = securityHeaders(hosts);
  const newLink = (): string => `http://${linkName}:${port}/${session.issue()}`;

  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const refuse = (respond: () => void): void => {
      // What else it sends is not read.
      response.setHeader('Connection', 'close');
      respond();
    };
    const refusal = refusalReason(request, hosts);
    if (refusal) return refuse(() => sendPage(response, 403, refusal));
    const { path, parameters } = parseTarget(request);
    const isSignedIn = session.holds(request);
    // A preview of a link must not use it up.
    if (request.method === 'GET' && parameters.has('token')) {
      const cookie = session.redeem(parameters.get('token'));
      // A link that this browser used before redirects: it is in its history and restored tabs.
      if (!cookie && !isSignedIn)
        return refuse(() => sendSignInPage(response, 403, 'This sign-in link has expired'));
      admit(request.socket);
      if (cookie) response.setHeader('Set-Cookie', cookie);
      // A strict cookie is not sent along where a navigation began elsewhere, as in the file that leads a browser here:
      // so there the page itself leads on.
      if (request.headers['sec-fetch-site'] === 'cross-site') sendRedirectPage(response);
      else response.writeHead(302, { Location: '/' }).end();
      return undefined;
    }
    if (request.method === 'POST' && path === linkPath && session.mayIssue(request)) {
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ url: newLink() } satisfies LinkResponse));
      return undefined;
    }
    if (request.method === 'POST' && path === handOverPath && options.onOpen && session.mayIssue(request)) {
      await options.onOpen(startedWith.parse(JSON.parse(await receiveText(request))));
      response.writeHead(200).end();
      return undefined;
    }
    if (!isSignedIn)
      return refuse(() => sendSignInPage(response, 401, 'This browser is not signed in to Wellbench'));
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
      return sendPage(response, 405, 'Not supported here.');
    const token = /^\/files\/([A-Za-z0-9_-]+)$/.exec(path)?.[1];
    if (token) return sendFile(response, token, files);
    return pages(request, response, () => sendPage(response, 404, 'Nothing found at this address.'));
  }

  server.on('request', (request, response) => {
    handleRequest(request, response).catch((error: unknown) => {
      // A page that cancels a download ends it in the middle.
      if (response.headersSent) return void response.destroy();
      if (error instanceof AppError) return sendPage(response, 404, 'File not found.');
      onFault(toAppError(error));
      return sendPage(response, 500, 'Internal error. See the log.');
    });
  });

  const sockets = createSockets(router, onFault);
  server.on('upgrade', (request, socket, head) => {
    // Node leaves the errors of an upgraded connection to us, a reset among them.
    socket.on('error', () => socket.destroy());
    const isAllowed =
      !refusalReason(request, hosts) &&
      // A WebSocket of a page always has it.
      request.headers.origin !== undefined &&
      session.holds(request) &&
      parseTarget(request).path === '/ws';
    if (!isAllowed)
      return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n', () => socket.destroy());
    admit(socket);
    return sockets.accept(request, socket, head);
  });

  return {
    port,
    /** A new sign-in link: the URL with a one-time token. Revokes the last one. */
    newLink,
    /** Whether a window is connected. */
    hasWindow: (): boolean => sockets.count() > 0,
    /** The key of `wellbench open` for new links. */
    linkKey: session.linkKey,
    async close(): Promise<void> {
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
