import * as z from 'zod';
import { fileMode } from '../files/files.ts';

export const about = z.object({
  version: z.string(),
  host: z.enum(['electron', 'browser', 'command-line']),
  files: fileMode,
});

/** Diagnostics as text for support. */
export const diagnostics = z.object({ text: z.string() });

/** A request that failed for now and will be tried again. */
export const retryNotice = z.object({
  kind: z.literal('retry'),
  service: z.enum(['data', 'platform']),
  host: z.string(),
  attempt: z.int(),
  nextTryMs: z.number(),
  cause: z.string(),
  /** The connection of the request, if any. */
  connection: z.string().optional(),
});
export type RetryNotice = z.infer<typeof retryNotice>;

export const notice = z.discriminatedUnion('kind', [retryNotice]);
export type Notice = z.infer<typeof notice>;
