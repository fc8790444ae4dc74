import { openThread, webPort, type ThreadPort } from '../../../shared/threads.ts';
import type { CsvHeads } from './csv.ts';
import type { Area } from './dots.ts';
import type { Range } from './thin.ts';
import type { Look, PlotCalls, PlotSpec } from './thinning.ts';

export type Thinner = ReturnType<typeof createThinner>;
export type PlotOnThread = Awaited<ReturnType<Thinner['load']>>;

/** Plots on a thread that is started on demand. Each call throws an AppError. */
export function createThinner(start: () => ThreadPort) {
  const { calls } = openThread<PlotCalls>(start);
  let plots = 0;
  return {
    /** Sorts data into lines on the thread; the data are transferred to it. */
    async load(spec: PlotSpec) {
      const plot = (plots += 1);
      // The same field can be requested twice.
      const { x, y, color } = spec.data;
      const transfer = [...new Set([x, ...y, ...(color ? [color] : [])].map(({ buffer }) => buffer))];
      return {
        ...(await calls.load({ ...spec, plot }, { transfer })),
        /** The points to draw for a part, one list for each line. */
        look: (look: Look) => calls.look({ plot, look }),
        /** The value of each line at a position; `reach`: how far beyond its ends it still counts. */
        read: (along: number, reach: number) => calls.read({ plot, along, reach }),
        /** The regression of each line, and histograms of the visible area. */
        statistics: (area: Area) => calls.statistics({ plot, area }),
        csv: (heads: CsvHeads, part: Range | null) => calls.csv({ plot, heads, part }),
        release: () => void calls.release(plot).catch(() => undefined),
      };
    },
  };
}

/** The thread that downsamples all plots of the window. */
export const thinner = createThinner(() =>
  webPort(new Worker(new URL('./thinning-worker.ts', import.meta.url), { type: 'module', name: 'plots' })),
);
