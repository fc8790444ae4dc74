import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { adminPath, changeFaults } from '../admin.ts';
import { Problem } from '../problem.ts';
import type { Answer, Service } from '../service.ts';
import { reset } from '../service.ts';
import { Work } from '../store/work.ts';
import { largestBody, readBody } from './body.ts';
import { Params } from './params.ts';
import { route } from './router.ts';
import { asAnswer, send } from './send.ts';

/** The HTTP server of a demo; not listening yet. */
export function makeServer(service: Service): Server {
  const server = createServer((request, response) => {
    handle(service, request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 30_000;
  return server;
}

async function handle(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { faults, dice } = service;
  const url = new URL(request.url ?? '/', 'http://demo');
  const read = async (): Promise<string> =>
    readBody(request, faults.max_body > 0 ? faults.max_body : largestBody);
  if (service.admin && url.pathname === adminPath) {
    const answer = await changeFaults(service, request.method ?? 'GET', request.headers.authorization, read);
    await send(response, answer, faults, false);
    return;
  }
  const delay = faults.latency_ms + (faults.jitter_ms > 0 ? dice.next('jitter') * faults.jitter_ms : 0);
  if (delay > 0) await wait(delay);
  if (dice.strikes('reset_before')) {
    request.socket.resetAndDestroy();
    return;
  }
  const answer = await answerOf(service, request, response, url, read);
  if (answer === reset) request.socket.resetAndDestroy();
  else if (!response.destroyed)
    await send(response, answer, faults, answer.status < 300 && dice.strikes('truncate'));
}

async function answerOf(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  body: () => Promise<string>,
): Promise<Answer | typeof reset> {
  try {
    throwFaults(service);
    const search = url.searchParams;
    return await route(service, url.pathname, request.headers.authorization, {
      method: request.method ?? 'GET',
      params: new Params(search),
      search,
      work: new Work(() => response.destroyed),
      body,
    });
  } catch (error) {
    return asAnswer(error, service.faults);
  }
}

function throwFaults({ faults, dice }: Service): void {
  if (dice.strikes('rate_429')) {
    const headers: Record<string, string> =
      faults.retry_after >= 0 ? { 'Retry-After': String(faults.retry_after) } : {};
    throw new Problem(429, 'too many requests', { headers });
  }
  if (dice.strikes('rate_5xx')) throw new Problem(503, 'the service is not available now');
}
