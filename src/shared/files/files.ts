import * as z from 'zod';

/** Stands for a file that a person chose. The window holds tokens, never paths. */
export const fileToken = z.string().regex(/^[A-Za-z0-9_-]{20,64}$/);
export type FileToken = z.infer<typeof fileToken>;

export const grantedFile = z.object({
  token: fileToken,
  name: z.string(),
  bytes: z.int().nullable(),
});
export type GrantedFile = z.infer<typeof grantedFile>;

/**
 * How the host lets a person choose files: `dialog`, the system's own; `stream`, the page sends a picked file to main
 * over HTTP and downloads results from it.
 */
export const fileMode = z.enum(['dialog', 'stream']);
