import { errorBody, fromBody } from '../../shared/errors.ts';
import { grantedFile, type FileToken, type GrantedFile } from '../../shared/files.ts';
import { linkLost } from './errors.ts';

/**
 * Streams a picked file to the browser host; the answer's token stands for it from then on.
 * @throws AppError what the host says, or the lost link's
 */
export async function sendFile(file: File, signal?: AbortSignal): Promise<GrantedFile> {
  const init: RequestInit = { method: 'POST', body: file, ...(signal ? { signal } : {}) };
  const answer = await fetch(`/files?name=${encodeURIComponent(file.name)}`, init);
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return grantedFile.parse(body);
  throw errorBody.safeParse(body).success ? fromBody(body) : linkLost();
}

/** Where a finished file can be downloaded from in the browser host. */
export function downloadAddress(token: FileToken): string {
  return `/files/${token}`;
}
