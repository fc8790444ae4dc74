import type { Api } from './api.ts';
import type * as z from 'zod';
import type { fileMode } from '../../shared/files/files.ts';

/**
 * Saves data under a name that the user may change.
 * @returns false: canceled
 * @throws AppError
 */
export type SaveFile = (name: string, content: Blob) => Promise<boolean>;

export interface SaveDependencies {
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
      const base64 = await toBase64(content.slice(from, from + pieceBytes));
      const last = from + pieceBytes >= content.size;
      await files.write({ token: target.token, base64, more: from > 0, last });
    }
    return true;
  };
}

async function toBase64(content: Blob): Promise<string> {
  const reader = new FileReader();
  const read = new Promise<void>((resolve, reject) => {
    reader.addEventListener('load', () => resolve());
    reader.addEventListener('error', () => reject(reader.error ?? new Error('it can’t be read')));
  });
  reader.readAsDataURL(content);
  await read;
  const url = typeof reader.result === 'string' ? reader.result : '';
  return url.slice(url.indexOf(',') + 1);
}

/** Starts the download of an address. */
export function startDownload(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** Downloads data. */
export function downloadBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  startDownload(address, name);
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * Saves a text as a file, through the system's dialog or as a download.
 * @returns false: canceled
 * @throws AppError `disk_full`, `file_unwritable`
 */
export async function saveText(
  api: { readonly files: Pick<Api['files'], 'saveText'> },
  files: z.infer<typeof fileMode>,
  suggestedName: string,
  text: string,
): Promise<boolean> {
  if (files === 'dialog') return (await api.files.saveText({ suggestedName, text })).saved;
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  startDownload(address, suggestedName);
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return true;
}
