import type { ZipEntry } from '../sources/zip/zip-entries.ts';
import { unsuitable } from '../model/unsuitable.ts';

const isSystemFile = (name: string): boolean => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/i.test(name);

/**
 * The only table in a zip archive.
 * @throws AppError file_unsuitable if it has none or several, or in an unreadable form
 */
export function onlyEntry(entries: readonly ZipEntry[], file: string): ZipEntry {
  const files = entries.filter(({ name }) => !isSystemFile(name));
  const [entry] = files;
  if (!entry) throw unsuitable(file, 'it is a zip archive without files');
  if (files.length > 1)
    throw unsuitable(
      file,
      `it is a zip archive with ${files.length} files (unpack it and choose one of them)`,
    );
  if (entry.isEncrypted) throw unsuitable(file, 'it is a zip archive with a password (unpack it first)');
  if (entry.method !== 0 && entry.method !== 8)
    throw unsuitable(file, 'it is a zip archive with an unusual compression (unpack it first)');
  return entry;
}
