import * as z from 'zod';
import { fileToken, grantedFile } from '../files/files.ts';
import { call, nothing } from './call.ts';

export const filesCalls = {
  /** Asks for the target of a result. Null: canceled. */
  chooseTarget: call.input(z.object({ suggestedName: z.string().max(200) })).output(grantedFile.nullable()),
  /**
   * Asks for a folder to write or to read. Null: canceled. A host without dialogs takes a folder of that name in its data
   * folder.
   */
  chooseFolder: call.input(z.object({ name: z.string().max(200) })).output(grantedFile.nullable()),
  /** Asks for files; only in a host with dialogs. */
  chooseSources: call.input(nothing).output(z.array(grantedFile)),
  sample: call.input(nothing).output(grantedFile),
  /** A file that was granted before, as it is now; null: it is missing, or Wellbench was restarted. */
  find: call.input(z.object({ token: fileToken })).output(grantedFile.nullable()),
  /**
   * Writes content of the window to a selected target: `more` appends, and `last` ends the token. Only in a
   * host with dialogs; otherwise the page downloads.
   */
  write: call
    .input(
      z.object({
        token: fileToken,
        base64: z.string().max(12_000_000),
        more: z.boolean(),
        last: z.boolean(),
      }),
    )
    .output(nothing),
  /**
   * Saves a job's file where the user selects. Not saved: canceled, or the host has no dialogs and the page
   * downloads the file.
   */
  saveCopy: call.input(z.object({ token: fileToken })).output(z.object({ saved: z.boolean() })),
};
