import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../shared/errors/errors.ts';
import { type JsonObject, isObject, stringifyJson } from '../shared/json.ts';
import { Tokens, demoSecrets } from './auth.ts';
import * as data from './datasets.ts';
import { FaultDice, type Faults, noFaults, parseFault } from './faults.ts';
import { fillSample, startGrowing } from './generate/sample.ts';
import { Work, predicate } from './mongo.ts';
import { listResources, noRoute, singleResource } from './platform/lists.ts';
import { buildWorld, sampleEnd } from './platform/world.ts';
import {
  type Answer,
  type Call,
  Params,
  Problem,
  type Service,
  invalid,
  parseBody,
  reset,
} from './service.ts';

export type { Faults } from './faults.ts';
export { faultNames, noFaults, parseFault } from './faults.ts';
export { demoSecrets } from './auth.ts';

export interface DemoOptions {
  /** 0, the default: a port that is free. */
  port?: number;
  /** The same seed gives the same wells, records, and credentials. */
  seed?: number;
  /** Wells that the ordinary keys see. */
  wells?: number;
  /** Records in all datasets together. */
  records?: number;
  /** Total number of datasets; those beyond the usual ones are empty. */
  datasets?: number;
  faults?: Partial<Faults>;
  /** Whether faults can be changed over HTTP; off by default. */
  admin?: boolean;
  /** Whether the newest records are current, and a new one is added each second. */
  live?: boolean;
}

/** A running demo: both services on one port of this machine. */
export type Demo = Awaited<ReturnType<typeof startDemo>>;

/** Starts both services (specification, sections 2 to 8) on 127.0.0.1 with sample data in memory. */
export async function startDemo(options: DemoOptions = {}) {
  const { port = 0, seed = 1, wells = 30, records = 200_000, datasets = 0, admin = false, live } = options;
  const faults: Faults = { ...noFaults, ...options.faults };
  const { apiKeys, login } = demoSecrets(seed);
  const end = live ? Math.floor(Date.now() / 1000) * 1000 : sampleEnd;
  const world = buildWorld(seed, wells, end);
  const catalogue = data.buildCatalogue(datasets);
  const filled = fillSample(catalogue, world, seed, records);
  const service: Service = {
    world,
    catalogue,
    tokens: new Tokens(seed, faults),
    faults,
    dice: new FaultDice(seed, faults),
    admin,
    later: (ms, work) => void setTimeout(work, ms).unref(),
  };
  const server = makeServer(service);
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', listening);
  });
  const stopGrowing = live ? startGrowing(filled, end) : () => undefined;
  const dataUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    dataUrl,
    platformUrl: `${dataUrl}${platformPrefix}`,
    apiKeys,
    login,
    /** Can be changed while the demo runs. */
    faults,
    /**
     * Changes a dataset as its owner can, without the checks of an insert.
     * @param dataset provider/dataset
     * @returns the number of removed records
     */
    change(
      dataset: string,
      { insert = [], remove }: { insert?: readonly JsonObject[]; remove?: JsonObject },
    ) {
      const changed = catalogue.all.get(dataset);
      if (!changed) throw new Error(`there is no dataset ${dataset}`);
      const removed = remove ? changed.collection.remove(predicate(remove)) : 0;
      if (insert.length > 0) changed.collection.insert(insert);
      return removed;
    },
    async close(): Promise<void> {
      stopGrowing();
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}

const maxBodyBytes = 64 * 1024 * 1024;

/** Reads a body as text, all of it, so that its sender reads the response. @throws Problem 413 if it is too large */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes <= maxBytes) parts.push(part);
    else parts = [];
  }
  if (bytes > maxBytes)
    throw new Problem(413, `the body is larger than ${String(maxBytes)} bytes`, {
      headers: { Connection: 'close' },
    });
  return Buffer.concat(parts).toString('utf8');
}

type Handler = (call: Call, ...names: string[]) => Answer | Promise<Answer | typeof reset>;
type Methods = Readonly<Record<string, Handler>>;

/** A handler of a dataset that the sender may read. */
const of =
  (handler: (call: Call, dataset: data.Dataset) => Promise<Answer>): Handler =>
  (call, provider = '', dataset = '') =>
    handler(call, data.datasetAt(call, provider, dataset, 'read'));

/** The path prefix of the platform service on the port that both services share. */
const platformPrefix = '/platform';
const tokenPath = `${platformPrefix}/v1/user_token`;
const faultsPath = '/demo/faults';
const recordsPath = '/api/v1/data/*/*/';

/** The only path without an `Authorization` header. */
const signIn: Methods = { POST: userToken };

/** A star is a name. */
const routes: readonly (readonly [path: RegExp, methods: Methods])[] = Object.entries<Methods>({
  [recordsPath]: { GET: of(data.findRecords), POST: data.insertRecords },
  [`${recordsPath}list/`]: { POST: of(data.findRecords) },
  [`${recordsPath}count/`]: { GET: of(data.countRecords) },
  [`${recordsPath}aggregate/`]: { GET: of(data.aggregate) },
  [`${recordsPath}aggregate/pipeline/`]: { GET: of(data.pipeline), POST: of(data.pipeline) },
  '/api/v1/dataset/': { GET: data.listDatasets },
  '/api/v1/dataset/company/': { GET: data.listByCompany },
  '/api/v1/dataset/*/*/': { GET: data.singleDataset },
  [`${platformPrefix}/v2/*/?`]: { GET: listResources },
  [`${platformPrefix}/v2/*/*/?`]: { GET: singleResource },
  [`${tokenPath}/?`]: signIn,
  [faultsPath]: { GET: changeFaults, PATCH: changeFaults, DELETE: changeFaults },
}).map(([path, methods]) => [new RegExp(`^${path.replaceAll('*', '([^/]+)')}$`), methods]);

function match(path: string): { readonly methods: Methods; readonly names: string[] } | undefined {
  const [pattern, methods] = routes.find(([candidate]) => candidate.test(path)) ?? [];
  return pattern && methods && { methods, names: (pattern.exec(path) ?? []).slice(1).map(decode) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Problem(400, 'the path is not encoded as it must be');
  }
}

const isOfPlatform = (path: string): boolean => `${path}/`.startsWith(`${platformPrefix}/`);

/** The category of a request, for faults that affect only some. */
function kindOf(method: string, path: string): Faults['fault_on'] {
  if (isOfPlatform(path)) return path.startsWith(tokenPath) ? 'token' : 'platform';
  return method === 'POST' && /^\/api\/v1\/data\/[^/]+\/[^/]+\/?$/.test(path) ? 'writes' : 'reads';
}

/** Handles a request. @throws Problem for every error status; 401 takes precedence over all others */
export async function route(
  service: Service,
  path: string,
  authorization: string | undefined,
  call: Omit<Call, 'service' | 'identity'>,
): Promise<Answer | typeof reset> {
  const matched = match(path);
  if (!matched) throw notFound(path, call.search);
  const { methods, names } = matched;
  const identity = methods === signIn ? 'read' : service.tokens.identify(authorization);
  if (path === faultsPath && !service.admin) throw notFound(path, call.search);
  if (path === faultsPath && identity !== 'admin') throw new Problem(403, 'only the admin key may do this');
  const handler = methods[call.method];
  if (handler) return handler({ ...call, service, identity }, ...names);
  const headers = { Allow: Object.keys(methods).join(', ') };
  throw new Problem(405, 'this path has no such method', { headers });
}

// A path of the data service without its slash is redirected to the one with it.
function notFound(path: string, search: URLSearchParams): Problem {
  if (isOfPlatform(path)) return noRoute();
  if (!match(`${path}/`)) return new Problem(404, 'there is nothing at this path');
  const query = search.size > 0 ? `?${search.toString()}` : '';
  return new Problem(307, 'the path ends with a slash', { headers: { Location: `${path}/${query}` } });
}

/** `POST /v1/user_token`: tokens for an email and password, or for a refresh token (specification, section 5). */
async function userToken({ service: { tokens }, body }: Call): Promise<Answer> {
  const request = parseBody(await body());
  const auth = isObject(request) ? request['auth'] : null;
  const { refresh_token, email, password } = isObject(auth) ? auth : {};
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
  let issued: ReturnType<typeof tokens.login>;
  if (isText(refresh_token)) issued = tokens.refresh(refresh_token);
  else if (isText(email) && isText(password)) issued = tokens.login(email, password);
  else throw invalid('auth must hold email and password, or refresh_token alone');
  return { status: 200, body: JSON.stringify(issued) };
}

/** Reads (GET), changes (PATCH), or resets (DELETE) the faults; every response has all of them. */
async function changeFaults({ service: { faults }, method, body }: Call): Promise<Answer> {
  if (method === 'DELETE') Object.assign(faults, noFaults);
  if (method === 'PATCH') {
    const changes = parseBody(await body());
    if (!isObject(changes)) throw invalid('the body must be an object of faults');
    const texts = Object.entries(changes).map(
      ([name, value]) => `${name}=${typeof value === 'string' ? value : stringifyJson(value)}`,
    );
    for (const fault of texts.map(parseFault)) Object.assign(faults, fault);
  }
  return { status: 200, body: JSON.stringify(faults) };
}

const piecesPerSecond = 20;

/** The response for anything that was thrown: `{code, message}`, or as proxies respond. */
function toResponse(error: unknown, faults: Faults): Answer {
  const text = error instanceof Error ? error.message : String(error);
  const other = error instanceof AppError ? invalid(text) : new Problem(500, `the service failed: ${text}`);
  const problem = error instanceof Problem ? error : other;
  const { status, message, headers } = problem;
  if (faults.html_errors && status >= 400) {
    const body = `<!doctype html><html><head><title>${String(status)}</title></head><body><h1>${String(status)}</h1></body></html>`;
    return { status, body, headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' } };
  }
  return { status, body: JSON.stringify(problem.body ?? { code: status, message }), headers };
}

/** Sends a response: at once or throttled, whole or cut in the middle with the connection closed. */
async function send(response: ServerResponse, answer: Answer, faults: Faults, cut: boolean): Promise<void> {
  const body = Buffer.from(answer.body);
  response.writeHead(answer.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    ...answer.headers,
  });
  const length = cut ? Math.floor(body.length / 2) : body.length;
  const piece = faults.bandwidth > 0 ? Math.max(1, Math.floor(faults.bandwidth / piecesPerSecond)) : length;
  for (let at = 0; at < length && !response.destroyed; at += piece) {
    response.write(body.subarray(at, Math.min(at + piece, length)));
    if (at + piece < length) await wait(1000 / piecesPerSecond);
  }
  if (cut) response.socket?.destroySoon();
  else response.end();
}

// Not imported statically: Node would load all of `node:http`, including fetch, which slows each start.
const { createServer } = process.getBuiltinModule('node:http');

/** The HTTP server of a demo, before it listens. */
function makeServer(service: Service): Server {
  const server = createServer((request, response) => {
    handle(service, request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 30_000;
  return server;
}

async function handle(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { faults, dice } = service;
  const { method = 'GET', headers: { authorization } } = request; // oxfmt-ignore
  const { path, search } = addressOf(request.url ?? '/');
  const call = {
    method,
    params: new Params(search),
    search,
    work: new Work(() => response.destroyed),
    body: async () => readBody(request, faults.max_body || maxBodyBytes),
  };
  // The requests that change faults meet none.
  const isAffected = path !== faultsPath && ['all', kindOf(method, path)].includes(faults.fault_on);
  const delay = faults.latency_ms + (faults.jitter_ms > 0 ? dice.next('jitter') * faults.jitter_ms : 0);
  if (isAffected && delay > 0) await wait(delay);
  const serve = async () =>
    (isAffected ? faultBefore(service) : null) ?? route(service, path, authorization, call);
  const answer = await serve().catch((error: unknown) =>
    toResponse(error, path === faultsPath ? noFaults : faults),
  );
  if (answer === reset) request.socket.resetAndDestroy();
  else if (!response.destroyed)
    await send(response, answer, faults, isAffected && answer.status < 300 && dice.shouldFail('truncate'));
}

// The path stays as received; only the host of a proxy request's absolute address is removed.
function addressOf(url: string): { path: string; search: URLSearchParams } {
  const [, path = '', query = ''] = /^(?:https?:\/\/[^/?]*)?([^?]*)\??(.*)$/is.exec(url) ?? [];
  return { path: path || '/', search: new URLSearchParams(query) };
}

/** The fault that a request meets before it is handled. @throws Problem 429 or 503 */
function faultBefore({ faults: { retry_after }, dice }: Service): typeof reset | null {
  if (dice.shouldFail('reset_before')) return reset;
  if (dice.shouldFail('rate_429')) {
    const headers: Record<string, string> = retry_after >= 0 ? { 'Retry-After': String(retry_after) } : {};
    throw new Problem(429, 'too many requests', { headers });
  }
  if (dice.shouldFail('rate_5xx')) throw new Problem(503, 'the service is not available now');
  return null;
}
