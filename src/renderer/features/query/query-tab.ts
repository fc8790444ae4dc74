import { createStore } from 'zustand/vanilla';
import { AppError, isAppError, toAppError } from '../../../shared/errors.ts';
import type { Dataset } from '../../../shared/datasets.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { Api } from '../../api/api.ts';
import type { Zone } from '../../format/times.ts';
import type { Feature } from '../../state/context.tsx';
import { latest } from '../../state/latest.ts';
import { failed, full, idle, type Loadable } from '../../state/loadable.ts';
import type { Problems } from '../../state/problems.ts';
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
import type { ParsedPage, Parser } from './parser.ts';
import { prefill } from './prefill.ts';

/** A page of records as it was answered. */
export interface AnsweredPage {
  readonly page: ParsedPage;
  readonly records: number;
  /** From the request to the whole answer at the service, in milliseconds. */
  readonly ms: number;
  readonly bytes: number;
  readonly limit: number;
}

/** Something that was asked and takes its time. `since` is in milliseconds of the page's own clock. */
export type Running = { readonly face: 'running'; readonly since: number };
export type Answer =
  Exclude<Loadable<AnsweredPage>, { face: 'loading' }> | Running | { readonly face: 'cancelled' };
export type Counted = Exclude<Loadable<{ count: number; ms: number }>, { face: 'loading' }> | Running;

export interface QueryTabState {
  readonly inputs: FindInputs;
  readonly problems: Problems<FindField>;
  /** The wells that the query was filled in for. */
  readonly wells: readonly ScopedWell[];
  /** Whether the person has changed the query since it was filled in. */
  readonly touched: boolean;
  readonly answer: Answer;
  readonly counted: Counted;
  readonly zone: Zone;
  /** The record that is looked at. */
  readonly selected: number | null;
  readonly record: Loadable<JsonValue>;
}

export interface QueryTabActions {
  readonly type: (field: FindField, text: string) => void;
  /** Fills query and sort in for these wells; what was typed there is replaced. */
  readonly fillIn: (wells: readonly ScopedWell[]) => void;
  readonly run: () => Promise<void>;
  readonly count: () => Promise<void>;
  readonly cancel: () => void;
  readonly show: (zone: Zone) => void;
  readonly select: (row: number | null) => Promise<void>;
  /** Ends what runs and lets the records go. */
  readonly close: () => void;
}

export interface QueryTab extends Feature<QueryTabState, QueryTabActions> {
  readonly target: FindTarget;
  readonly dataset: Dataset;
}

export interface QueryTabNeeds {
  readonly api: { readonly query: Pick<Api['query'], 'find' | 'count'> };
  readonly parser: Parser;
  readonly words: FindWords;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** One question to one dataset, and its answer. */
export function createQueryTab(
  { api, parser, words, now }: QueryTabNeeds,
  subject: { connection: string; dataset: Dataset; wells: readonly ScopedWell[] },
): QueryTab {
  const { dataset } = subject;
  const target: FindTarget = {
    connection: subject.connection,
    provider: dataset.provider,
    dataset: dataset.dataset,
  };
  const store = createStore<QueryTabState>()(() => ({
    inputs: prefill(dataset.type, subject.wells),
    problems: {},
    wells: subject.wells,
    touched: false,
    answer: idle,
    counted: idle,
    zone: 'utc',
    selected: null,
    record: idle,
  }));
  const finding = latest();
  const counting = latest();

  const release = () => {
    const { answer } = store.getState();
    if (answer.face === 'full') answer.value.page.release();
  };
  const request = () => {
    const made = findRequestFrom(target, store.getState().inputs, words);
    if (!made.ok) throw new AppError('invalid_input', { issues: made.issues });
    return made.request;
  };
  const fail = (error: AppError) => ({ ...failed(error), problems: findProblems(error) });

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
      release();
      store.setState({
        answer: { face: 'running', since: now() },
        problems: {},
        selected: null,
        record: idle,
      });
      await finding.run(
        async (signal) => {
          const asked = request();
          const answered = await api.query.find(asked, { signal });
          const page = await parser.parse(answered.records);
          if (signal.aborted) page.release();
          return {
            page,
            records: answered.count,
            ms: answered.ms,
            bytes: answered.bytes,
            limit: asked.limit,
          };
        },
        {
          done: (value) => store.setState({ answer: full(value) }),
          failed: (error) => {
            const { problems, ...answer } = fail(error);
            store.setState({ answer, problems });
          },
          cancelled: () => store.setState({ answer: { face: 'cancelled' } }),
        },
      );
    },
    async count() {
      store.setState({ counted: { face: 'running', since: now() }, problems: {} });
      await counting.run(
        (signal) => api.query.count({ ...target, query: queryText(store.getState().inputs) }, { signal }),
        {
          done: (value) => store.setState({ counted: full(value) }),
          failed: (error) => {
            const { problems, ...counted } = fail(error);
            store.setState({ counted, problems });
          },
          cancelled: () => store.setState({ counted: idle }),
        },
      );
    },
    cancel() {
      finding.cancel();
      counting.cancel();
    },
    show: (zone) => store.setState({ zone }),
    async select(row) {
      const { answer } = store.getState();
      if (row === null || answer.face !== 'full') {
        store.setState({ selected: null, record: idle });
        return;
      }
      store.setState({ selected: row });
      const record = await answer.value.page
        .record(row)
        .then(full, (error: unknown) => failed(toAppError(error)));
      if (store.getState().selected === row && store.getState().answer === answer) store.setState({ record });
    },
    close() {
      finding.drop();
      counting.drop();
      release();
    },
  };
  return { store, actions, target, dataset };
}

/** Whether an error is the person's own cancel, which needs no words. */
export const isCancel = (error: AppError): boolean => isAppError(error, 'cancelled');
