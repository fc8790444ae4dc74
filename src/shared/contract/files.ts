import * as z from 'zod';
import { fileToken, grantedFile } from '../files/files.ts';
import { call, nothing } from './call.ts';

/** Files that a person chose. */
export const filesCalls = {
  /** Asks where a result is to go. Null: the person thought better of it. */
  chooseTarget: call.input(z.object({ suggestedName: z.string().max(200) })).output(grantedFile.nullable()),
  /** Asks which files are meant; only where the host has a dialog. */
  chooseSources: call.input(nothing).output(z.array(grantedFile)),
  /** A file that was handed out before, as it is now; null: it is gone, or Wellbench was restarted since. */
  find: call.input(z.object({ token: fileToken })).output(grantedFile.nullable()),
  /**
   * Writes what the window has made to a chosen target: `more` goes on where the piece before ended, and with `last`
   * the token ends. Only where the host has a dialog; elsewhere the page downloads.
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
   * Gives a file that a job made to the person, whole, where they want it. Not saved: they thought better of it, or
   * the host has no dialog and the page downloads the file instead.
   */
  saveCopy: call.input(z.object({ token: fileToken })).output(z.object({ saved: z.boolean() })),
  /** Writes a text of the page where the person wants it; only where the host has a dialog, as `saveCopy`. */
  saveText: call
    .input(z.object({ suggestedName: z.string().max(200), text: z.string().max(10_000_000) }))
    .output(z.object({ saved: z.boolean() })),
};
