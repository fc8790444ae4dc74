import * as z from 'zod';
import { AppError, errorBody, fromBody } from '../../shared/errors/errors.ts';
import { grantedFile, type FileToken, type GrantedFile } from '../../shared/files/files.ts';
import { linkLost } from './errors.ts';

const refusal = z.object({ error: errorBody });

/**
 * Streams a picked file to the browser host; the answer's token stands for it from then on.
 * @throws AppError what the host says, or the lost link's
 */
export async function sendFile(file: File, signal?: AbortSignal): Promise<GrantedFile> {
  const init: RequestInit = { method: 'POST', body: file, ...(signal ? { signal } : {}) };
  const answer = await fetch(`/files?name=${encodeURIComponent(file.name)}`, init).catch(
    async (cause: unknown) => {
      signal?.throwIfAborted();
      throw (await canBeRead(file)) ? linkLost() : gone(file, cause);
    },
  );
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return grantedFile.parse(body);
  const refused = refusal.safeParse(body);
  throw refused.success ? fromBody(refused.data.error) : linkLost();
}

/** A folder that was dropped is a file to the page until it is read, and a file can go between two looks at it. */
const canBeRead = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
const gone = (file: File, cause: unknown): AppError =>
  new AppError(
    'file_unreadable',
    { file: file.name, reason: 'it is a folder, or it has changed or gone since' },
    { cause },
  );

/** Where a finished file can be downloaded from in the browser host. */
export function downloadAddress(token: FileToken): string {
  return `/files/${token}`;
}
