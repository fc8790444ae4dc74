import * as z from 'zod';
import type { calls } from '../../shared/contract/contract.ts';
import { keptView, plainView, type KeptView } from '../../shared/tabs/grid-view.ts';
import { openSharedFile } from '../files/shared-file.ts';
import type { RoomHandlers } from '../handlers.ts';

/** The format of the file. */
const format = 1;
/** So many datasets are kept; the one that was changed longest ago goes first. */
const mostViews = 500;

const whole = z.object({ format: z.int(), views: z.array(z.unknown()) });

function viewsIn(content: unknown): { value: KeptView[]; partly: boolean } | null {
  const { success, data } = whole.safeParse(content);
  if (!success) return null;
  const value = data.views.flatMap((one) => keptView.safeParse(one).data ?? []);
  return { value, partly: value.length < data.views.length };
}

/**
 * How a person left the columns of each dataset: `<data>/views.json`, written whole under `views.lock`, beneath which it
 * is read again first. They are a person's, not a connection's: the same dataset looks the same everywhere.
 * @param warn told of what was damaged, and where it was put
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
    read: viewsIn,
    onDamage: (aside) =>
      warn(
        `How columns stood could not be read. What was kept of it is now ${aside}. It lies in ${dataFolder}.`,
      ),
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
