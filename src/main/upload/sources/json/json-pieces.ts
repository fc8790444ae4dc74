import { StringDecoder } from 'node:string_decoder';
import { unsuitable } from '../../model/unsuitable.ts';
import { detectEncoding } from '../../reading/encoding.ts';
import type { Source } from '../../reading/source.ts';
import { chunkBytes, PieceCutter } from './piece-cutter.ts';
import type { JsonPiece, PieceKind } from './piece-cutter.ts';

/**
 * The pieces of a file of JSON, in batches.
 * @throws AppError file_unsuitable with the line, file_unreadable, cancelled; SeveralValues
 */
export function* jsonPieces(
  source: Source,
  fileName: string,
  what: PieceKind,
  signal: AbortSignal,
): Generator<readonly JsonPiece[]> {
  const encoding = detectEncoding(source.sample(), false);
  if (!['UTF-8', 'UTF-16LE'].includes(encoding.name)) throw unsuitable(fileName, 'JSON must be in UTF-8');
  const decoder = new StringDecoder(encoding.name === 'UTF-8' ? 'utf8' : 'utf16le');
  const cutter = new PieceCutter(fileName, what);
  const chunk = Buffer.alloc(chunkBytes);
  for (let position = encoding.bom; ;) {
    signal.throwIfAborted();
    const got = source.read(chunk, 0, chunk.length, position);
    if (got === 0) break;
    position += got;
    const found = cutter.take(decoder.write(chunk.subarray(0, got)));
    if (found.length > 0) yield found;
  }
  cutter.end();
}
