import { createStore } from 'zustand/vanilla';
import { toAppError, type AppError } from '../../../shared/errors.ts';
import type { Dataset } from '../../../shared/datasets.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { Zone } from '../../format/times.ts';
import type { Feature } from '../../state/context.tsx';
import { latest } from '../../state/latest.ts';
import { failed, full, idle, type Loadable } from '../../state/loadable.ts';
import { createPlot, type Plot } from '../plot/plot.ts';
import { limitOf, type Asked } from './asked.ts';
import type { Opened, RecordsThread } from './records/records.ts';

/** An answer: its records (`held`, see {@link Records}), and what is to be said of them. */
export interface Answered extends Omit<Opened, 'records' | 'count'> {
  readonly asked: Asked;
  readonly held: Opened['records'];
  /** How many records the first page has. */
  readonly records: number;
  /** The most records the answer can hold; null: no limit of its own. */
  readonly limit: number | null;
  /** Whether it goes on beyond its limit, through all that matches. */
  readonly everything: boolean;
}

/** Something that was asked and takes its time. `since` is in milliseconds of the page's own clock. */
export type Running = { readonly face: 'running'; readonly since: number };
export type Answer =
  Exclude<Loadable<Answered>, { face: 'loading' }> | Running | { readonly face: 'cancelled' };

/** How an answer is looked at. */
export type ResultsView = 'table' | 'plot';

export interface ResultsState {
  readonly answer: Answer;
  readonly view: ResultsView;
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
  /** Asks the same once more, through all that matches instead of the first few. */
  readonly showAll: () => Promise<void>;
  readonly cancel: () => void;
  readonly show: (zone: Zone) => void;
  readonly lookAt: (view: ResultsView) => void;
  readonly select: (row: number | null) => Promise<void>;
  /** Ends what runs and lets the records go. */
  readonly close: () => void;
}

/** The answer to the question of a tab, and how it is looked at. */
export interface Results extends Feature<ResultsState, ResultsActions> {
  readonly dataset: Dataset;
  /** What a plot of the records shows. */
  readonly plot: Plot;
}

export interface ResultsNeeds {
  readonly records: RecordsThread;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

export function createResults({ records, now }: ResultsNeeds, dataset: Dataset): Results {
  const store = createStore<ResultsState>()(() => ({
    answer: idle,
    view: 'table',
    zone: 'utc',
    selected: null,
    record: idle,
  }));
  const asking = latest();
  records.warm();

  const release = () => {
    const { answer } = store.getState();
    if (answer.face === 'full') answer.value.held.release();
  };

  async function ask(question: () => Asked, everything: boolean): Promise<AppError | null> {
    release();
    store.setState({ answer: { face: 'running', since: now() }, selected: null, record: idle });
    let problem: AppError | null = null;
    await asking.run(
      async (signal): Promise<Answered> => {
        const asked = question();
        const { records: held, count, ...opened } = await records.open(asked, { signal, everything });
        if (signal.aborted) held.release();
        return { ...opened, asked, held, records: count, limit: limitOf(asked), everything };
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
  }

  const actions: ResultsActions = {
    run: (question) => ask(question, false),
    async showAll() {
      const { answer } = store.getState();
      if (answer.face !== 'full') return;
      const { asked } = answer.value;
      await ask(() => asked, true);
    },
    cancel: () => asking.cancel(),
    show: (zone) => store.setState({ zone }),
    lookAt: (view) => store.setState({ view }),
    async select(row) {
      const { answer } = store.getState();
      if (row === null || answer.face !== 'full') {
        store.setState({ selected: null, record: idle });
        return;
      }
      store.setState({ selected: row });
      const record = await answer.value.held
        .record(row)
        .then(full, (error: unknown) => failed(toAppError(error)));
      if (store.getState().selected === row && store.getState().answer === answer) store.setState({ record });
    },
    close() {
      asking.drop();
      release();
    },
  };
  return { store, actions, dataset, plot: createPlot() };
}
