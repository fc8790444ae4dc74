import sirv from 'sirv';
import { existsSync, createWriteStream } from 'node:fs';
import { readdir, rm, stat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp, type AppRouter } from '../../app.ts';
import { invalidInput, toAppError, AppError } from '../../../shared/errors/errors.ts';
import { chooseInDataFolder } from '../no-dialogs.ts';
import { announceHost, linkPath, handOverPath, type LinkResponse } from './running-hosts.ts';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Files } from '../../core/files/files.ts';
import { plainName } from '../../core/files/plain-name.ts';
import { startedWith, type StartedWith } from '../open-arguments.ts';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { createCallServer, policyHeaders, reportFaults } from '../window-host.ts';
import { WebSocketServer } from 'ws';
import { maxFrameLength, type CallLimits } from '../limited-port.ts';
import { pageDelimiter } from '../../../shared/query/page-frame.ts';
import { pipeline } from 'node:stream/promises';
import { appErrorFrom, isDiskFull } from '../../core/files/file-errors.ts';
import { openRegular } from '../../core/files/regular-file.ts';

/** Receives a selected file: streams it to a spool and grants a token. */
async function receiveFile(
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
  { files, spool }: { files: Files; spool: string },
): Promise<void> {
  const folder = join(spool, randomBytes(12).toString('hex'));
  const path = join(folder, name);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await pipeline(request, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    const granted = await files.grantSource({ place: 'spooled', path, name });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(granted));
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    const error = isDiskFull(cause)
      ? new AppError('disk_full', { file: name, writtenBytes: 0 }, { cause })
      : appErrorFrom(cause);
    if (!response.writableEnded)
      response
        .writeHead(507, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ error: error.toBody() }));
  }
}

/** Maximum length of a text that another process of the user sends, in bytes. */
const maxTextBytes = 1_000_000;

/** @throws AppError `invalid_input` if it is too long */
async function receiveText(request: IncomingMessage): Promise<string> {
  let body = Buffer.alloc(0);
  for await (const part of request) {
    body = Buffer.concat([body, Buffer.from(part)]);
    if (body.length > maxTextBytes) throw invalidInput('The request is too long.');
  }
  return body.toString('utf8');
}

/** Sends a job's file as a download. @throws AppError `file_unreadable`, `invalid_input` for an invalid token */
async function sendFile(response: ServerResponse, token: string, files: Files): Promise<void> {
  const source = files.source(token);
  const file = await openRegular(source.path, source.name);
  const { size } = await file.stat();
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': size,
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(source.name.toWellFormed())}`,
  });
  await pipeline(file.createReadStream(), response);
}

/** The close code for a message that breaks the rules (RFC 6455, section 7.4.1). */
const policyViolation = 1008;

/** Carries calls, cancels and streams of windows over WebSocket. */
export function createSockets(router: AppRouter, onFault: (error: AppError) => void, limits?: CallLimits) {
  const server = new WebSocketServer({ noServer: true, maxPayload: maxFrameLength });
  const serve = createCallServer(router, onFault, limits);
  server.on('connection', (socket) => {
    // An invalid frame ends only its own socket.
    socket.on('error', () => socket.terminate());
    const calls = serve({
      send: (data) => socket.send(typeof data === 'string' ? data : encodePage(data), () => calls.onRead()),
      end(reason) {
        socket.close(policyViolation, reason);
        // A window that doesn't read gets no close frame either.
        if (socket.bufferedAmount > 0) socket.terminate();
      },
      unreadBytes: () => socket.bufferedAmount,
    });
    socket.on('close', () => calls.close());
    socket.addEventListener('message', ({ data }) => calls.receive(data));
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

const secret = (): string => randomBytes(32).toString('base64url');

function isEqual(actual: string | undefined | null, expected: string): boolean {
  const a = Buffer.from(actual ?? '');
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The one session of a browser host: tokens that open it once each, and the cookie they are exchanged for. */
export type Session = ReturnType<typeof createSession>;

/**
 * @param port makes the cookie's name its own: cookies ignore ports, and another instance must not overwrite ours
 */
export function createSession(port: number) {
  const name = `wellbench-${port}`;
  const cookie = secret();
  const linkKey = secret();
  let token: string | null = null;
  return {
    /** A new query string that opens the session once: `?token=…`. Revokes the last one. */
    issue(): string {
      token = secret();
      return `?token=${token}`;
    },
    /** The key of `wellbench open` for new links. */
    linkKey,
    /** Whether a request proves itself with {@link linkKey}: `Authorization: Bearer …`. */
    mayIssue: ({ headers }: IncomingMessage): boolean => isEqual(headers.authorization, `Bearer ${linkKey}`),
    /** The Set-Cookie header when the token is right and unused; null otherwise. Uses it up. */
    redeem(actual: string | null): string | null {
      if (token === null || !isEqual(actual, token)) return null;
      token = null;
      return `${name}=${cookie}; HttpOnly; SameSite=Strict; Path=/`;
    },
    holds(request: IncomingMessage): boolean {
      const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
      return pairs.some(([key, value]) => key === name && isEqual(value, cookie));
    },
  };
}

/**
 * The name in sign-in links. A page that was at a port before keeps its service workers, which would get the token of a link to
 * the same name; so a port that is used again has a new name each time. Browsers look up names below `localhost` themselves.
 * @param requestedPort 0: a port that is free, which no page was at
 */
export const linkHostName = (requestedPort: number): string =>
  requestedPort === 0 ? '127.0.0.1' : `${randomBytes(10).toString('hex')}.localhost`;

/** The names under which this host is served, with its port. */
export const servedHosts = (linkName: string, port: number): readonly string[] =>
  [...new Set([linkName, '127.0.0.1', 'localhost'])].map((name) => `${name}:${port}`);

/**
 * Why a request is refused before it is handled; null: it is allowed. `Host` must be this host (protects
 * against DNS rebinding), and a page of another origin, other ports included, must not use the session's
 * cookie.
 * @param hosts those of {@link servedHosts}
 */
export function refusalReason(request: IncomingMessage, hosts: readonly string[]): string | null {
  const { host, origin } = request.headers;
  if (host === undefined || !hosts.includes(host)) return 'This address isn’t served here.';
  if (origin !== undefined && origin !== `http://${host}`) return 'Requests from other sites are refused.';
  const fetchSite = request.headers['sec-fetch-site'];
  // A link that the user follows; other origins can't frame this page.
  const navigation =
    request.headers['sec-fetch-mode'] === 'navigate' &&
    request.headers['sec-fetch-dest'] === 'document' &&
    request.method === 'GET';
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none' && !navigation)
    return 'Requests from other sites are refused.';
  return null;
}

/** The path and the parameters of a request; clients can send anything, and nothing may throw. */
export function parseTarget({ url = '' }: IncomingMessage) {
  const [path = '', query] = url.split(/\?(.*)/s, 2);
  return { path, parameters: new URLSearchParams(query) };
}

/** Bounds of connections that have not shown the session's cookie. */
export interface ConnectionLimits {
  /** Maximum number of unauthenticated connections; the oldest is closed for a new one. Default: 64. */
  readonly maxUnauthenticated?: number;
  /** How long each lasts, in milliseconds. Default: 10 s. */
  readonly unauthenticatedMs?: number;
}

/** All connections, windows included: each window needs two sockets, and a browser opens six more. */
const maxConnections = 512;

/**
 * Closes connections that don't authenticate: any local user and any web page can open some.
 * @returns removes the limits from a connection that sent the session's cookie
 */
export function limitConnections(
  server: Server,
  { maxUnauthenticated = 64, unauthenticatedMs = 10_000 }: ConnectionLimits,
): (socket: Duplex) => void {
  const timers = new Map<Duplex, NodeJS.Timeout>();
  const untrack = (socket: Duplex): void => {
    clearTimeout(timers.get(socket));
    timers.delete(socket);
  };
  server.maxConnections = maxConnections;
  server.on('connection', (socket) => {
    timers.set(
      socket,
      setTimeout(() => socket.destroy(), unauthenticatedMs),
    );
    socket.once('close', () => untrack(socket));
    const [oldest] = timers.keys();
    if (timers.size > maxUnauthenticated) oldest?.destroy();
  });
  return untrack;
}

/** Headers of every response: the common policy, this host's socket, and no caching. @param hosts those of {@link servedHosts} */
export function securityHeaders(hosts: readonly string[]): Record<string, string> {
  return {
    ...policyHeaders(hosts.map((host) => `ws://${host}`)),
    'Cache-Control': 'no-store',
  };
}

/** Responds with a short page. */
export function sendPage(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${sentence}\n`);
}

/** Leads a browser that has just signed in to the page, by a navigation of our own. */
export function sendRedirectPage(response: ServerResponse): void {
  response
    .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    .end('<!doctype html><meta http-equiv="refresh" content="0; url=/">\n');
}

/** The page of a browser that is not signed in: what is wrong, and how to get a sign-in link. No script, no secret. */
export function sendSignInPage(response: ServerResponse, status: 401 | 403, heading: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${heading}</title>
<style>
  body { max-width: 36rem; margin: 12vh auto; padding: 0 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }
  h1 { font-size: 1.375rem; line-height: 1.25; }
  li { margin: 0.5rem 0; }
  code { padding: 0.1em 0.3em; border: 1px solid color-mix(in srgb, currentColor 30%, transparent); border-radius: 4px; }
</style>
<main>
  <h1>${heading}</h1>
  <p>A sign-in link works once, and the sign-in ends when the browser is closed. Your work and jobs are kept.</p>
  <ol>
    <li>Get a new link: press <kbd>Enter</kbd> in the terminal where <code>wellbench serve</code> runs, or run
      <code>wellbench open</code> in any terminal.</li>
    <li>Open the link in this browser.</li>
  </ol>
  <p>Signed in in another tab? <a href="/">Open Wellbench</a></p>
</main>
</html>
`);
}

// Not imported: Node would load all that `node:http` has, its own fetch included, and a start would feel that.
const { createServer } = process.getBuiltinModule('node:http');

export interface BrowserHostOptions {
  /** 0: a port that is free. */
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
      // Its window may open first.
      admit(request.socket);
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
    { path, parameters }: ReturnType<typeof parseTarget>,
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
    hasWindow: (): boolean => sockets.count() > 0,
    linkKey: session.linkKey,
    async close(): Promise<void> {
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface ServeOptions {
  /** 0: a port that is free. */
  readonly port: number;
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** For the application, which ends with its window: opens what another start hands over. */
  readonly onOpen?: BrowserHostOptions['onOpen'];
}

export type Serving = Awaited<ReturnType<typeof runServe>>;

/** A day, in milliseconds: a picked file that no job took over is of no use after it. */
const spoolLifetime = 24 * 60 * 60 * 1000;

/** @param maxAgeMs of what stays */
async function clearSpool(spool: string, maxAgeMs = spoolLifetime): Promise<void> {
  const names = await readdir(spool).catch(() => []);
  for (const name of names) {
    const stats = await stat(join(spool, name)).catch(() => null);
    // The clock may have been ahead when it was written.
    if (stats && Math.abs(Date.now() - stats.mtimeMs) > maxAgeMs)
      await rm(join(spool, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

// The built renderer is beside the built main; from source it is in the same place of the checkout.
const builtRenderer = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../../out/renderer' : '../renderer', import.meta.url),
);

/**
 * Starts the core with the browser host.
 * @throws AppError `invalid_input` when the port is taken or the window wasn't built
 */
export async function runServe({ port, dataFolder, env, onOpen }: ServeOptions) {
  if (!existsSync(join(builtRenderer, 'index.html')))
    throw invalidInput('The window is not built yet. Run npm run build, or npm start, which builds it.');
  const spool = join(dataFolder, 'spool');
  await clearSpool(spool);
  // A tab that is open for days still has its file.
  const sweep = setInterval(() => void clearSpool(spool, 7 * spoolLifetime), spoolLifetime).unref();
  const app = await createApp({
    host: 'browser',
    fileMode: 'stream',
    endsWithWindow: onOpen !== undefined,
    dataFolder,
    env,
    choose: chooseInDataFolder(dataFolder),
  });
  const fault = reportFaults(app.log, (sentence) => process.stderr.write(`${sentence}\n`));
  const host = await startBrowserHost({
    port,
    router: app.router,
    files: app.files,
    renderer: builtRenderer,
    spool,
    onFault: fault,
    onOpen,
  }).catch(async (error: unknown) => {
    await app.close();
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw invalidInput(`Port ${port} is in use. Choose another with --port.`);
    throw error;
  });
  const withdraw = await announceHost(dataFolder, {
    port: host.port,
    linkKey: host.linkKey,
    isApp: onOpen !== undefined,
  }).catch((error: unknown) => {
    // Enter in the terminal still issues a link.
    app.log.fault(toAppError(error));
    return async () => undefined;
  });
  return {
    /** Issues a new sign-in link and revokes the last one. */
    newLink: host.newLink,
    /** Logs an uncaught error, also to stderr. */
    fault,
    app,
    hasWindow: host.hasWindow,
    async close(): Promise<void> {
      clearInterval(sweep);
      await withdraw();
      await host.close();
      await app.close();
    },
  };
}
