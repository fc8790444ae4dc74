import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem.ts';

/** The largest body that is read, in bytes. */
export const largestBody = 64 * 1024 * 1024;

// So much more is read and thrown away before a body is refused, so that the sender can finish and read the refusal.
const drained = 512 * 1024 * 1024;

/**
 * Reads a body as text.
 * @throws Problem 413 when it has more bytes than allowed
 */
export async function readBody(request: IncomingMessage, most: number): Promise<string> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes <= most) parts.push(part);
    else parts = [];
    if (bytes > most + drained) break;
  }
  if (bytes > most) throw tooLarge(most);
  return Buffer.concat(parts).toString('utf8');
}

function tooLarge(most: number): Problem {
  return new Problem(413, `the body is larger than ${String(most)} bytes`, {
    headers: { Connection: 'close' },
  });
}
