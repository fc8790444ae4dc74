import { AppError } from '../../../shared/errors/errors.ts';
import type { PlotKind } from '../../../shared/tabs/plot.ts';
import type { CsvHeads } from './csv.ts';
import type { PlotData } from './lines.ts';
import type { Range, Thinned } from './thin.ts';
import type { LineFacts, Look, View, ThinningAnswer, ThinningRequest } from './thinning.ts';

/** What is needed of a worker. */
export interface ThinningThread {
  postMessage(request: ThinningRequest, transfer: Transferable[]): void;
  terminate(): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ThinningAnswer>) => void): void;
  addEventListener(type: 'error', listener: (event: { readonly message?: string }) => void): void;
}

/** The data of one plot, held by the thinning thread. */
export interface HeldPlot {
  readonly lines: readonly LineFacts[];
  /** What is seen first; null: it was not asked for, or there is nothing. */
  readonly first: { readonly look: Look; readonly lines: readonly Thinned[] } | null;
  /** What to draw of a part, one for each line. @throws AppError */
  readonly look: (look: Look) => Promise<readonly Thinned[]>;
  /** @throws AppError */
  readonly csv: (heads: CsvHeads, part: Range | null) => Promise<Blob>;
  /** Lets the data go. */
  readonly release: () => void;
}

export interface Loaded {
  readonly data: PlotData;
  readonly kind: PlotKind;
  /** Each group begins at 0. */
  readonly elapsed: boolean;
  /** What is seen of it first; null: nothing yet. */
  readonly view: View | null;
}

export interface Thinner {
  /** Sorts data into lines, off this thread, which they are handed over to. @throws AppError */
  readonly load: (loaded: Loaded) => Promise<HeldPlot>;
}

type Asking = ThinningRequest extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never;

/** Plots on a thread that is started at the first need. */
export function createThinner(start: () => ThinningThread): Thinner {
  let thread: ThinningThread | null = null;
  let lastId = 0;
  const waiting = new Map<number, (answer: ThinningAnswer) => void>();

  const started = () => {
    if (thread) return thread;
    const made = start();
    thread = made;
    made.addEventListener('message', ({ data }) => {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    });
    // One that failed may go on running, with the memory it holds.
    made.addEventListener('error', ({ message = 'the thinning thread ended' }) => {
      if (thread !== made) return;
      made.terminate();
      thread = null;
      for (const [id, tell] of waiting) tell({ id, problem: message });
      waiting.clear();
    });
    return made;
  };
  const ask = (asking: Asking, transfer: Transferable[] = []) =>
    new Promise<ThinningAnswer>((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      started().postMessage({ ...asking, id: lastId }, transfer);
    });
  const problem = (answer: ThinningAnswer) =>
    new AppError('internal', {
      problem: 'problem' in answer ? answer.problem : 'the thinning thread mixed its answers',
    });

  let plots = 0;
  return {
    async load({ data, kind, elapsed, view }) {
      plots += 1;
      const plot = plots;
      // Handed over, not copied; one field may be asked for twice.
      const buffers = new Set([data.x, ...data.y].map(({ buffer }) => buffer));
      const loaded = await ask({ ask: 'load', plot, kind, elapsed, view, data }, [...buffers]);
      if (!('lines' in loaded)) throw problem(loaded);
      return {
        lines: loaded.lines,
        first: loaded.first,
        async look(look) {
          const answer = await ask({ ask: 'look', plot, look });
          if (!('drawn' in answer)) throw problem(answer);
          return answer.drawn;
        },
        async csv(heads, part) {
          const answer = await ask({ ask: 'csv', plot, part, heads });
          if (!('csv' in answer)) throw problem(answer);
          return answer.csv;
        },
        release: () => thread?.postMessage({ ask: 'release', plot }, []),
      };
    },
  };
}
