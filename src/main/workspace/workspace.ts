import type * as z from 'zod';
import type { about } from '../../shared/workspace/workspace.ts';
import type { RoomHandlers } from '../handlers.ts';
import type { calls } from '../../shared/contract/contract.ts';
import { diagnosticsText, type DiagnosticsNeeds } from './diagnostics.ts';
import { createViews } from './views.ts';

export type About = z.infer<typeof about>;

/** What diagnostics say of other rooms. */
type KnownElsewhere = Pick<DiagnosticsNeeds, 'settings' | 'connections' | 'jobs' | 'clean'>;

/** What belongs to the window as a whole: who we are, and how columns were left. */
export function createWorkspace(
  facts: About,
  dataFolder: string,
  { warn, ...known }: { readonly warn: (sentence: string) => void } & KnownElsewhere,
): RoomHandlers<(typeof calls)['workspace']> {
  return {
    ...createViews(dataFolder, warn),
    about: async () => facts,
    diagnostics: async () => ({ text: await diagnosticsText({ about: facts, dataFolder, ...known }) }),
  };
}
