import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { adminPath, changeFaults } from '../admin.ts';
import { Problem } from '../problem.ts';
import type { Answer, Service } from '../service.ts';
import { reset } from '../service.ts';
import { Work } from '../store/work.ts';
import { maxBodyBytes, readBody } from './body.ts';
import { Params } from './params.ts';
import { kindOf, route } from './router.ts';
import { toResponse, send } from './send.ts';

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
  const { path, search } = addressOf(request.url ?? '/');
  const read = async (): Promise<string> =>
    readBody(request, faults.max_body > 0 ? faults.max_body : maxBodyBytes);
  if (service.admin && path === adminPath) {
    const answer = await changeFaults(service, request.method ?? 'GET', request.headers.authorization, read);
    await send(response, answer, faults, false);
    return;
  }
  const struck = faults.fault_on === 'all' || faults.fault_on === kindOf(request.method ?? 'GET', path);
  const delay = faults.latency_ms + (faults.jitter_ms > 0 ? dice.next('jitter') * faults.jitter_ms : 0);
  if (struck && delay > 0) await wait(delay);
  if (struck && dice.shouldFail('reset_before')) {
    request.socket.resetAndDestroy();
    return;
  }
  const answer =
    (struck ? faultOf(service) : null) ??
    (await answerOf(service, path, request.headers.authorization, {
      method: request.method ?? 'GET',
      params: new Params(search),
      search,
      work: new Work(() => response.destroyed),
      body: read,
    }));
  if (answer === reset) request.socket.resetAndDestroy();
  else if (!response.destroyed)
    await send(response, answer, faults, struck && answer.status < 300 && dice.shouldFail('truncate'));
}

// The path stays as received; only the host of a proxy request's absolute address is removed.
function addressOf(url: string): { path: string; search: URLSearchParams } {
  const at = url.indexOf('?');
  const path = (at < 0 ? url : url.slice(0, at)).replace(/^https?:\/\/[^/]*/i, '');
  return { path: path === '' ? '/' : path, search: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)) };
}

async function answerOf(
  service: Service,
  path: string,
  authorization: string | undefined,
  call: Parameters<typeof route>[3],
): Promise<Answer | typeof reset> {
  try {
    return await route(service, path, authorization, call);
  } catch (error) {
    return toResponse(error, service.faults);
  }
}

function faultOf({ faults, dice }: Service): Answer | null {
  if (dice.shouldFail('rate_429')) {
    const headers: Record<string, string> =
      faults.retry_after >= 0 ? { 'Retry-After': String(faults.retry_after) } : {};
    return toResponse(new Problem(429, 'too many requests', { headers }), faults);
  }
  return dice.shouldFail('rate_5xx')
    ? toResponse(new Problem(503, 'the service is not available now'), faults)
    : null;
}
