import { createStore } from 'zustand/vanilla';
import {
  datasetShapes,
  type Dataset,
  type DatasetType,
  type ScopeField,
} from '../../../shared/datasets/datasets.ts';
import { stringifyJson, type JsonValue } from '../../../shared/json.ts';
import type { ParameterValues } from '../../../shared/language/parameters.ts';
import { nameOf } from '../../../shared/language/scope.ts';
import type { FindTarget, DescribedRequest, RecordsRequest } from '../../../shared/query/query.ts';
import type { QuestionMode, QuestionText } from '../../../shared/query/question.ts';
import type { Api } from '../../api/api.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { idle, load, type Loadable } from '../../state/loadable.ts';
import type { Problems } from '../../state/problems.ts';
import { createKeptTexts } from '../../ui/editor/index.ts';
import { createResults, type ResultsNeeds, type Running } from '../results/results.ts';
import type { ScopedWell } from '../wells/scope.ts';
import {
  countOf,
  hasParameters,
  questionProblems,
  requestOf,
  type ExportOfAnswer,
  type QuestionField,
} from './query-request.ts';
import { countParts, runParts, type QuestionParts } from './question-parts.ts';
import { prefill, type FirstOptions } from './prefill.ts';
import { createTyping } from './typing.ts';
import { createStageCards } from './stages/stage-cards.ts';

export type Counted = Exclude<Loadable<{ count: number; ms: number }>, { status: 'loading' }> | Running;

export interface QueryTabState {
  /** All that is typed, as it is kept with the tab. */
  readonly text: QuestionText;
  /** What is wrong with the mode that is asked. */
  readonly problems: Problems<QuestionField>;
  readonly counted: Counted;
  /** Which question was counted last, and which was run; null: none yet. */
  readonly asked: { readonly counted: QuestionParts | null; readonly run: QuestionParts | null };
  /** The mode that was left last, whose question can be carried over into this one; null: none. */
  readonly left: QuestionMode | null;
  /** The answer whose records an export is to take, until it was started or dismissed; null: the question as typed. */
  readonly exported: ExportOfAnswer | null;
  /** Whether the form for an export is open. */
  readonly exporting: boolean;
  /** Whether the editor takes the focus as soon as it is drawn. */
  readonly focusesEditor: boolean;
}

export interface QueryTabNeeds extends ResultsNeeds {
  readonly api: { readonly query: Pick<Api['query'], 'count' | 'describe' | 'pipeline'> };
  /** What a new question begins with; absent: as usual. */
  readonly first?: () => FirstOptions;
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
export function createQueryTab(needs: QueryTabNeeds, subject: QuerySubject) {
  const { api, now, values } = needs;
  const { dataset, connection } = subject;
  const target: FindTarget = { connection, provider: dataset.provider, dataset: dataset.dataset };
  const results = createResults(needs, dataset);
  /** The texts with their undo, whichever mode and view is shown. */
  const kept = createKeptTexts();
  const fill = () => prefill(dataset.type, subject.wells, subject.scope?.(), needs.first?.());
  const filled = subject.text === undefined ? fill() : null;
  const store = createStore<QueryTabState>()(() => ({
    text: subject.text ?? filled ?? fill(),
    problems: {},
    counted: idle,
    asked: { counted: null, run: null },
    left: null,
    exported: null,
    exporting: false,
    focusesEditor: false,
  }));
  const counting = createLatestTask();
  const textNow = () => store.getState().text;

  /** The question with its parameters replaced, where it has any. @throws AppError invalid_input */
  async function bound(text = textNow()): Promise<QuestionText> {
    if (!hasParameters(text)) return text;
    // The language is large, and most questions hold no parameter.
    const { bindQuestion } = await import('./bound-query.ts');
    return bindQuestion(text, values());
  }

  async function count(): Promise<boolean> {
    store.setState(({ asked, text }) => ({
      counted: { status: 'running', since: now() },
      asked: { ...asked, counted: countParts(text, values) },
      problems: {},
    }));
    const call = async (signal: AbortSignal) => api.query.count(countOf(target, await bound()), { signal });
    const counted = await load(counting, call, (part) => {
      if (part.status === 'loading') return;
      store.setState({ counted: part });
      if (part.status === 'failed') store.setState({ problems: questionProblems(part.error) });
    });
    return counted !== null;
  }

  const actions = {
    ...createTyping(store, fill, filled),
    /** Asks again, sorted by one field, by its dotted path. */
    sortBy(path: string, direction: 'ascending' | 'descending'): void {
      actions.type('find', { sort: `{ ${nameOf(path)}: ${direction === 'ascending' ? 1 : -1} }` });
      void actions.run();
    },
    /** Puts a condition on a field into the find; false: there is no telling where, and nothing was changed. */
    async filterBy(path: string, value: JsonValue): Promise<boolean> {
      // Not for the first screen: there is an answer by now.
      const { withCondition } = await import('../../../shared/language/text/condition.ts');
      const { query } = store.getState().text.find;
      const narrowed = withCondition(query, path, stringifyJson(value));
      if (narrowed !== null) actions.type('find', { query: narrowed });
      return narrowed !== null;
    },
    /** Offers to export all records that match the find of an answer, whatever is typed by now. */
    exportAnswer: (exported: ExportOfAnswer): void => store.setState({ exported, exporting: true }),
    focusEditor: (focusesEditor: boolean): void => store.setState({ focusesEditor }),
    /** Offers to export all that matches, or no more. */
    showExport: (exporting: boolean): void =>
      store.setState({ exporting, ...(exporting ? {} : { exported: null }) }),
    async run(): Promise<void> {
      store.setState({ problems: {} });
      if (textNow().countFirst && textNow().mode !== 'pipeline' && !(await count())) return;
      store.setState(({ asked, text }) => ({ asked: { ...asked, run: runParts(text, values) } }));
      const error = await results.actions.run(async () => requestOf(target, await bound()));
      if (error) store.setState({ problems: questionProblems(error) });
    },
    count: async (): Promise<void> => void (await count()),
    /** The question as it is typed, its parameters replaced. @throws AppError invalid_input */
    bound,
    /** The request of the answer that is shown, or of the question as it is typed. @throws AppError */
    describe: async (asked: RecordsRequest | null, signal?: AbortSignal): Promise<DescribedRequest> =>
      api.query.describe(asked ?? requestOf(target, await bound()), signal ? { signal } : {}),
    cancel(): void {
      results.actions.cancel();
      counting.cancel();
    },
    /** Ends what runs and lets the records go. */
    close(): void {
      counting.drop();
      cards.actions.close();
      kept.close();
      results.actions.close();
    },
  };
  const cards = createStageCards({
    api,
    target,
    text: () => textNow().pipeline.stages,
    write: (stages) => actions.type('pipeline', { stages }),
    bind: async (stages) => {
      const pipeline = { view: 'text', stages } as const;
      return (await bound({ ...textNow(), mode: 'pipeline', pipeline })).pipeline.stages;
    },
  });
  /** The path by which records of this dataset belong to wells; null: they do not, as far as is known. */
  const scopePath = (): string | null => {
    const learnt = subject.scope?.();
    const path = learnt === undefined ? scopeOfType(dataset.type) : learnt;
    // Where records belong to companies, wells have no place among the conditions.
    return path?.endsWith('asset_id') ? path : null;
  };
  return { store, actions, target, dataset, results, cards, kept, values, scopePath };
}

export type QueryTab = ReturnType<typeof createQueryTab>;

declare module '../../state/contexts.ts' {
  interface TabParts {
    readonly query: QueryTab;
  }
}
