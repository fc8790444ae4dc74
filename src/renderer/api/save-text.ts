import type * as z from 'zod';
import type { fileMode } from '../../shared/files/files.ts';
import type { Api } from './api.ts';

/**
 * Gives a text to the person as a file: by the system's dialog where the host has one, else as a download of the page.
 * False: they thought better of it. @throws AppError `disk_full`, `file_unwritable`
 */
export async function saveText(
  api: { readonly files: Pick<Api['files'], 'saveText'> },
  files: z.infer<typeof fileMode>,
  suggestedName: string,
  text: string,
): Promise<boolean> {
  if (files === 'dialog') return (await api.files.saveText({ suggestedName, text })).saved;
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = suggestedName;
  link.click();
  // The download has begun by then; the text is let go of.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return true;
}
