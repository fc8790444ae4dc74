import type { IncomingMessage } from 'node:http';
import { type JsonObject, type JsonValue, isObject, parseJson } from '../../shared/json.ts';
import { Problem, invalid } from '../service.ts';

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
  if (bytes > maxBytes)
    throw new Problem(413, `the body is larger than ${String(maxBytes)} bytes`, {
      headers: { Connection: 'close' },
    });
  return Buffer.concat(parts).toString('utf8');
}

/** The JSON of a body. @throws Problem 400 if it isn't JSON (specification, section 7) */
export function parseBody(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    throw new Problem(400, 'the body is not valid JSON');
  }
}

/**
 * The parameters of a request, read liberally: brackets raw or encoded, with or without an index (`ids[]`, `ids[0]`,
 * `ids`), repeated or separated by commas. Empty values count as absent.
 */
export class Params {
  readonly #values = new Map<string, string[]>();

  constructor(search: URLSearchParams) {
    for (const [name, value] of search) {
      const plain = name.replace(/\[\d*\]$/, '');
      this.#values.set(plain, [...(this.#values.get(plain) ?? []), value]);
    }
  }

  /** Whether the parameter is present, even if empty. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The text of a parameter; the last one if it is repeated. */
  text(name: string): string | undefined {
    const value = this.#values.get(name)?.at(-1);
    return value === '' ? undefined : value;
  }

  /** All texts of a repeated parameter. */
  texts(name: string): string[] {
    return (this.#values.get(name) ?? []).filter((value) => value !== '');
  }

  /** The JSON in a parameter. @throws Problem 422 if it is missing or invalid */
  json(name: string): JsonValue {
    const text = this.text(name);
    if (text === undefined) throw invalid(`${name} is required`);
    try {
      return parseJson(text);
    } catch {
      throw invalid(`${name} is not valid JSON`);
    }
  }

  /** The object in a parameter. @throws Problem 422 if it is missing or not a JSON object */
  object(name: string): JsonObject {
    const value = this.json(name);
    if (!isObject(value)) throw invalid(`${name} must be a JSON object`);
    return value;
  }

  /** @throws Problem 422 if it isn't an integer */
  integer(name: string): number | undefined {
    return this.#parsed(name, integerIn);
  }

  /** @throws Problem 422 if one of them isn't an integer */
  integers(name: string): number[] {
    const texts = this.texts(name).flatMap((list) => list.split(','));
    return texts.map((text) => integerIn(text.trim(), name));
  }

  /** @throws Problem 422 if it isn't a number */
  number(name: string): number | undefined {
    return this.#parsed(name, (text) => {
      const value = text.trim() === '' ? NaN : Number(text);
      if (!Number.isFinite(value)) throw invalid(`${name} must be a number`);
      return value;
    });
  }

  /** @throws Problem 422 if it is neither true nor false */
  flag(name: string): boolean | undefined {
    return this.#parsed(name, (text) => {
      const isTrue = /^(true|1|yes)$/i.test(text);
      if (!isTrue && !/^(false|0|no)$/i.test(text)) throw invalid(`${name} must be true or false`);
      return isTrue;
    });
  }

  /** A time in Unix milliseconds. @throws Problem 422 if it isn't a date and time */
  instant(name: string): number | undefined {
    return this.#parsed(name, (text) => {
      // The plus sign of an offset arrives as a space if it was not encoded.
      const time = Date.parse(text.replace(/ (\d\d:?\d\d)$/, '+$1'));
      if (Number.isNaN(time)) throw invalid(`${name} must be a date and time`);
      return time;
    });
  }

  /** Texts of a set. @throws Problem 422 if one isn't of it */
  words(name: string, allowed: readonly string[]): string[] {
    const texts = this.texts(name);
    if (texts.every((text) => allowed.includes(text))) return texts;
    throw invalid(`${name} must be one of ${allowed.join(', ')}`);
  }

  #parsed<T>(name: string, parse: (text: string, name: string) => T): T | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parse(text, name);
  }
}

function integerIn(text: string, name: string): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) throw invalid(`${name} must be an integer`);
  return value;
}
