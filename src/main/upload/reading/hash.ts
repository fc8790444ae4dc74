import { createHash } from 'node:crypto';
import { openSource } from './source.ts';

const chunkBytes = 4 << 20;

/** The SHA-256 of a whole file. For worker threads: it blocks. @throws AppError file_unreadable */
export function hashFile(path: string, fileName: string): { sha256: string; bytes: number } {
  const source = openSource(path, fileName);
  try {
    const hash = createHash('sha256');
    const chunk = Buffer.alloc(chunkBytes);
    let bytes = 0;
    for (;;) {
      const got = source.read(chunk, 0, chunk.length, bytes);
      if (got === 0) return { sha256: hash.digest('hex'), bytes };
      hash.update(chunk.subarray(0, got));
      bytes += got;
    }
  } finally {
    source.close();
  }
}
