import * as z from 'zod';
import { AppError, errorBody, fromBody } from '../../shared/errors/errors.ts';
import { grantedFile, type FileToken, type GrantedFile } from '../../shared/files/files.ts';
import { linkLost, type Api } from './api.ts';
import type { Bridge } from '../../shared/bridge.ts';

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

export function downloadAddress(token: FileToken): string {
  return `/files/${token}`;
}

declare global {
  interface Window {
    /** Set by preload, only in Electron. */
    readonly wellbench?: Bridge<File>;
  }
}

/**
 * Transfers a dropped or selected file to the application. Electron reads it in place; the browser host gets
 * a stream.
 * @throws AppError file_unreadable for a folder or a file without a path
 */
export async function handOverFile(file: File, signal?: AbortSignal): Promise<GrantedFile> {
  if (!window.wellbench) return sendFile(file, signal);
  const offered = await window.wellbench.offerFile(file);
  if (!offered.ok) throw fromBody(offered.error);
  return grantedFile.parse(offered.value);
}

/**
 * Saves data under a name that the user may change.
 * @returns false: canceled
 * @throws AppError
 */
export type SaveFile = (name: string, content: Blob) => Promise<boolean>;

interface SaveDependencies {
  readonly files: Pick<Api['files'], 'chooseTarget' | 'write'>;
  readonly workspace: Pick<Api['workspace'], 'about'>;
}

/** The bytes in a piece: base64 and the message have to fit in a frame. */
const pieceBytes = 6 * 1024 * 1024;

/** Saves through the system's dialog where the host has one, otherwise as a download. */
export function createSave(
  { files, workspace }: SaveDependencies,
  download: (name: string, content: Blob) => void,
): SaveFile {
  return async (name, content) => {
    const { files: mode } = await workspace.about({});
    if (mode === 'stream') {
      download(name, content);
      return true;
    }
    const target = await files.chooseTarget({ suggestedName: name });
    if (!target) return false;
    for (let from = 0; from === 0 || from < content.size; from += pieceBytes) {
      const url = await dataUrlOf(content.slice(from, from + pieceBytes));
      const base64 = url.slice(url.indexOf(',') + 1);
      const last = from + pieceBytes >= content.size;
      await files.write({ token: target.token, base64, more: from > 0, last });
    }
    return true;
  };
}

/** Data as a `data:` address, in base64. @throws Error if they can't be read */
export const dataUrlOf = (content: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('it can’t be read')));
    reader.readAsDataURL(content);
  });

export function startDownload(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

export function downloadBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  startDownload(address, name);
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
