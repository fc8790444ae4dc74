import { openThread, webPort, type ThreadPort } from '../../../shared/threads.ts';
import type { Groups } from '../records/figures.ts';
import type { CsvHeads } from './csv.ts';
import type { Area } from './dots.ts';
import type { PlotSource } from './source.ts';
import type { Range } from './thin.ts';
import type { Look, PlotCalls, PlotSpec } from './thinning.ts';

export type Thinner = ReturnType<typeof createThinner>;
export type PlotOnThread = Awaited<ReturnType<Thinner['load']>>;

/** Plots on a thread that is started on demand. Each call throws an AppError. */
export function createThinner(start: () => ThreadPort) {
  const { calls } = openThread<PlotCalls>(start);
  let plots = 0;
  let sources = 0;
  const sourceIds = new WeakMap<PlotSource, number>();
  const idOf = (source: PlotSource): number => {
    const id = sourceIds.get(source) ?? (sources += 1);
    sourceIds.set(source, id);
    return id;
  };

  async function load(plot: number, source: PlotSource, spec: PlotSpec, groups: Groups | null) {
    const request = { plot, source: idOf(source), spec };
    let answer = await calls.load({ ...request, numbers: [], codes: null });
    while ('missing' in answer) {
      const { fields, codes } = answer.missing;
      const columns = fields.length > 0 ? await source.numbers(fields) : [];
      // A field that the records don't have has no values.
      const numbers = fields.map((field, at) => [field, columns[at] ?? new Float64Array()] as const);
      answer = await calls.load(
        { ...request, numbers, codes: codes ? (groups?.codes ?? null) : null },
        { transfer: columns.map(({ buffer }) => buffer) },
      );
    }
    return answer;
  }

  return {
    /** Sorts records into lines on the thread, which reads what it doesn't hold of them. */
    async load(source: PlotSource, spec: PlotSpec, groups: Groups | null) {
      const plot = (plots += 1);
      return {
        ...(await load(plot, source, spec, groups)),
        look: (look: Look) => calls.look({ plot, look }),
        /** The value of each line at a position; `reach`: how far beyond its ends it still counts. */
        read: (along: number, reach: number) => calls.read({ plot, along, reach }),
        statistics: (area: Area) => calls.statistics({ plot, area }),
        csv: (heads: CsvHeads, part: Range | null) => calls.csv({ plot, heads, part }),
        release: () => void calls.release(plot).catch(() => undefined),
      };
    },
    forget(source: PlotSource) {
      const id = sourceIds.get(source);
      if (id !== undefined) void calls.forget(id).catch(() => undefined);
    },
  };
}

/** The thread that downsamples all plots of the window. */
export const thinner = createThinner(() =>
  webPort(new Worker(new URL('./thinning-worker.ts', import.meta.url), { type: 'module', name: 'plots' })),
);
