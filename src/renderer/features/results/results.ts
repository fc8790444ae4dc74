import { createStore } from 'zustand/vanilla';
import { toAppError, type AppError } from '../../../shared/errors.ts';
import type { Dataset } from '../../../shared/datasets.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { Zone } from '../../format/times.ts';
import type { Feature } from '../../state/context.tsx';
import { latest } from '../../state/latest.ts';
import { failed, full, idle, type Loadable } from '../../state/loadable.ts';
import { ask, limitOf, type Askable, type Asked } from './asked.ts';
import type { ParsedPage, Parser } from './parser.ts';

/** A page of records as it was answered. */
export interface AnsweredPage {
  readonly asked: Asked;
  readonly page: ParsedPage;
  readonly records: number;
  /** From the request to the whole answer at the service, in milliseconds. */
  readonly ms: number;
  readonly bytes: number;
  /** The most records the answer can hold; null: no limit of its own. */
  readonly limit: number | null;
}

/** Something that was asked and takes its time. `since` is in milliseconds of the page's own clock. */
export type Running = { readonly face: 'running'; readonly since: number };
export type Answer =
  Exclude<Loadable<AnsweredPage>, { face: 'loading' }> | Running | { readonly face: 'cancelled' };

export interface ResultsState {
  readonly answer: Answer;
  readonly zone: Zone;
  /** The record that is looked at. */
  readonly selected: number | null;
  readonly record: Loadable<JsonValue>;
}

export interface ResultsActions {
  /**
   * Asks a question in place of the one before. A question that can't be made throws, and has failed like one that was
   * refused. Resolves to what went wrong, null if nothing did.
   */
  readonly run: (question: () => Asked) => Promise<AppError | null>;
  readonly cancel: () => void;
  readonly show: (zone: Zone) => void;
  readonly select: (row: number | null) => Promise<void>;
  /** Ends what runs and lets the records go. */
  readonly close: () => void;
}

/** The answer to the question of a tab, and how it is looked at. */
export interface Results extends Feature<ResultsState, ResultsActions> {
  readonly dataset: Dataset;
}

export interface ResultsNeeds {
  readonly api: Askable;
  readonly parser: Parser;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

export function createResults({ api, parser, now }: ResultsNeeds, dataset: Dataset): Results {
  const store = createStore<ResultsState>()(() => ({
    answer: idle,
    zone: 'utc',
    selected: null,
    record: idle,
  }));
  const asking = latest();

  const release = () => {
    const { answer } = store.getState();
    if (answer.face === 'full') answer.value.page.release();
  };

  const actions: ResultsActions = {
    async run(question) {
      release();
      store.setState({ answer: { face: 'running', since: now() }, selected: null, record: idle });
      let problem: AppError | null = null;
      await asking.run(
        async (signal) => {
          const asked = question();
          const answered = await ask(api, asked, { signal });
          const page = await parser.parse(answered.records);
          if (signal.aborted) page.release();
          return {
            asked,
            page,
            records: answered.count,
            ms: answered.ms,
            bytes: answered.bytes,
            limit: limitOf(asked),
          };
        },
        {
          done: (value) => store.setState({ answer: full(value) }),
          failed: (error) => {
            problem = error;
            store.setState({ answer: failed(error) });
          },
          cancelled: () => store.setState({ answer: { face: 'cancelled' } }),
        },
      );
      return problem;
    },
    cancel: () => asking.cancel(),
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
      asking.drop();
      release();
    },
  };
  return { store, actions, dataset };
}
