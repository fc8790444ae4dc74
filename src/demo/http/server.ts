import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../shared/errors/errors.ts';
import { type JsonValue, isObject, stringifyJson } from '../../shared/json.ts';
import { type Faults, noFaults, parseFault } from '../faults.ts';
import { Work } from '../mongo/work.ts';
import { type Answer, Problem, type Service, invalid, reset } from '../service.ts';
import { maxBodyBytes, Params, parseBody, readBody } from './requests.ts';
import { kindOf, route } from './router.ts';

const piecesPerSecond = 20;

/** The response for anything that was thrown: `{code, message}`, or as proxies respond. */
function toResponse(error: unknown, faults: Faults): Answer {
  const text = error instanceof Error ? error.message : String(error);
  const problem = error instanceof Problem ? error : new Problem(500, `the service failed: ${text}`);
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
  const whole = cut ? body.subarray(0, Math.floor(body.length / 2)) : body;
  if (faults.bandwidth > 0) await trickle(response, whole, faults.bandwidth);
  else if (cut) await new Promise<void>((done) => response.write(whole, () => done()));
  if (cut) response.socket?.destroySoon();
  else response.end(faults.bandwidth > 0 ? undefined : whole);
}

async function trickle(response: ServerResponse, body: Buffer, bytesPerSecond: number): Promise<void> {
  const piece = Math.max(1, Math.floor(bytesPerSecond / piecesPerSecond));
  for (let at = 0; at < body.length && !response.destroyed; at += piece) {
    response.write(body.subarray(at, at + piece));
    if (at + piece < body.length) await wait(1000 / piecesPerSecond);
  }
}

// Not imported statically: Node would load all of `node:http`, including fetch, which slows each start.
const { createServer } = process.getBuiltinModule('node:http');

/** The HTTP server of a demo, before it listens. */
export function makeServer(service: Service): Server {
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
  if (service.admin && path === adminPath) {
    const changed = changeFaults(service, method, authorization, call.body);
    await send(response, await changed.catch((error: unknown) => toResponse(error, noFaults)), faults, false);
    return;
  }
  const isAffected = faults.fault_on === 'all' || faults.fault_on === kindOf(method, path);
  const delay = faults.latency_ms + (faults.jitter_ms > 0 ? dice.next('jitter') * faults.jitter_ms : 0);
  if (isAffected && delay > 0) await wait(delay);
  const answer = await answerOf(service, isAffected, async () =>
    route(service, path, authorization, call),
  ).catch((error: unknown) => toResponse(error, faults));
  if (answer === reset) request.socket.resetAndDestroy();
  else if (!response.destroyed)
    await send(response, answer, faults, isAffected && answer.status < 300 && dice.shouldFail('truncate'));
}

// The path stays as received; only the host of a proxy request's absolute address is removed.
function addressOf(url: string): { path: string; search: URLSearchParams } {
  const [, path = '', query = ''] = /^(?:https?:\/\/[^/?]*)?([^?]*)\??(.*)$/is.exec(url) ?? [];
  return { path: path || '/', search: new URLSearchParams(query) };
}

/** The answer of a service, or that of a fault instead. @throws Problem as the service does */
async function answerOf(
  { faults, dice }: Service,
  isAffected: boolean,
  serve: () => Promise<Answer | typeof reset>,
): Promise<Answer | typeof reset> {
  if (!isAffected) return serve();
  if (dice.shouldFail('reset_before')) return reset;
  if (dice.shouldFail('rate_429')) {
    const retryAfter = faults.retry_after;
    const headers: Record<string, string> = retryAfter >= 0 ? { 'Retry-After': String(retryAfter) } : {};
    throw new Problem(429, 'too many requests', { headers });
  }
  if (dice.shouldFail('rate_5xx')) throw new Problem(503, 'the service is not available now');
  return serve();
}

/** Route that reads (GET), changes (PATCH), and resets (DELETE) the faults of a running demo, with the admin key. */
const adminPath = '/demo/faults';

/** Handles a request to the admin route; every response has all current faults. */
async function changeFaults(
  { faults, tokens }: Service,
  method: string,
  authorization: string | undefined,
  body: () => Promise<string>,
): Promise<Answer> {
  if (tokens.identify(authorization).level !== 'admin')
    throw new Problem(403, 'only the admin key may do this');
  if (method === 'PATCH') Object.assign(faults, readFaults(parseBody(await body())));
  else if (method === 'DELETE') Object.assign(faults, noFaults);
  else if (method !== 'GET')
    throw new Problem(405, 'GET, PATCH or DELETE', { headers: { Allow: 'GET, PATCH, DELETE' } });
  return { status: 200, body: JSON.stringify(faults) };
}

function readFaults(body: JsonValue): Partial<Faults> {
  if (!isObject(body)) throw invalid('the body must be an object of faults');
  try {
    const faults = Object.entries(body).map(([name, value]) => {
      const text = typeof value === 'string' ? value : stringifyJson(value);
      return parseFault(`${name}=${text}`);
    });
    return faults.reduce((all, fault) => ({ ...all, ...fault }), {});
  } catch (error) {
    throw error instanceof AppError ? invalid(error.message) : error;
  }
}
