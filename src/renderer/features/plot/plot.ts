import { createStore } from 'zustand/vanilla';
import { maxPlotFields, type PlotChoice } from '../../../shared/tabs/plot.ts';

export interface PlotState {
  /** The user's selections, to be stored with the tab; null: the default. */
  readonly choice: PlotChoice | null;
}

/** The selections of a plot. */
export type Plot = ReturnType<typeof createPlot>;

/** @param kept selections that were stored with the tab */
export function createPlot(kept: PlotChoice | null = null) {
  const store = createStore<PlotState>()(() => ({ choice: kept }));
  const actions = {
    choose: (choice: PlotChoice) => store.setState({ choice }),
    /** Adds one field if there is room; `first` are the fields shown until now. */
    add(first: PlotChoice, field: string) {
      if (first.y.includes(field) || first.y.length >= maxPlotFields) return;
      store.setState({ choice: { ...first, y: [...first.y, field] } });
    },
    remove: (first: PlotChoice, fields: ReadonlySet<string>) =>
      store.setState({ choice: { ...first, y: first.y.filter((field) => !fields.has(field)) } }),
  };
  return { store, actions };
}
