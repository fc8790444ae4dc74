import * as z from 'zod';
import { call, nothing } from './call.ts';
import {
  historyPage,
  historyQuery,
  oneRun,
  removedRuns,
  restoredRuns,
  runId,
  runNote,
} from '../history/history.ts';
import { questionText } from '../query/question.ts';

/** What was run. */
export const historyCalls = {
  /** Notes a run that has ended. */
  note: call.input(runNote).output(nothing),
  list: call.input(historyQuery).output(historyPage),
  /** The full query of a run. */
  get: call.input(oneRun).output(z.object({ question: questionText })),
  /** Returns the removed runs, for `restore`. */
  remove: call.input(removedRuns).output(z.object({ ids: z.array(runId) })),
  restore: call.input(restoredRuns).output(nothing),
};
