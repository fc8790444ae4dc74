import type { RecordsRequest } from '../../../shared/query/query.ts';
import { createStore } from 'zustand/vanilla';
import { AppError, toAppError } from '../../../shared/errors/errors.ts';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import type { DatasetField } from '../../../shared/datasets/fields.ts';
import { plainView, type GridView } from '../../../shared/tabs/grid-view.ts';
import type { JsonValue } from '../../../shared/json.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { failed, loaded, idle, type Loadable } from '../../state/loadable.ts';
import { createPlot } from '../plot/plot.ts';
import { limitOf } from '../records/request.ts';
import { createLoadAll } from './load-all.ts';
import { alongOf } from './sorts.ts';
import type { TimeView } from './times/time-view.ts';
import type { KeptViews } from './kept-views.ts';
import type { TimeZone } from '../records/cell-text.ts';
import type { Opened, RecordsThread } from '../records/records.ts';
import { createRowsInView } from './rows-in-view.ts';

/** An answer: its records (`held`, see {@link Records}), and what is to be said of them. */
export interface Answered extends Omit<Opened, 'records' | 'count'> {
  readonly asked: RecordsRequest;
  readonly held: Opened['records'];
  /** How many records the first page has. */
  readonly records: number;
  /** The most records the answer can hold; null: no limit of its own. */
  readonly limit: number | null;
  /** Whether it goes on beyond its limit, through all that matches. */
  readonly everything: boolean;
}

/** Whether more match, as far as is known, than were asked for. */
export const isLimited = ({ everything, limit, records }: Answered): boolean =>
  !everything && limit !== null && records >= limit;

/** Whether so many rows are all that the answer can ever have, and nothing that matches stands before or after them. */
export function isAll(answered: Answered, rows: number): boolean {
  const { asked, held } = answered;
  const { rows: reach, complete } = held.shape();
  const skips = asked.kind === 'pipeline' ? 0 : asked.request.skip;
  return complete && rows >= reach && skips === 0 && !isLimited(answered);
}

/** Something that was asked and takes its time. `since` is in milliseconds of the page's own clock. */
export type Running = { readonly status: 'running'; readonly since: number };
export type Answer =
  Exclude<Loadable<Answered>, { status: 'loading' }> | Running | { readonly status: 'cancelled' };

/** How an answer is looked at. */
export const resultsViews = ['table', 'plot', 'both'] as const;
export type ResultsView = (typeof resultsViews)[number];

export interface ResultsState {
  readonly answer: Answer;
  /** The last full answer, of which nothing but its look is left once another is asked for; null: there was none. */
  readonly last: Answered | null;
  readonly view: ResultsView;
  /** How times are shown. */
  readonly zone: TimeView;
  /** How the columns of this dataset stand; kept for the dataset. */
  readonly grid: GridView;
  /** What is known of units, by dotted path. */
  readonly units: ReadonlyMap<string, string>;
  /** The record that is looked at. */
  readonly selected: number | null;
  readonly record: Loadable<JsonValue>;
  /** The column that is summed up, in the record's place. */
  readonly summed: readonly string[] | null;
  /** What was done last that can't be seen, such as a copy; goes by itself. */
  readonly said: string | null;
}

const nothingOpen = { selected: null, record: idle, summed: null, said: null } as const;

/** The answer to the question of a tab, and how it is looked at. */
export type Results = ReturnType<typeof createResults>;

export interface ResultsNeeds {
  readonly records: RecordsThread;
  readonly views: KeptViews;
  /** What is known of the dataset's fields; asked after the first answer. */
  readonly fields: (of: Dataset, signal: AbortSignal) => Promise<readonly DatasetField[]>;
  /** How times are shown first; UTC where nobody says. */
  readonly times?: () => TimeView;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

export function createResults(needs: ResultsNeeds, dataset: Dataset) {
  const { records, views, fields, now } = needs;
  const store = createStore<ResultsState>()(() => ({
    answer: idle,
    last: null,
    view: 'table',
    zone: needs.times?.() ?? 'utc',
    grid: plainView,
    units: new Map(),
    ...nothingOpen,
  }));
  const rows = createRowsInView();
  const loadAll = createLoadAll();
  const asking = createLatestTask();
  const learning = new AbortController();
  let learnt = false;
  records.warm();
  let arranged = false;
  const viewed = views.read(dataset).then((grid) => {
    // What a person does meanwhile counts for more.
    if (!arranged) store.setState({ grid });
  });

  const release = () => {
    const { answer } = store.getState();
    rows.clear();
    loadAll.actions.stop();
    if (answer.status === 'loaded') answer.value.held.release();
  };

  async function ask(
    question: () => RecordsRequest | Promise<RecordsRequest>,
    everything: boolean,
  ): Promise<AppError | null> {
    release();
    store.setState({ answer: { status: 'running', since: now() }, ...nothingOpen });
    let problem: AppError | null = null;
    await asking.run(
      async (signal): Promise<Answered> => {
        const asked = await question();
        const {
          records: held,
          count,
          ...opened
        } = await records.open(asked, {
          signal,
          everything,
          along: everything ? alongOf(asked, dataset) : null,
        });
        // Columns stand as they were left from the first look on.
        await viewed;
        if (signal.aborted) held.release();
        return { ...opened, asked, held, records: count, limit: limitOf(asked), everything };
      },
      {
        onDone: (value) => {
          rows.show(value.held, value.head);
          value.held.onLost((error) => {
            rows.clear();
            loadAll.actions.stop();
            store.setState({ answer: failed(error), ...nothingOpen });
          });
          store.setState({ answer: loaded(value), last: value });
          void learnUnits();
        },
        onFailed: (error) => {
          problem = error;
          store.setState({ answer: failed(error) });
        },
        onCanceled: () => store.setState({ answer: { status: 'cancelled' } }),
      },
    );
    return problem;
  }

  /** Units are worth waiting for, and no reason to say anything when they can't be had. */
  async function learnUnits(): Promise<void> {
    if (learnt) return;
    learnt = true;
    const known = await fields(dataset, learning.signal).catch(() => []);
    const units = new Map(known.flatMap(({ path, unit }) => (unit ? [[path, unit] as const] : [])));
    if (units.size > 0) store.setState({ units });
  }

  const actions = {
    /**
     * Asks a question in place of the one before. A question that can't be made throws, and has failed like one that was
     * refused. Resolves to what went wrong, null if nothing did.
     */
    run: (question: () => RecordsRequest | Promise<RecordsRequest>) => ask(question, false),
    /** Asks the same once more, through all that matches instead of the first few. */
    async showAll(): Promise<void> {
      const { answer } = store.getState();
      if (answer.status !== 'loaded') return;
      const { asked } = answer.value;
      await ask(() => asked, true);
    },
    /** Loads all that matches, as far as it can be held, asking anew where only the first few were asked for. */
    async loadAll(): Promise<void> {
      const { answer } = store.getState();
      if (answer.status === 'loaded' && isLimited(answer.value)) await actions.showAll();
      const { answer: now } = store.getState();
      if (now.status === 'loaded') await loadAll.actions.start(now.value.held);
    },
    cancel: () => asking.cancel(),
    show: (zone: TimeView) => store.setState({ zone }),
    lookAt: (view: ResultsView) => store.setState({ view }),
    arrange(change: Partial<GridView>) {
      arranged = true;
      const grid = { ...store.getState().grid, ...change };
      store.setState({ grid });
      views.write(dataset, grid);
    },
    sumUp: (summed: readonly string[] | null) => store.setState({ summed }),
    /** Sums a column up over all that matches, at the service. @throws AppError */
    async sumUpAll(path: readonly string[], signal: AbortSignal) {
      const { answer } = store.getState();
      if (answer.status !== 'loaded' || answer.value.asked.kind !== 'find')
        throw new AppError('internal', { problem: 'only what a find matches can be summed up' });
      // Seldom asked for: not for the first screen.
      const { sumUpAll } = await import('./summary-pipeline.ts');
      return sumUpAll(records, answer.value.asked.request, path, signal);
    },
    say: (said: string | null) => store.setState({ said }),
    async select(row: number | null) {
      const { answer } = store.getState();
      if (row === null || answer.status !== 'loaded') {
        store.setState({ selected: null, record: idle });
        return;
      }
      store.setState({ selected: row, summed: null });
      const record = await answer.value.held
        .record(row)
        .then(loaded, (error: unknown) => failed(toAppError(error)));
      if (store.getState().selected === row && store.getState().answer === answer) store.setState({ record });
    },
    /** Ends what runs and lets the records go. */
    close() {
      asking.drop();
      learning.abort();
      release();
    },
  };
  return { store, actions, dataset, rows, loadAll, plot: createPlot() };
}

declare module '../../state/contexts.ts' {
  interface TabParts {
    readonly results: Results;
    /** The zone that times are shown in. */
    readonly zone: TimeZone;
  }
}
