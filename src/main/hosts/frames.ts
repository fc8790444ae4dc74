import * as z from 'zod';

// The two frames a window of ours sends (the forms are the RPC library's): a call by name, and the end of a call.
// Our contract has no blobs and no streams into main, so nothing else is let through to the library.
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

/** The largest message that a window may send, in bytes or letters; files go another way. */
export const largestFrame = 16 * 1024 * 1024;

/** Whether a frame that came from a window has one of the two forms; a page of ours sends no other. */
export function isFrame(data: unknown): data is string {
  if (typeof data !== 'string' || data.length > largestFrame) return false;
  try {
    return frame.safeParse(JSON.parse(data)).success;
  } catch {
    return false;
  }
}
