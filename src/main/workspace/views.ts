import { join } from 'node:path';
import * as z from 'zod';
import type { calls } from '../../shared/contract.ts';
import { AppError } from '../../shared/errors.ts';
import { keptView, plainView, type KeptView } from '../../shared/grid-view.ts';
import { alone } from '../connections/alone.ts';
import { readVersioned, writeVersioned } from '../files/versioned.ts';
import type { RoomHandlers } from '../handlers.ts';

/** The format of the file. */
const format = 1;
const fileName = 'views.json';
const patienceMs = 10_000;
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
  const path = join(dataFolder, fileName);

  const locked = <T>(work: (now: KeptView[]) => Promise<T>): Promise<T> => {
    const reason = 'another process has been changing it for a while';
    const busy = () => new AppError('file_unwritable', { file: fileName, reason });
    return alone(join(dataFolder, 'views.lock'), patienceMs, busy, async () => {
      const { value, aside } = await readVersioned({ path, format, read: viewsIn });
      if (aside !== null)
        warn(
          `How columns stood could not be read. What was kept of it is now ${aside}. It lies in ${dataFolder}.`,
        );
      return work(value ?? []);
    });
  };
  const isOf =
    ({ provider, dataset }: Pick<KeptView, 'provider' | 'dataset'>) =>
    (kept: KeptView) =>
      kept.provider === provider && kept.dataset === dataset;

  return {
    view: (of) => locked(async (now) => now.find(isOf(of))?.view ?? plainView),
    keepView: (kept) =>
      locked(async (now) => {
        const others = now.filter((one) => !isOf(kept)(one));
        await writeVersioned(path, format, { views: [kept, ...others].slice(0, mostViews) });
        return {};
      }),
  };
}
