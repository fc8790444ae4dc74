import { createStore } from 'zustand/vanilla';
import { mostPlotFields, type PlotChoice } from '../../../shared/tabs/plot.ts';
import type { Feature } from '../../state/feature.ts';

export interface PlotState {
  /** What the person chose, to be kept with the tab; null: what suits the records. */
  readonly choice: PlotChoice | null;
}

export interface PlotActions {
  readonly choose: (choice: PlotChoice) => void;
  /** Shows one more field, if there is room; `first` is what was shown until now. */
  readonly add: (first: PlotChoice, field: string) => void;
  readonly remove: (first: PlotChoice, fields: ReadonlySet<string>) => void;
}

/** The choice of what a plot shows. */
export type Plot = Feature<PlotState, PlotActions>;

/** @param kept a choice that was kept with the tab */
export function createPlot(kept: PlotChoice | null = null): Plot {
  const store = createStore<PlotState>()(() => ({ choice: kept }));
  const actions: PlotActions = {
    choose: (choice) => store.setState({ choice }),
    add(first, field) {
      if (first.y.includes(field) || first.y.length >= mostPlotFields) return;
      store.setState({ choice: { ...first, y: [...first.y, field] } });
    },
    remove: (first, fields) =>
      store.setState({ choice: { ...first, y: first.y.filter((field) => !fields.has(field)) } }),
  };
  return { store, actions };
}
