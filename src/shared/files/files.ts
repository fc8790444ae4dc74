import * as z from 'zod';

/** An id that can be the name of a file. */
export const plainId = z.string().regex(/^[A-Za-z0-9-]{1,64}$/);

/** A token for a selected file. The window has tokens, never paths. */
export const fileToken = z.string().regex(/^[A-Za-z0-9_-]{20,64}$/);
export type FileToken = z.infer<typeof fileToken>;

export const grantedFile = z.object({
  token: fileToken,
  name: z.string(),
  bytes: z.int().nullable(),
});
export type GrantedFile = z.infer<typeof grantedFile>;

/**
 * How the host selects files: `dialog`, with the system's dialogs; `stream`, the page uploads a selected file
 * to main over HTTP and downloads results.
 */
export const fileMode = z.enum(['dialog', 'stream']);
