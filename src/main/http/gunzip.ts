import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';

/** Up to so many bytes are unpacked in one go; larger ones are measured first, so that a bomb never fills the memory. */
const unmeasuredBytes = 32 * 1024 * 1024;

/**
 * Unpacks gzip.
 * @returns null: there are more than `maxBytes`; the memory used until that shows is small
 * @throws Error of zlib for what is damaged
 */
export async function gunzipWithin(
  packed: Buffer<ArrayBuffer>,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer> | null> {
  // What the last member says of its length, modulo 2^32: mostly true, never relied on.
  const said = packed.length < 4 ? 0 : packed.readUInt32LE(packed.length - 4);
  const unmeasured = Math.min(maxBytes, unmeasuredBytes);
  if (said <= unmeasured) {
    try {
      return await promisify(gunzip)(packed, { maxOutputLength: unmeasured });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  let size = 0;
  for await (const chunk of unpacking(packed)) {
    size += chunk.length;
    if (size > maxBytes) return null;
  }
  const whole = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for await (const chunk of unpacking(packed)) at += chunk.copy(whole, at);
  return whole;
}

async function* unpacking(packed: Buffer): AsyncGenerator<Buffer> {
  const stream = Readable.from([packed]).pipe(createGunzip({ chunkSize: 1 << 16 }));
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) yield chunk;
}
