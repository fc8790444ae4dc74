import type { Bridge } from '../../shared/bridge.ts';
import { fromBody } from '../../shared/errors/errors.ts';
import { grantedFile, type GrantedFile } from '../../shared/files/files.ts';
import { sendFile } from './files.ts';

declare global {
  interface Window {
    /** Left by preload; only in the Electron host. */
    readonly wellbench?: Bridge<File>;
  }
}

/**
 * Hands a dropped or picked file to the application: in Electron it is read where it stands, nothing is copied; the
 * browser host gets it streamed.
 * @throws AppError file_unreadable for a folder, or for a file that has no place on the disk
 */
export async function handOverFile(file: File, signal?: AbortSignal): Promise<GrantedFile> {
  if (!window.wellbench) return sendFile(file, signal);
  const offered = await window.wellbench.offerFile(file);
  if (!offered.ok) throw fromBody(offered.error);
  return grantedFile.parse(offered.value);
}
