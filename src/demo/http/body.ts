import type { IncomingMessage } from 'node:http';
import { type JsonObject, type JsonValue, isObject, parseJson } from '../../shared/json.ts';
import { Problem, invalid } from '../problem.ts';

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

/** The JSON of a body. @throws Problem 400 if it isn't JSON (specification, section 7) */
export function parseBody(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    throw new Problem(400, 'the body is not valid JSON');
  }
}

/** The object in a parameter with strict JSON. @throws Problem 422 if it is missing or not a JSON object */
export function objectParameter(name: string, text: string | undefined): JsonObject {
  const value = jsonParameter(name, text);
  if (!isObject(value)) throw invalid(`${name} must be a JSON object`);
  return value;
}

/** The JSON in a parameter. @throws Problem 422 if it is missing or invalid */
export function jsonParameter(name: string, text: string | undefined): JsonValue {
  if (text === undefined) throw invalid(`${name} is required`);
  try {
    return parseJson(text);
  } catch {
    throw invalid(`${name} is not valid JSON`);
  }
}
