import { AppError } from '../../../shared/errors/errors.ts';
import type { PlotKind } from '../../../shared/tabs/plot.ts';
import type { CallContext } from '../../../shared/threads.ts';
import { csvOf, type CsvHeads } from './csv.ts';
import { extentOf } from './extent.ts';
import { toLines, type Line, type PlotData } from './lines.ts';
import { thinDots, type Area } from './scatter.ts';
import { thin, type Range, type Thinned } from './thin.ts';

/** What is known of one line before it is drawn. */
export type LineFacts = Omit<Line, 'x' | 'y'>;

/** A part of a plot, and the pixels that it is drawn over. */
export interface Look {
  readonly x: Range;
  /** Of a scatter only. */
  readonly y?: Range | undefined;
  /** Along x, and across it. */
  readonly along: number;
  readonly across: number;
}

/** What is seen of a plot whose extent is not known yet: null stands for all of it. */
export interface View extends Pick<Look, 'along' | 'across'> {
  readonly x: Range | null;
  readonly y: Range | null;
}

export interface PlotSpec {
  readonly data: PlotData;
  readonly kind: PlotKind;
  /** Each group begins at 0. */
  readonly elapsed: boolean;
  /** What is seen of it first; null: nothing yet. */
  readonly view: View | null;
}

interface HeldPlot {
  readonly kind: PlotKind;
  readonly data: PlotData;
  readonly lines: readonly Line[];
}

/** The calls of the thread that holds the data of plots. `plot` is a number that the window gives. */
export type PlotCalls = ReturnType<typeof createPlotHost>;

/** Holds a million points, sorts and downsamples them; the window gets what it draws. */
export function createPlotHost() {
  const plots = new Map<number, HeldPlot>();
  const plotAt = (plot: number): HeldPlot => {
    const held = plots.get(plot);
    if (!held) throw new AppError('internal', { problem: 'the plot is no longer held' });
    return held;
  };
  const draw = ({ kind, lines }: HeldPlot, look: Look, { transfer }: CallContext): Thinned[] => {
    const drawn = lines.map((line) => drawnLine(kind, line, look));
    transfer(drawn.flatMap(({ x, y }) => [x.buffer, y.buffer]));
    return drawn;
  };

  return {
    /** Sorts data into lines; `first` is what is seen of them, null where nothing is. */
    load({ plot, data, kind, elapsed, view }: PlotSpec & { plot: number }, context: CallContext) {
      const held = { kind, data, lines: toLines(data, { elapsed, sorted: kind !== 'scatter' }) };
      plots.set(plot, held);
      const look = lookOf(view, held.lines);
      return {
        lines: held.lines.map(({ field, group, count, tokens, extent }): LineFacts => ({
          field,
          group,
          count,
          tokens,
          extent,
        })),
        first: look && { look, lines: draw(held, look, context) },
      };
    },
    /** What to draw of a part, one for each line. */
    look: ({ plot, look }: { plot: number; look: Look }, context: CallContext) =>
      draw(plotAt(plot), look, context),
    csv: ({ plot, heads, part }: { plot: number; heads: CsvHeads; part: Range | null }) =>
      csvOf(plotAt(plot).data, heads, part),
    release: (plot: number) => void plots.delete(plot),
  };
}

function lookOf(view: View | null, lines: readonly Line[]): Look | null {
  const extent = view && extentOf(lines);
  return extent && { ...view, x: view.x ?? extent.x, y: view.y ?? extent.y };
}

function drawnLine(kind: PlotKind, line: Line, { x, y, along, across }: Look): Thinned {
  if (kind !== 'scatter') return thin(line, x, along);
  const area: Area = { x, y: y ?? line.extent?.y ?? { from: 0, to: 1 } };
  return thinDots(line, area, along, across);
}
