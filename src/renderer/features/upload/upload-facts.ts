import { visibleLine } from '../../../shared/errors/visible-text.ts';
import type { Run, TransferringFile, UploadTabState } from './upload-state.ts';

// What the first screen needs of uploads, without their state.

/** The file that is being transferred, also in place of another one; null: none. */
export function transferringFile({
  file,
  nextFile,
}: Pick<UploadTabState, 'file' | 'nextFile'>): TransferringFile | null {
  const coming = nextFile ?? file;
  return coming.status === 'transferring' ? coming : null;
}

/**
 * Whether closing the page loses work: the file is being transferred, the job is starting, or the upload is
 * queued. Jobs that started are not affected.
 */
export const hasUnsavedWork = (
  state: Pick<UploadTabState, 'file' | 'nextFile' | 'send' | 'isQueued'>,
): boolean =>
  // The tab of a job that started elsewhere has no file of its own.
  (transferringFile(state) !== null && state.send.status !== 'started') ||
  state.send.status === 'starting' ||
  state.isQueued;

/** The name of the file for display, also while it is being transferred; null: no file. */
export function fileName({ file }: Pick<UploadTabState, 'file'>): string | null {
  if (file.status === 'none') return null;
  const name = 'file' in file ? file.file.name : file.name;
  // A file that couldn't be selected has no name.
  return name === '' ? null : visibleLine(name);
}

export const jobOf = (run: Run): string | null => (run.status === 'started' ? run.job : null);
