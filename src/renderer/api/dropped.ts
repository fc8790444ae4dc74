import type { Bridge } from '../../shared/bridge.ts';
import { fromBody } from '../../shared/errors/errors.ts';
import { grantedFile, type GrantedFile } from '../../shared/files/files.ts';
import { sendFile } from './files.ts';

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
