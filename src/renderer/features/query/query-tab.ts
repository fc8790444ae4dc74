import { createStore } from 'zustand/vanilla';
import { AppError } from '../../../shared/errors.ts';
import type { Dataset, ScopeField } from '../../../shared/datasets.ts';
import type { QuestionMode, QuestionText } from '../../../shared/question.ts';
import type { Api } from '../../api/api.ts';
import type { Feature } from '../../state/context.tsx';
import { latest } from '../../state/latest.ts';
import { failed, full, idle, type Loadable } from '../../state/loadable.ts';
import type { Problems } from '../../state/problems.ts';
import { createResults, type Results, type ResultsNeeds, type Running } from '../results/results.ts';
import type { ScopedWell } from '../wells/wells.ts';
import {
  askedFrom,
  questionProblems,
  type FindTarget,
  type FindWords,
  type QuestionField,
  countOf,
} from './inputs.ts';
import { prefill } from './prefill.ts';

export type Counted = Exclude<Loadable<{ count: number; ms: number }>, { face: 'loading' }> | Running;

export interface QueryTabState {
  /** All that is typed, as it is kept with the tab. */
  readonly text: QuestionText;
  /** What is wrong with the mode that is asked. */
  readonly problems: Problems<QuestionField>;
  /** The wells that the query was filled in for. */
  readonly wells: readonly ScopedWell[];
  /** Whether the person has changed the query since it was filled in. */
  readonly touched: boolean;
  readonly counted: Counted;
}

export interface QueryTabActions {
  /** Puts what is typed into one of the modes. */
  readonly type: <M extends QuestionMode>(mode: M, typed: Partial<QuestionText[M]>) => void;
  /** Asks in another mode; each keeps its own text. */
  readonly switchTo: (mode: QuestionMode) => void;
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
  readonly api: { readonly query: Pick<Api['query'], 'count'> };
  readonly words: FindWords;
}

export interface QuerySubject {
  readonly connection: string;
  readonly dataset: Dataset;
  /** The wells that the question is filled in for. */
  readonly wells: readonly ScopedWell[];
  /** What is known now of how the records belong to wells; it may be learnt later. */
  readonly scope?: () => ScopeField | null | undefined;
  /** What was typed before, as of a tab that is opened again; absent: the question is filled in. */
  readonly text?: QuestionText | undefined;
}

/** One question to one dataset; the answer to it is `results`. */
export function createQueryTab(needs: QueryTabNeeds, subject: QuerySubject): QueryTab {
  const { api, words, now } = needs;
  const { dataset } = subject;
  const target: FindTarget = {
    connection: subject.connection,
    provider: dataset.provider,
    dataset: dataset.dataset,
  };
  const results = createResults(needs, dataset);
  const store = createStore<QueryTabState>()(() => ({
    text: subject.text ?? prefill(dataset.type, subject.wells, subject.scope?.()),
    problems: {},
    wells: subject.wells,
    touched: subject.text !== undefined,
    counted: idle,
  }));
  const counting = latest();

  /** The question as it is typed now. @throws AppError invalid_input */
  const question = (text: QuestionText) => {
    const made = askedFrom(target, text, words);
    if (!made.ok) throw new AppError('invalid_input', { issues: made.issues });
    return made.asked;
  };

  const actions: QueryTabActions = {
    type(mode, typed) {
      store.setState(({ text, problems, touched }) => ({
        text: { ...text, [mode]: { ...text[mode], ...typed } },
        problems: {
          ...problems,
          ...Object.fromEntries(Object.keys(typed).map((field) => [field, undefined])),
        },
        touched: touched || 'query' in typed || 'sort' in typed,
      }));
    },
    switchTo: (mode) => store.setState(({ text }) => ({ text: { ...text, mode }, problems: {} })),
    fillIn(wells) {
      const filled = prefill(dataset.type, wells, subject.scope?.());
      store.setState(({ text }) => ({
        wells,
        text: { ...text, find: { ...text.find, query: filled.find.query, sort: filled.find.sort } },
        touched: false,
        problems: {},
      }));
    },
    async run() {
      store.setState({ problems: {} });
      const error = await results.actions.run(() => question(store.getState().text));
      if (error) store.setState({ problems: questionProblems(error) });
    },
    async count() {
      store.setState({ counted: { face: 'running', since: now() }, problems: {} });
      await counting.run((signal) => api.query.count(countOf(target, store.getState().text), { signal }), {
        done: (value) => store.setState({ counted: full(value) }),
        failed: (error) => store.setState({ counted: failed(error), problems: questionProblems(error) }),
        cancelled: () => store.setState({ counted: idle }),
      });
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
