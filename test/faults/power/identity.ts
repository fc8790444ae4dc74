import type { BigIntStats } from 'node:fs';

/**
 * A file or a folder, whatever its names. The inode of a removed folder is used again, even by a file; that of a file
 * isn't, because the record keeps it.
 */
export const identityOf = (stats: BigIntStats): string =>
  stats.isDirectory() ? `${stats.ino}-${stats.birthtimeNs}` : String(stats.ino);
