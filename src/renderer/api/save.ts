import type { Api } from './api.ts';

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

/**
 * Data as a `data:` address, in base64.
 * @throws Error if they can't be read
 */
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
