import { openThread, webPort, type ThreadPort } from '../../../shared/threads.ts';
import type { CsvHeads } from './csv.ts';
import type { Range } from './thin.ts';
import type { Look, PlotCalls, PlotSpec } from './thinning.ts';

export type Thinner = ReturnType<typeof createThinner>;
/** The data of one plot, on their thread. */
export type PlotOnThread = Awaited<ReturnType<Thinner['load']>>;

/** Plots on a thread that is started at the first need. Each call throws an AppError. */
export function createThinner(start: () => ThreadPort) {
  const { calls } = openThread<PlotCalls>(start);
  let plots = 0;
  return {
    /** Sorts data into lines, off this thread, which they are handed over to. */
    async load(spec: PlotSpec) {
      const plot = (plots += 1);
      // One field may be asked for twice.
      const transfer = [...new Set([spec.data.x, ...spec.data.y].map(({ buffer }) => buffer))];
      return {
        ...(await calls.load({ ...spec, plot }, { transfer })),
        /** What to draw of a part, one for each line. */
        look: (look: Look) => calls.look({ plot, look }),
        csv: (heads: CsvHeads, part: Range | null) => calls.csv({ plot, heads, part }),
        release: () => void calls.release(plot).catch(() => undefined),
      };
    },
  };
}

/** The one thread that thins all plots of the window. */
export const thinner = createThinner(() =>
  webPort(new Worker(new URL('./thinning-worker.ts', import.meta.url), { type: 'module', name: 'plots' })),
);
