import { eventIterator } from '@orpc/contract';
import * as z from 'zod';
import { connection } from '../connections/connections.ts';
import { job } from '../jobs/jobs.ts';
import { opened } from '../files/opened.ts';
import { keptSettings } from '../settings/settings.ts';
import { heldTabs, tabsQuery } from '../tabs/tabs.ts';
import { notice } from '../workspace/workspace.ts';
import { call, nothing } from './call.ts';

/** Streams that run until the listener goes. */
export const events = {
  /** A job each time it changes, at most about ten times a second; all of them once at the start. */
  jobs: call.input(nothing).output(eventIterator(job)),
  notices: call.input(nothing).output(eventIterator(notice)),
  /** What a person has changed, at the start and after each change; whoever can't read it is told nothing. */
  settings: call.input(nothing).output(eventIterator(keptSettings)),
  /** All connections, at the start and whenever one of them changes. */
  connections: call.input(nothing).output(eventIterator(z.array(connection))),
  /** What a person opened from outside, each for the window that they look at. */
  opened: call.input(nothing).output(eventIterator(opened)),
  /** The kept tabs of a window over a connection, once; they are its own until it stops listening. */
  tabs: call.input(tabsQuery).output(eventIterator(heldTabs)),
};
