import * as z from 'zod';
import { errorBody } from '../errors/errors.ts';
import { grantedFile } from './files.ts';
import { sharedQueries } from '../saved/saved-file.ts';

/**
 * An item opened from outside the page: a file of saved queries or with rows, a link, or the settings. It is shown first;
 * nothing runs automatically.
 */
export const opened = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('queries'),
    /** Null: from a link of an unknown author. */
    file: z.string().nullable(),
    content: sharedQueries,
  }),
  z.object({ kind: z.literal('rows'), file: grantedFile }),
  z.object({ kind: z.literal('settings') }),
  z.object({ kind: z.literal('problem'), error: errorBody }),
]);
export type Opened = z.infer<typeof opened>;
