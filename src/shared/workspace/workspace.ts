import * as z from 'zod';
import { fileMode } from '../files/files.ts';

export const about = z.object({
  version: z.string(),
  host: z.enum(['electron', 'browser', 'command-line']),
  files: fileMode,
  /** Whether the application, with its jobs, ends when its last window is closed. */
  endsWithWindow: z.boolean(),
});

/** A notification of the system, of a window that may be behind others. */
export const systemNotice = z.object({ title: z.string().max(200), body: z.string().max(2000) });
export type SystemNotice = z.infer<typeof systemNotice>;

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

/** A list of a service of which some entries could not be read; the others are shown. */
export const skippedNotice = z.object({
  kind: z.literal('skipped'),
  service: z.enum(['data', 'platform']),
  host: z.string(),
  /** The list in words: "the list of datasets". */
  what: z.string(),
  count: z.int(),
  /** The connection of the request, if any. */
  connection: z.string().optional(),
});
export type SkippedNotice = z.infer<typeof skippedNotice>;

export const notice = z.discriminatedUnion('kind', [retryNotice, skippedNotice]);
export type Notice = z.infer<typeof notice>;
