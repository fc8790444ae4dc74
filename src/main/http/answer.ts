import { parseJson, type JsonValue } from '../../shared/json.ts';
import type { WireAnswer } from './exchange.ts';
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

const longestUnpacked = 512 * 1024 * 1024;

/** @throws UnreadableAnswer when the body is packed in a way that it does not unpack */
export async function unpack(wire: WireAnswer): Promise<Answer> {
  const header = (name: string): string | null => {
    const value = wire.headers[name];
    return (Array.isArray(value) ? value[0] : value) ?? null;
  };
  const bytes = await unpackedBytes(wire.body, header('content-encoding'));
  let text: string | undefined;
  return { status: wire.status, bytes, header, text: () => (text ??= withoutMark(bytes.toString('utf8'))) };
}

async function unpackedBytes(
  body: Buffer<ArrayBuffer>,
  encoding: string | null,
): Promise<Buffer<ArrayBuffer>> {
  if (encoding === null || encoding === 'identity' || body.length === 0) return body;
  if (!/^(x-)?gzip$/i.test(encoding)) throw new UnreadableAnswer(`it is packed as ${encoding.slice(0, 20)}`);
  // Loaded for the first packed answer: it takes a while, and a single question on the command line mostly needs none.
  const [{ gunzip }, { promisify }] = await Promise.all([import('node:zlib'), import('node:util')]);
  try {
    return await promisify(gunzip)(body, { maxOutputLength: longestUnpacked });
  } catch (error) {
    const tooLong = error instanceof RangeError;
    throw new UnreadableAnswer(tooLong ? 'it is too long to be held' : 'it is packed, and damaged', !tooLong);
  }
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
