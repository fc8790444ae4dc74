import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Faults } from '../faults.ts';
import { Problem } from '../problem.ts';
import type { Answer } from '../service.ts';

const piecesPerSecond = 20;

/** The response for a problem: `{code, message}`, or as proxies respond. */
export function problemAnswer(problem: Problem, faults: Faults): Answer {
  const { status, message, headers } = problem;
  if (faults.html_errors && status >= 400) {
    const body = `<!doctype html><html><head><title>${String(status)}</title></head><body><h1>${String(status)}</h1></body></html>`;
    return { status, body, headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' } };
  }
  return { status, body: JSON.stringify(problem.body ?? { code: status, message }), headers };
}

/** The response for anything that was thrown. */
export function toResponse(error: unknown, faults: Faults): Answer {
  if (error instanceof Problem) return problemAnswer(error, faults);
  const message = error instanceof Error ? error.message : String(error);
  return problemAnswer(new Problem(500, `the service failed: ${message}`), faults);
}

/** Sends a response: at once or throttled, whole or cut in the middle with the connection closed. */
export async function send(
  response: ServerResponse,
  answer: Answer,
  faults: Faults,
  cut: boolean,
): Promise<void> {
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
