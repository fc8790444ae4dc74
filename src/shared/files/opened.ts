import * as z from 'zod';
import { errorBody } from '../errors/errors.ts';
import { sharedQueries } from '../saved/saved-file.ts';

/**
 * What a person opened from outside the page: a file of saved queries, a link, or the settings by the menu. It is looked
 * at first; nothing of it runs by itself.
 */
export const opened = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('queries'),
    /** Null: it came by a link, and who made that is not known. */
    file: z.string().nullable(),
    content: sharedQueries,
  }),
  z.object({ kind: z.literal('settings') }),
  z.object({ kind: z.literal('problem'), error: errorBody }),
]);
export type Opened = z.infer<typeof opened>;
