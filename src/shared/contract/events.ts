import * as z from 'zod';
import { errorBody } from '../errors/errors.ts';
import { grantedFile } from '../files/files.ts';
import { sharedQueries } from '../saved/sharing.ts';
import { eventIterator } from '@orpc/contract';
import { connection } from '../connections/connections.ts';
import { job } from '../jobs/jobs.ts';
import { keptSettings } from '../settings/settings.ts';
import { heldTabs, tabsQuery } from './workspace.ts';
import { notice } from '../workspace/workspace.ts';
import { call, nothing } from './call.ts';

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

/** Streams that run until the listener disconnects. */
export const events = {
  /** The jobs of a list once at the start, then each change, at most about ten per second. */
  jobs: call.input(nothing).output(eventIterator(job)),
  notices: call.input(nothing).output(eventIterator(notice)),
  /** The changed settings, at the start and after each change; unreadable settings yield nothing. */
  settings: call.input(nothing).output(eventIterator(keptSettings)),
  /** All connections, at the start and whenever one of them changes. */
  connections: call.input(nothing).output(eventIterator(z.array(connection))),
  /** Items opened from outside, for the focused window. */
  opened: call.input(nothing).output(eventIterator(opened)),
  /** The tabs of a window for a connection, once; locked for this window until it stops listening. */
  tabs: call.input(tabsQuery).output(eventIterator(heldTabs)),
};
