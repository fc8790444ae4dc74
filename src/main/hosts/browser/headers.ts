import type { ServerResponse } from 'node:http';
import { policyHeaders } from '../policy.ts';

/** Headers of every answer: the policy that all hosts share, this host's socket, and nothing that may be kept. */
export function securityHeaders(port: number): Record<string, string> {
  return {
    ...policyHeaders([`ws://127.0.0.1:${port}`, `ws://localhost:${port}`]),
    'Cache-Control': 'no-store',
  };
}

/** Answers with a short page in plain words. */
export function answerPage(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${sentence}\n`);
}
