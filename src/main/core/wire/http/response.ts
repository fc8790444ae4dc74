import type { ErrorDetails } from '../../../../shared/errors/errors.ts';
import { parseJson, type JsonValue } from '../../../../shared/json.ts';
import { endOfString, skipSpace, startOfText } from '../../records/json-text.ts';
import type { WireResponse } from './exchange.ts';
import { tooLongProblem } from './failures.ts';
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';

/** A complete response with its body decompressed. */
export interface HttpResponse {
  readonly status: number;
  readonly bytes: Buffer<ArrayBuffer>;
  /** The value of a header, by its lower-case name. */
  header(name: string): string | null;
  text(): string;
}

/** A response that can't be read. `partial`: its end is missing, so a read can be retried, or it is too large. */
export class UnreadableResponse extends Error {
  override readonly name = 'UnreadableResponse';
  readonly problem: string;
  readonly partial: ErrorDetails<'bad_answer'>['partial'];

  constructor(problem: string, partial?: ErrorDetails<'bad_answer'>['partial']) {
    super(problem);
    this.problem = problem;
    this.partial = partial;
  }
}

/**
 * Decompresses the body of a response. An error status keeps its status even if its body can't be
 * decompressed.
 * @param maxBytes limit of the decompressed body, in bytes
 * Text of another charset becomes UTF-8.
 * @returns the response
 * @throws UnreadableResponse when the body of a 2xx response has an unknown encoding or charset, is damaged, or
 *   exceeds `maxBytes`
 */
export async function decompress(wire: WireResponse, maxBytes: number): Promise<HttpResponse> {
  const header = (name: string): string | null => {
    const value = wire.headers[name];
    return (Array.isArray(value) ? value[0] : value) ?? null;
  };
  const decompressed = decompressBody(wire.body, header('content-encoding'), maxBytes).then((content) =>
    inUtf8(content, header('content-type')),
  );
  const bytes = await (wire.status < 300 ? decompressed : decompressed.catch(() => Buffer.alloc(0)));
  let text: string | undefined;
  return {
    status: wire.status,
    bytes,
    header,
    text: () => (text ??= withoutByteOrderMark(bytes.toString('utf8'))),
  };
}

async function decompressBody(
  body: Buffer<ArrayBuffer>,
  encoding: string | null,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  if (encoding === null || encoding === 'identity' || body.length === 0) return body;
  if (!/^(x-)?gzip$/i.test(encoding))
    throw new UnreadableResponse(`its compression ${encoding.slice(0, 20)} isn’t supported`);
  const bytes = await gunzipWithin(body, maxBytes).catch(() => {
    throw new UnreadableResponse('its compressed data is damaged', 'cut');
  });
  if (bytes === null) throw new UnreadableResponse(tooLongProblem(maxBytes), 'too_large');
  return bytes;
}

const charsetParameter = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** @throws UnreadableResponse for an unknown charset, or bytes that aren't valid in it */
function inUtf8(bytes: Buffer<ArrayBuffer>, contentType: string | null): Buffer<ArrayBuffer> {
  const charset = charsetParameter.exec(contentType ?? '')?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset) || bytes.length === 0) return bytes;
  const shown = charset.slice(0, 20);
  const decoder = decoderOf(charset);
  if (!decoder) throw new UnreadableResponse(`its charset ${shown} isn’t supported`);
  // Servers send UTF-8 under the name of their default charset, and Latin-1 that is valid UTF-8 is hardly ever a text.
  if (decoder.encoding === 'utf-8' || (decoder.encoding === 'windows-1252' && isUtf8(bytes))) return bytes;
  try {
    return Buffer.from(decoder.decode(bytes));
  } catch {
    throw new UnreadableResponse(`it has bytes that aren’t valid in its charset ${shown}`);
  }
}

function decoderOf(charset: string) {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return null;
  }
}

/**
 * Checks that a text is UTF-8: replacement characters would be stored in place of what the service sent.
 * @throws UnreadableResponse with the place of the first byte that isn't valid, unless the text was cut off there
 */
export function checkUtf8(bytes: Buffer): void {
  if (isUtf8(bytes)) return;
  const decoded = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  let at = 0;
  while (bytes[at] === decoded[at]) at += 1;
  if (at >= bytes.length - 3) return;
  const before = decoded.toString('utf8', Math.max(0, at - 40), at).replace(/^\uFFFD+/, '');
  const hex = (bytes[at] ?? 0).toString(16).toUpperCase();
  throw new UnreadableResponse(
    `byte ${at + 1}, ${hex} (hexadecimal), isn’t valid UTF-8, and the service names no other charset; before it is “${before}”`,
  );
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * Parses the body as JSON; integers beyond 2^53 become bigint.
 * @throws UnreadableResponse when the body isn't JSON
 */
export function jsonOf(response: HttpResponse): JsonValue {
  const text = response.text();
  try {
    return parseJson(text);
  } catch {
    throw notJsonError(response);
  }
}

/** Why a body isn't JSON: empty, a web page (of a proxy or captive portal), truncated, or other text. */
export function notJsonError(response: HttpResponse): UnreadableResponse {
  const start = response.text().slice(0, 200).trimStart();
  if (start === '') return new UnreadableResponse('it is empty', 'cut');
  if (start.startsWith('<')) return new UnreadableResponse('it is a web page instead of JSON');
  if (!outlineJson(response.bytes).isComplete) return new UnreadableResponse('it was cut off', 'cut');
  return new UnreadableResponse('it is not JSON');
}

/**
 * Up to this size, in bytes, gzip is decompressed in one call; larger bodies are measured first, so a bomb
 * never fills memory.
 */
const maxUnmeasuredBytes = 32 * 1024 * 1024;

/**
 * Decompresses gzip.
 * @param maxBytes limit of the result, in bytes
 * @returns null if the result exceeds `maxBytes`
 * @throws Error from zlib when the data is damaged
 */
export async function gunzipWithin(
  compressed: Buffer<ArrayBuffer>,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer> | null> {
  // The length field of the last gzip member, modulo 2^32. It is a hint and can be wrong.
  const claimedBytes = compressed.length < 4 ? 0 : compressed.readUInt32LE(compressed.length - 4);
  const unmeasuredLimit = Math.min(maxBytes, maxUnmeasuredBytes);
  if (claimedBytes <= unmeasuredLimit) {
    try {
      return await promisify(gunzip)(compressed, { maxOutputLength: unmeasuredLimit });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  let size = 0;
  for await (const chunk of decompressStream(compressed)) {
    size += chunk.length;
    if (size > maxBytes) return null;
  }
  const whole = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for await (const chunk of decompressStream(compressed)) at += chunk.copy(whole, at);
  return whole;
}

async function* decompressStream(compressed: Buffer): AsyncGenerator<Buffer> {
  const stream = Readable.from([compressed]).pipe(createGunzip({ chunkSize: 1 << 16 }));
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) yield chunk;
}

/** The outline of a JSON text, found without parsing it. */
export interface JsonOutline {
  /** False when a bracket or a string isn't closed, as in a truncated text. */
  readonly isComplete: boolean;
  readonly kind: 'array' | 'object' | 'other';
  /** Number of items in the outermost array or object. */
  readonly items: number;
  /** Whether a character outside strings is invalid in JSON, such as the `N` of `NaN`. */
  readonly hasInvalidCharacter: boolean;
}

const byteClass = { plain: 0, quote: 1, open: 2, close: 3, comma: 4, invalid: 5 } as const;
const classes = new Uint8Array(256).fill(byteClass.invalid);
for (const char of 'truefalsn0123456789+-.eE: \t\r\n') classes[char.charCodeAt(0)] = byteClass.plain;
for (const char of '[{') classes[char.charCodeAt(0)] = byteClass.open;
for (const char of ']}') classes[char.charCodeAt(0)] = byteClass.close;
classes[0x22] = byteClass.quote;
classes[0x2c] = byteClass.comma;

/**
 * Scans the UTF-8 bytes of a JSON text for completeness and the number of items of the outermost array. It
 * takes about half the time of parsing and allocates nothing: 7 ms instead of 12 ms for a page of 10,000
 * records.
 */
export function outlineJson(bytes: Uint8Array): JsonOutline {
  const { length } = bytes;
  const start = skipSpace(bytes, startOfText(bytes));
  const first = bytes[start];
  const kind = first === 0x5b ? 'array' : first === 0x7b ? 'object' : 'other';
  let depth = 0;
  let commas = 0;
  let hasInvalid = false;
  let i = start;
  while (i < length) {
    const type = classes[bytes[i] ?? 0];
    if (type === byteClass.plain) {
      i += 1;
      continue;
    }
    if (type === byteClass.quote) {
      i = endOfString(bytes, i) - 1;
      // A string that isn't closed reaches beyond the end.
      if (i < 0) i = length;
    } else if (type === byteClass.open) depth += 1;
    else if (type === byteClass.close) depth -= 1;
    else if (type === byteClass.invalid) hasInvalid = true;
    else if (depth === 1) commas += 1;
    i += 1;
    if (depth <= 0 && kind !== 'other') break;
  }
  const isEmpty = classes[bytes[skipSpace(bytes, start + 1)] ?? 0] === byteClass.close;
  const isClosed = depth === 0 && i <= length;
  return {
    isComplete: first !== undefined && isClosed,
    kind,
    items: isEmpty ? 0 : commas + 1,
    hasInvalidCharacter: hasInvalid || (isClosed && skipSpace(bytes, i) < length),
  };
}
