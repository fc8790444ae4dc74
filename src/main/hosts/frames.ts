import * as z from 'zod';

// The two frames that the window sends, as the RPC library defines them: a call by name, and the end of a
// call. The contract has no blobs and no streams into main, so no other frame reaches the library.
const call = z.strictObject({
  i: z.string().max(64),
  p: z.strictObject({
    u: z.string().regex(/^\/[A-Za-z]{1,40}\/[A-Za-z]{1,40}$/),
    b: z.unknown().optional(),
    h: z.record(z.string().max(100), z.string().max(1000)).optional(),
  }),
});
const abort = z.strictObject({ i: z.string().max(64), t: z.literal(4), p: z.unknown().optional() });
const frame = z.union([call, abort]);

/** Maximum size of a message from a window, in bytes or characters; files use another channel. */
export const maxFrameLength = 16 * 1024 * 1024;
/** Maximum number of values in a message: each takes many times the memory of its characters. */
export const maxFrameValues = 300_000;

/** A message from a window. */
interface Frame {
  /** The call that it starts or ends. */
  readonly id: string;
  readonly kind: 'call' | 'abort';
  readonly text: string;
}

/** A frame from a window; null if it has neither form, or exceeds a limit. */
export function readFrame(data: unknown): Frame | null {
  if (typeof data !== 'string' || data.length > maxFrameLength) return null;
  if (data.length > maxFrameValues && !hasFewValues(data)) return null;
  try {
    const { data: parsed } = frame.safeParse(JSON.parse(data));
    return parsed ? { id: parsed.i, kind: 't' in parsed ? 'abort' : 'call', text: data } : null;
  } catch {
    return null;
  }
}

/** Whether a JSON text has at most {@link maxFrameValues} values, by its commas and opening brackets. */
function hasFewValues(json: string): boolean {
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at);
    if (char === 0x22) at = endOfText(json, at);
    else if (char === 0x2c || char === 0x5b || char === 0x7b) values += 1;
    if (values > maxFrameValues) return false;
  }
  return true;
}

/** The offset of the quote that closes a text. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  for (; at < json.length && json.charCodeAt(at) !== 0x22; at += 1) if (json.charCodeAt(at) === 0x5c) at += 1;
  return at;
}
