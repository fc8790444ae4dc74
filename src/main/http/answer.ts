import { parseJson, type JsonValue } from '../../shared/json.ts';
import type { WireAnswer } from './exchange.ts';
import { tooLong } from './failures.ts';
import { gunzipWithin } from './gunzip.ts';
import { shapeOf } from './whole-json.ts';

/** A whole answer, unpacked. */
export interface Answer {
  readonly status: number;
  readonly bytes: Buffer<ArrayBuffer>;
  /** A header by its lower-case name. */
  header(name: string): string | null;
  text(): string;
}

/** An answer that is not what it should be. `cutOff`: the rest of it is missing, so that a read may be tried again. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
  readonly problem: string;
  readonly cutOff: boolean;

  constructor(problem: string, cutOff = false) {
    super(problem);
    this.problem = problem;
    this.cutOff = cutOff;
  }
}

/**
 * Unpacks the body. That of an error is read as far as it can be: its status is what counts.
 * @param maxBytes of the unpacked body
 * @throws UnreadableAnswer for a 2xx answer whose body is packed in a way that does not unpack, or too long
 */
export async function unpack(wire: WireAnswer, maxBytes: number): Promise<Answer> {
  const header = (name: string): string | null => {
    const value = wire.headers[name];
    return (Array.isArray(value) ? value[0] : value) ?? null;
  };
  const unpacked = unpackedBytes(wire.body, header('content-encoding'), maxBytes);
  const bytes = await (wire.status < 300 ? unpacked : unpacked.catch(() => Buffer.alloc(0)));
  let text: string | undefined;
  return { status: wire.status, bytes, header, text: () => (text ??= withoutMark(bytes.toString('utf8'))) };
}

async function unpackedBytes(
  body: Buffer<ArrayBuffer>,
  encoding: string | null,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  if (encoding === null || encoding === 'identity' || body.length === 0) return body;
  if (!/^(x-)?gzip$/i.test(encoding)) throw new UnreadableAnswer(`it is packed as ${encoding.slice(0, 20)}`);
  const bytes = await gunzipWithin(body, maxBytes).catch(() => {
    throw new UnreadableAnswer('it is packed, and damaged', true);
  });
  if (bytes === null) throw new UnreadableAnswer(tooLong(maxBytes));
  return bytes;
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * The answer's JSON value; integers beyond 2^53 are bigint.
 * @throws UnreadableAnswer for anything else than JSON
 */
export function jsonOf(answer: Answer): JsonValue {
  const text = answer.text();
  try {
    return parseJson(text);
  } catch {
    throw notJson(answer);
  }
}

/** Why an answer is not JSON: a page of a proxy or login, cut off, or something else. */
export function notJson(answer: Answer): UnreadableAnswer {
  const start = answer.text().slice(0, 200).trimStart();
  if (start === '') return new UnreadableAnswer('it is empty', true);
  if (start.startsWith('<')) return new UnreadableAnswer('it is a web page instead of JSON');
  if (!shapeOf(answer.bytes).whole) return new UnreadableAnswer('it was cut off', true);
  return new UnreadableAnswer('it is not JSON');
}
