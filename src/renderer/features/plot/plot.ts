import { createStore } from 'zustand/vanilla';
import { maxPlotFields, type PlotChoice } from '../../../shared/tabs/plot.ts';
import { createViewCall } from '../../state/view-call.ts';
import type { UnitChanges } from '../records/shown-cells.ts';
import type { Part } from './extent.ts';

export interface PlotState {
  /** The user's selections, to be stored with the tab; null: the default. */
  readonly choice: PlotChoice | null;
  /** The zoomed range, which lasts as long as the tab; null: everything. */
  readonly zoom: Zoom | null;
}

export interface Zoom {
  readonly axis: string;
  readonly part: Part;
}

/** The axis of a plot: the same range is another one on another axis, or in another unit. */
export function axisOf({ kind, x, y: [first = ''], align }: PlotChoice, changes: UnitChanges = {}): string {
  const across = kind === 'scatter' ? first : null;
  return JSON.stringify([
    kind,
    x,
    align,
    across,
    changes[x]?.to,
    across === null ? null : changes[across]?.to,
  ]);
}

/** The selections of a plot, and its zoom. */
export type Plot = ReturnType<typeof createPlot>;

/** @param kept selections that were stored with the tab */
export function createPlot(kept: PlotChoice | null = null) {
  const store = createStore<PlotState>()(() => ({ choice: kept, zoom: null }));
  const onClose: (() => void)[] = [];
  /** Opens the form of a new note. */
  const addNote = createViewCall<void>();
  const actions = {
    choose: (choice: PlotChoice) => store.setState({ choice }),
    keepZoom: (zoom: Zoom | null) => store.setState({ zoom }),
    /** Adds one field if there is room; `first` are the fields shown until now. */
    add(first: PlotChoice, field: string) {
      if (first.y.includes(field) || first.y.length >= maxPlotFields) return;
      store.setState({ choice: { ...first, y: [...first.y, field] } });
    },
    remove: (first: PlotChoice, fields: ReadonlySet<string>) =>
      store.setState({ choice: { ...first, y: first.y.filter((field) => !fields.has(field)) } }),
    /** Releases what was drawn. */
    close: () => onClose.forEach((release) => release()),
  };
  return { store, actions, onClose, addNote };
}
