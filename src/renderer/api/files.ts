import * as z from 'zod';
import { AppError, errorBody, fromBody } from '../../shared/errors/errors.ts';
import { grantedFile, type FileToken, type GrantedFile } from '../../shared/files/files.ts';
import { linkLost } from './errors.ts';

const refusal = z.object({ error: errorBody });

/**
 * Streams a selected file to the browser host, which returns its token.
 * @throws AppError of the host, or of a lost link
 */
export async function sendFile(file: File, signal?: AbortSignal): Promise<GrantedFile> {
  const init: RequestInit = { method: 'POST', body: file, ...(signal ? { signal } : {}) };
  const answer = await fetch(`/files?name=${encodeURIComponent(file.name)}`, init).catch(
    async (cause: unknown) => {
      signal?.throwIfAborted();
      throw (await isReadable(file)) ? linkLost() : fileMissing(file, cause);
    },
  );
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return grantedFile.parse(body);
  const refused = refusal.safeParse(body);
  throw refused.success ? fromBody(refused.data.error) : linkLost();
}

/** A dropped folder looks like a file until it is read, and files can disappear. */
const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
const fileMissing = (file: File, cause: unknown): AppError =>
  new AppError(
    'file_unreadable',
    { file: file.name, reason: 'it’s a folder, or it was changed or deleted after you selected it' },
    { cause },
  );

/** The download address of a finished file in the browser host. */
export function downloadAddress(token: FileToken): string {
  return `/files/${token}`;
}
