import type { PlotKind } from '../../../shared/tabs/plot.ts';
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

/** What the window asks of the thinning thread. A plot is known by a number that the window gives it. */
export type ThinningRequest =
  | {
      readonly ask: 'load';
      readonly id: number;
      readonly plot: number;
      readonly kind: PlotKind;
      readonly elapsed: boolean;
      readonly view: View | null;
      readonly data: PlotData;
    }
  | { readonly ask: 'look'; readonly id: number; readonly plot: number; readonly look: Look }
  | {
      readonly ask: 'csv';
      readonly id: number;
      readonly plot: number;
      readonly part: Range | null;
      readonly heads: CsvHeads;
    }
  | { readonly ask: 'release'; readonly plot: number };

export type ThinningAnswer =
  | {
      readonly id: number;
      readonly lines: readonly LineFacts[];
      readonly first: { readonly look: Look; readonly lines: readonly Thinned[] } | null;
    }
  | { readonly id: number; readonly drawn: readonly Thinned[] }
  | { readonly id: number; readonly csv: Blob }
  | { readonly id: number; readonly problem: string };

interface Held {
  readonly kind: PlotKind;
  readonly data: PlotData;
  readonly lines: readonly Line[];
}

/** What the thinning thread holds and answers. */
export function createThinning() {
  const plots = new Map<number, Held>();

  function answer(request: Exclude<ThinningRequest, { ask: 'release' }>): ThinningAnswer {
    const { id } = request;
    if (request.ask === 'load') {
      const { kind, data, elapsed, plot, view } = request;
      const lines = toLines(data, { elapsed, sorted: kind !== 'scatter' });
      plots.set(plot, { kind, data, lines });
      const look = lookOf(view, lines);
      const first = look && { look, lines: lines.map((line) => drawn(kind, line, look)) };
      return { id, lines: lines.map(factsOf), first };
    }
    const held = plots.get(request.plot);
    if (!held) return { id, problem: 'the plot is no longer held' };
    if (request.ask === 'csv') return { id, csv: csvOf(held.data, request.heads, request.part) };
    return { id, drawn: held.lines.map((line) => drawn(held.kind, line, request.look)) };
  }

  return {
    answer,
    release: (plot: number) => void plots.delete(plot),
  };
}

function factsOf({ field, group, count, tokens, extent }: Line): LineFacts {
  return { field, group, count, tokens, extent };
}

function lookOf(view: View | null, lines: readonly Line[]): Look | null {
  const extent = view && extentOf(lines);
  return extent && { ...view, x: view.x ?? extent.x, y: view.y ?? extent.y };
}

function drawn(kind: PlotKind, line: Line, { x, y, along, across }: Look): Thinned {
  if (kind !== 'scatter') return thin(line, x, along);
  const area: Area = { x, y: y ?? line.extent?.y ?? { from: 0, to: 1 } };
  return thinDots(line, area, along, across);
}
