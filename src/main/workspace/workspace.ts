import type * as z from 'zod';
import type { about } from '../../shared/workspace/workspace.ts';
import type { RoomHandlers } from '../handlers.ts';
import type { calls } from '../../shared/contract/contract.ts';
import { diagnosticsText, type DiagnosticsNeeds } from './diagnostics.ts';
import { keptView, plainView, type KeptView } from '../../shared/tabs/grid-view.ts';
import { listIn, openSharedFile } from '../files/shared-file.ts';

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

const format = 1;
/** So many datasets are kept; the one that was changed longest ago goes first. */
const mostViews = 500;

/**
 * How a person left the columns of each dataset: `<data>/views.json`. They are a person's, not a connection's: the same
 * dataset looks the same everywhere.
 */
export function createViews(
  dataFolder: string,
  warn: (sentence: string) => void,
): Pick<RoomHandlers<(typeof calls)['workspace']>, 'view' | 'keepView'> {
  const { locked, write } = openSharedFile({
    dataFolder,
    name: 'views',
    format,
    nothing: [],
    read: listIn('views', keptView),
    what: 'columns of datasets',
    warn,
  });
  const isOf =
    ({ provider, dataset }: Pick<KeptView, 'provider' | 'dataset'>) =>
    (kept: KeptView) =>
      kept.provider === provider && kept.dataset === dataset;

  return {
    view: (of) => locked(async (now) => now.find(isOf(of))?.view ?? plainView),
    keepView: (kept) =>
      locked(async (now) => {
        const others = now.filter((one) => !isOf(kept)(one));
        await write({ views: [kept, ...others].slice(0, mostViews) });
        return {};
      }),
  };
}
