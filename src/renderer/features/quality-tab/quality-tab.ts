import { createStore } from 'zustand/vanilla';
import type { CheckOptions } from '../../../shared/quality/field-track.ts';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { readList } from '../../../shared/value-lists.ts';
import { createQualityRun, type QualityRunDependencies } from '../quality/quality-run.ts';

/** The well and the range of one side, as typed. Times are UTC. */
export interface SideInputs {
  readonly assetId: string;
  readonly from: string;
  readonly to: string;
}

export interface ComparisonForm {
  readonly isOpen: boolean;
  /** Of the query of the tab; empty: it has no such condition, or another kind of it. */
  readonly source: SideInputs;
  /** Empty: as the source. */
  readonly against: SideInputs;
  /** The other query as text; null: it follows from `against`. */
  readonly againstQuery: string | null;
  readonly tolerance: string;
}

export interface QualityForm {
  /** Relaxed JSON. */
  readonly query: string;
  /** A list of dotted paths; empty: all fields. */
  readonly fields: string;
  /** The expected step, such as `1s`; empty: the most frequent one. */
  readonly step: string;
  readonly comparison: ComparisonForm;
}

export const noInputs: SideInputs = { assetId: '', from: '', to: '' };
export const noComparison: ComparisonForm = {
  isOpen: false,
  source: noInputs,
  against: noInputs,
  againstQuery: null,
  tolerance: '0',
};

interface QualityTabDependencies extends QualityRunDependencies {
  /** How spikes and flat stretches are found, by the settings. */
  readonly checks: () => CheckOptions;
}

export interface QualitySubject {
  readonly connection: string;
  readonly dataset: Dataset;
  readonly query: string;
  readonly job?: string | null;
}

export type QualityTab = ReturnType<typeof createQualityTab>;

export function createQualityTab(
  { checks, ...dependencies }: QualityTabDependencies,
  { connection, dataset, query, job = null }: QualitySubject,
) {
  const store = createStore<{ form: QualityForm }>()(() => ({
    form: { query, fields: '', step: '', comparison: noComparison },
  }));
  const run = createQualityRun(dependencies, job);

  /** What both kinds of jobs are started with. */
  const request = () => ({
    connection,
    provider: dataset.provider,
    dataset: dataset.dataset,
    fields: readList(store.getState().form.fields),
  });

  const actions = {
    change(change: Partial<QualityForm>): void {
      run.hideProblem();
      store.setState(({ form }) => ({ form: { ...form, ...change } }));
    },
    changeComparison: (change: Partial<ComparisonForm>): void =>
      actions.change({ comparison: { ...store.getState().form.comparison, ...change } }),
    check(): Promise<void> {
      const { query: checked, step } = store.getState().form;
      return run.start((quality, signal) =>
        quality.start(
          { ...request(), query: checked, ...checks(), ...(step.trim() === '' ? {} : { step }) },
          { signal },
        ),
      );
    },
    /** Compares the records of two queries. The first becomes the query of the tab. */
    compare(queries: { readonly query: string; readonly againstQuery: string }): Promise<void> {
      const { tolerance } = store.getState().form.comparison;
      actions.change({ query: queries.query });
      return run.start((quality, signal) =>
        quality.compare({ ...request(), ...queries, tolerance }, { signal }),
      );
    },
    close: run.close,
  };
  return { store, actions, run, dataset, connection };
}
