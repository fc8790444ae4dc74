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

/** Whether a frame from a window has one of the two forms. */
export function isFrame(data: unknown): data is string {
  if (typeof data !== 'string' || data.length > maxFrameLength) return false;
  try {
    return frame.safeParse(JSON.parse(data)).success;
  } catch {
    return false;
  }
}
