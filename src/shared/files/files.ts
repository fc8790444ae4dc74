import * as z from 'zod';
import { AppError, type ErrorDetails } from '../errors/errors.ts';

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

const head = z.object({ kind: z.string(), format: z.int() });

interface SharedKind {
  /** What such a file says it is. */
  readonly kind: string;
  /** The newest format that this version reads. */
  readonly format: number;
  readonly wanted: NonNullable<ErrorDetails<'file_unsuitable'>['wanted']>;
  /** Why another file isn't one: "it contains no saved queries". */
  readonly reason: string;
}

/**
 * Refuses a file of another kind, or of a newer version of Wellbench.
 * @param file its name, for errors
 * @throws AppError `file_unsuitable`, `file_too_new`
 */
export function checkSharedHead(
  content: unknown,
  { kind, format, wanted, reason }: SharedKind,
  file: string,
): void {
  const { data } = head.safeParse(content);
  if (data?.kind !== kind) throw new AppError('file_unsuitable', { file, reason, wanted });
  if (data.format > format) throw new AppError('file_too_new', { file, format: data.format });
}
