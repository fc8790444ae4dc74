import { createStore } from 'zustand/vanilla';
import { maxPlotFields, type PlotChoice } from '../../../shared/tabs/plot.ts';

export interface PlotState {
  /** What the person chose, to be kept with the tab; null: what suits the records. */
  readonly choice: PlotChoice | null;
}

/** The choice of what a plot shows. */
export type Plot = ReturnType<typeof createPlot>;

/** @param kept a choice that was kept with the tab */
export function createPlot(kept: PlotChoice | null = null) {
  const store = createStore<PlotState>()(() => ({ choice: kept }));
  const actions = {
    choose: (choice: PlotChoice) => store.setState({ choice }),
    /** Shows one more field, if there is room; `first` is what was shown until now. */
    add(first: PlotChoice, field: string) {
      if (first.y.includes(field) || first.y.length >= maxPlotFields) return;
      store.setState({ choice: { ...first, y: [...first.y, field] } });
    },
    remove: (first: PlotChoice, fields: ReadonlySet<string>) =>
      store.setState({ choice: { ...first, y: first.y.filter((field) => !fields.has(field)) } }),
  };
  return { store, actions };
}
