import { createStore } from 'zustand/vanilla';
import { AppError, toAppError } from '../../../shared/errors.ts';
import { datasetShapes, type Dataset, type DatasetType, type ScopeField } from '../../../shared/datasets.ts';
import { stringifyJson, type JsonValue } from '../../../shared/json.ts';
import type { ParameterValues } from '../../../shared/language/parameters.ts';
import { nameOf } from '../../../shared/language/scope.ts';
import type { DescribedRequest } from '../../../shared/query.ts';
import type { QuestionMode, QuestionText } from '../../../shared/question.ts';
import type { Api } from '../../api/api.ts';
import type { Feature } from '../../state/context.tsx';
import { latest } from '../../state/latest.ts';
import { failed, full, idle, type Loadable } from '../../state/loadable.ts';
import type { Problems } from '../../state/problems.ts';
import type { Asked } from '../results/asked.ts';
import { createResults, type Results, type ResultsNeeds, type Running } from '../results/results.ts';
import type { ScopedWell } from '../wells/wells.ts';
import { carried } from './carry.ts';
import { conditionsOf, withConditions } from './conditions.ts';
import {
  askedFrom,
  countOf,
  hasParameters,
  questionProblems,
  type FindTarget,
  type FindWords,
  type QuestionField,
} from './inputs.ts';
import { prefill } from './prefill.ts';
import { createStageCards, type StageCards } from './stages/stage-cards.ts';

export type Counted = Exclude<Loadable<{ count: number; ms: number }>, { face: 'loading' }> | Running;

export interface QueryTabState {
  /** All that is typed, as it is kept with the tab. */
  readonly text: QuestionText;
  /** What is wrong with the mode that is asked. */
  readonly problems: Problems<QuestionField>;
  readonly counted: Counted;
  /** The mode that was left last, whose question can be carried over into this one; null: none. */
  readonly left: QuestionMode | null;
}

export interface QueryTabActions {
  /** Puts what is typed into one of the modes. */
  readonly type: <M extends QuestionMode>(mode: M, typed: Partial<QuestionText[M]>) => void;
  /** Asks in another mode; each keeps its own text. */
  readonly switchTo: (mode: QuestionMode) => void;
  /** Puts what was asked in the mode before in the place of this one's text. */
  readonly carryOver: () => void;
  readonly refuseCarry: () => void;
  /** Fills the question in with what has been learnt of the dataset since, unless something was typed. */
  readonly fillInAnew: () => void;
  /** What `{{ask:…}}` is answered with. */
  readonly answer: (name: string, said: string) => void;
  readonly set: (options: Partial<Pick<QuestionText, 'timeout' | 'countFirst'>>) => void;
  /** Changes the conditions of the mode that is asked; what gives null leaves them. */
  readonly change: (write: (conditions: string) => string | null) => void;
  /** Asks again, sorted by one field, by its dotted path. */
  readonly sortBy: (path: string, direction: 'ascending' | 'descending') => void;
  /** Puts a condition on a field into the find; false: there is no telling where, and nothing was changed. */
  readonly filterBy: (path: string, value: JsonValue) => Promise<boolean>;
  readonly run: () => Promise<void>;
  readonly count: () => Promise<void>;
  /** The request of the answer that is shown, or of the question as it is typed. @throws AppError */
  readonly describe: (asked: Asked | null, signal?: AbortSignal) => Promise<DescribedRequest>;
  readonly cancel: () => void;
  /** Ends what runs and lets the records go. */
  readonly close: () => void;
}

export interface QueryTab extends Feature<QueryTabState, QueryTabActions> {
  readonly target: FindTarget;
  readonly dataset: Dataset;
  readonly results: Results;
  /** The stages of the pipeline as cards. */
  readonly cards: StageCards;
  /** What parameters stand for now. */
  readonly values: QueryTabNeeds['values'];
  /** The path by which records of this dataset belong to wells; null: they do not, as far as is known. */
  readonly scopePath: () => string | null;
}

export interface QueryTabNeeds extends ResultsNeeds {
  readonly api: { readonly query: Pick<Api['query'], 'count' | 'describe' | 'pipeline'> };
  readonly words: FindWords;
  /** What parameters stand for at this moment. */
  readonly values: () => Omit<ParameterValues, 'asked'>;
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

const scopeOfType = (type: DatasetType | null) =>
  type === null ? 'asset_id' : datasetShapes[type].scopeField;

/** One question to one dataset; the answer to it is `results`. */
export function createQueryTab(needs: QueryTabNeeds, subject: QuerySubject): QueryTab {
  const { api, words, now, values } = needs;
  const { dataset, connection } = subject;
  const target: FindTarget = { connection, provider: dataset.provider, dataset: dataset.dataset };
  const results = createResults(needs, dataset);
  const fill = () => prefill(dataset.type, subject.wells, subject.scope?.());
  let filled = subject.text === undefined ? fill() : null;
  const store = createStore<QueryTabState>()(() => ({
    text: subject.text ?? filled ?? fill(),
    problems: {},
    counted: idle,
    left: null,
  }));
  const counting = latest();
  const textNow = () => store.getState().text;

  /** The question as it is typed now. @throws AppError invalid_input */
  const question = (text: QuestionText): Asked => {
    const made = askedFrom(target, text, words);
    if (!made.ok) throw new AppError('invalid_input', { issues: made.issues });
    return made.asked;
  };
  /** What can be done with the question, its parameters replaced; what is wrong with these is thrown by it. */
  async function bound(text = textNow()): Promise<() => QuestionText> {
    try {
      // The language is large, and most questions hold no parameter.
      const { bindQuestion } = await import('./binding.ts');
      const found = bindQuestion(text, values());
      return () => found;
    } catch (error) {
      return () => {
        throw toAppError(error);
      };
    }
  }
  const typed = () => (hasParameters(textNow()) ? bound() : textNow);

  async function count(): Promise<boolean> {
    store.setState({ counted: { face: 'running', since: now() }, problems: {} });
    let counted = false;
    await counting.run(async (signal) => api.query.count(countOf(target, (await typed())()), { signal }), {
      done: (value) => {
        counted = true;
        store.setState({ counted: full(value) });
      },
      failed: (error) => store.setState({ counted: failed(error), problems: questionProblems(error) }),
      cancelled: () => store.setState({ counted: idle }),
    });
    return counted;
  }

  const actions: QueryTabActions = {
    type(mode, typed) {
      const fine = Object.fromEntries(Object.keys(typed).map((field) => [field, undefined]));
      store.setState(({ text, problems }) => ({
        text: { ...text, [mode]: { ...text[mode], ...typed } },
        problems: { ...problems, ...fine },
      }));
    },
    switchTo(mode) {
      store.setState(({ text }) => ({ text: { ...text, mode }, problems: {}, left: text.mode }));
    },
    carryOver() {
      store.setState(({ text, left }) => {
        const found = left && carried(text, left, text.mode);
        return found ? { text: found.text, left: null, problems: {} } : {};
      });
    },
    refuseCarry: () => store.setState({ left: null }),
    fillInAnew() {
      if (textNow() !== filled) return;
      filled = fill();
      store.setState({ text: filled });
    },
    answer: (name, said) =>
      store.setState(({ text }) => ({ text: { ...text, answers: { ...text.answers, [name]: said } } })),
    set: (options) => store.setState(({ text }) => ({ text: { ...text, ...options } })),
    change(write) {
      const conditions = conditionsOf(textNow());
      const changed = conditions === null ? null : write(conditions);
      if (changed !== null)
        store.setState(({ text }) => ({ text: withConditions(text, changed), problems: {} }));
    },
    sortBy(path, direction) {
      actions.type('find', { sort: `{ ${nameOf(path)}: ${direction === 'ascending' ? 1 : -1} }` });
      void actions.run();
    },
    async filterBy(path, value) {
      // Not for the first screen: there is an answer by now.
      const { withCondition } = await import('./text/condition.ts');
      const { query } = store.getState().text.find;
      const narrowed = withCondition(query, path, stringifyJson(value));
      if (narrowed !== null) actions.type('find', { query: narrowed });
      return narrowed !== null;
    },
    async run() {
      store.setState({ problems: {} });
      if (textNow().countFirst && textNow().mode !== 'pipeline' && !(await count())) return;
      const now = typed();
      const text = now instanceof Promise ? await now : now;
      const error = await results.actions.run(() => question(text()));
      if (error) store.setState({ problems: questionProblems(error) });
    },
    count: async () => void (await count()),
    describe: async (asked, signal) =>
      api.query.describe(asked ?? question((await typed())()), signal ? { signal } : {}),
    cancel() {
      results.actions.cancel();
      counting.cancel();
    },
    close() {
      counting.drop();
      cards.actions.close();
      results.actions.close();
    },
  };
  const cards = createStageCards({
    api,
    target,
    text: () => textNow().pipeline.stages,
    write: (stages) => actions.type('pipeline', { stages }),
    bind: async (stages) => {
      const question: QuestionText = { ...textNow(), mode: 'pipeline', pipeline: { view: 'text', stages } };
      return (hasParameters(question) ? (await bound(question))() : question).pipeline.stages;
    },
  });
  const scopePath = () => {
    const learnt = subject.scope?.();
    const path = learnt === undefined ? scopeOfType(dataset.type) : learnt;
    // Where records belong to companies, wells have no place among the conditions.
    return path?.endsWith('asset_id') ? path : null;
  };
  return { store, actions, target, dataset, results, cards, values, scopePath };
}
