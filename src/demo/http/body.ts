import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem.ts';

/** The largest body that is read, in bytes. */
export const largestBody = 64 * 1024 * 1024;

/**
 * Reads a body as text.
 * @throws Problem 413 when it has more bytes than allowed; the rest of it is not read
 */
export async function readBody(request: IncomingMessage, most: number): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most);
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > most) throw tooLarge(most);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function tooLarge(most: number): Problem {
  return new Problem(413, `the body is larger than ${String(most)} bytes`, {
    headers: { Connection: 'close' },
  });
}
