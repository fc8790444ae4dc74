import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem.ts';

/** The maximum size of a body, in bytes. */
export const maxBodyBytes = 64 * 1024 * 1024;

// Bytes that are read and discarded before a body is rejected, so that the sender can finish and read the response.
const drained = 512 * 1024 * 1024;

/** Reads a body as text. @throws Problem 413 if it has more bytes than the maximum */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes <= maxBytes) parts.push(part);
    else parts = [];
    if (bytes > maxBytes + drained) break;
  }
  if (bytes > maxBytes) throw tooLarge(maxBytes);
  return Buffer.concat(parts).toString('utf8');
}

function tooLarge(maxBytes: number): Problem {
  return new Problem(413, `the body is larger than ${String(maxBytes)} bytes`, {
    headers: { Connection: 'close' },
  });
}
