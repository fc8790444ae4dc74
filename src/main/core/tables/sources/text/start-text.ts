import { decoderOf, detectEncoding } from '../../reading/encoding.ts';

/** The first bytes of a file as text, whatever its encoding; for recognizing formats. */
export function startText(start: Uint8Array): string {
  const encoding = detectEncoding(start, false);
  const bytes = Buffer.from(start.subarray(encoding.bom));
  if (encoding.name.startsWith('UTF-32')) return '';
  if (encoding.name === 'UTF-16BE') bytes.subarray(0, bytes.length - (bytes.length % 2)).swap16();
  return decoderOf(encoding)(bytes, 0, bytes.length);
}
