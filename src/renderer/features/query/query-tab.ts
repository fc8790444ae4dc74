import { createStore } from 'zustand/vanilla';
import { AppError } from '../../../shared/errors.ts';
import type { Dataset } from '../../../shared/datasets.ts';
import type { Api } from '../../api/api.ts';
import type { Feature } from '../../state/context.tsx';
import { latest } from '../../state/latest.ts';
import { failed, full, idle, type Loadable } from '../../state/loadable.ts';
import type { Problems } from '../../state/problems.ts';
import { createResults, type Results, type ResultsNeeds, type Running } from '../results/results.ts';
import type { ScopedWell } from '../wells/wells.ts';
import {
  findProblems,
  findRequestFrom,
  queryText,
  type FindField,
  type FindInputs,
  type FindTarget,
  type FindWords,
} from './inputs.ts';
import { prefill } from './prefill.ts';

export type Counted = Exclude<Loadable<{ count: number; ms: number }>, { face: 'loading' }> | Running;

export interface QueryTabState {
  readonly inputs: FindInputs;
  readonly problems: Problems<FindField>;
  /** The wells that the query was filled in for. */
  readonly wells: readonly ScopedWell[];
  /** Whether the person has changed the query since it was filled in. */
  readonly touched: boolean;
  readonly counted: Counted;
}

export interface QueryTabActions {
  readonly type: (field: FindField, text: string) => void;
  /** Fills query and sort in for these wells; what was typed there is replaced. */
  readonly fillIn: (wells: readonly ScopedWell[]) => void;
  readonly run: () => Promise<void>;
  readonly count: () => Promise<void>;
  readonly cancel: () => void;
  /** Ends what runs and lets the records go. */
  readonly close: () => void;
}

export interface QueryTab extends Feature<QueryTabState, QueryTabActions> {
  readonly target: FindTarget;
  readonly dataset: Dataset;
  readonly results: Results;
}

export interface QueryTabNeeds extends ResultsNeeds {
  readonly api: ResultsNeeds['api'] & { readonly query: Pick<Api['query'], 'count'> };
  readonly words: FindWords;
}

/** One question to one dataset; the answer to it is `results`. */
export function createQueryTab(
  needs: QueryTabNeeds,
  subject: { connection: string; dataset: Dataset; wells: readonly ScopedWell[] },
): QueryTab {
  const { api, words, now } = needs;
  const { dataset } = subject;
  const target: FindTarget = {
    connection: subject.connection,
    provider: dataset.provider,
    dataset: dataset.dataset,
  };
  const results = createResults(needs, dataset);
  const store = createStore<QueryTabState>()(() => ({
    inputs: prefill(dataset.type, subject.wells),
    problems: {},
    wells: subject.wells,
    touched: false,
    counted: idle,
  }));
  const counting = latest();

  const request = () => {
    const made = findRequestFrom(target, store.getState().inputs, words);
    if (!made.ok) throw new AppError('invalid_input', { issues: made.issues });
    return made.request;
  };

  const actions: QueryTabActions = {
    type(field, text) {
      store.setState(({ inputs, problems, touched }) => ({
        inputs: { ...inputs, [field]: text },
        problems: { ...problems, [field]: undefined },
        touched: touched || field === 'query' || field === 'sort',
      }));
    },
    fillIn(wells) {
      const { query, sort } = prefill(dataset.type, wells);
      store.setState(({ inputs }) => ({
        wells,
        inputs: { ...inputs, query, sort },
        touched: false,
        problems: {},
      }));
    },
    async run() {
      store.setState({ problems: {} });
      const error = await results.actions.run(() => ({ kind: 'find', request: request() }));
      if (error) store.setState({ problems: findProblems(error) });
    },
    async count() {
      store.setState({ counted: { face: 'running', since: now() }, problems: {} });
      await counting.run(
        (signal) => api.query.count({ ...target, query: queryText(store.getState().inputs) }, { signal }),
        {
          done: (value) => store.setState({ counted: full(value) }),
          failed: (error) => store.setState({ counted: failed(error), problems: findProblems(error) }),
          cancelled: () => store.setState({ counted: idle }),
        },
      );
    },
    cancel() {
      results.actions.cancel();
      counting.cancel();
    },
    close() {
      counting.drop();
      results.actions.close();
    },
  };
  return { store, actions, target, dataset, results };
}
