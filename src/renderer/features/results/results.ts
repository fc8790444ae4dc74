import type { RecordsRequest, FindRequest } from '../../../shared/query/query.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { AppError } from '../../../shared/errors/errors.ts';
import { type Dataset, indexFieldOf } from '../../../shared/datasets/datasets.ts';
import type { ResultsLook, ResultsView } from '../../../shared/tabs/plot.ts';
import { plainView, type GridView } from '../../../shared/tabs/tabs.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { isObject, stringifyJson, type JsonValue } from '../../../shared/json.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { failed, load, loaded, idle, type Loadable } from '../../state/loadable.ts';
import { createPlot } from '../plot/plot.ts';
import { limitOf } from '../records/request.ts';
import { isLimited, createLoadAll } from './load-all.ts';
import { createTableLink } from './plot/table-link.ts';
import type { TimeView } from '../../format/time-view.ts';
import type { ViewStore } from './view-store.ts';
import type { OpenedQuery, RecordsThread } from '../records/records.ts';
import type { CopyFormat } from '../records/row-writer.ts';
import {
  createCalculatedColumns,
  computedBySql,
  unitsOfSql,
  unitsWithCalculated,
  unitsWithComputed,
  type ComputedColumns,
} from './calculated-columns.ts';
import { createViewCall } from '../../state/view-call.ts';
import type { ReactNode } from 'react';
import { readRange, type Range, type RangeField } from '../../../shared/language/text/conditions.ts';
import type { ComputesPath, Grouping, SummaryParts } from '../../../shared/language/text/summary.ts';
import type { SortDirection } from './grid-columns.ts';
import { parseRelaxedObject } from '../../../shared/language/relaxed.ts';

/** A result: its records (`held`, see {@link Records}) and facts about them. */
export interface Result extends Omit<OpenedQuery, 'records' | 'count' | 'hasMore'> {
  readonly request: RecordsRequest;
  readonly held: OpenedQuery['records'];
  /** The number of records on the first page. */
  readonly records: number;
  /** The number of records at which the response ended; null: no limit. */
  readonly limit: number | null;
  /** Whether it continues beyond its limit, through all matching records. */
  readonly isUnlimited: boolean;
  /** When it was loaded, in Unix milliseconds. */
  readonly loadedAt: number;
  /** The columns that a summary or a statement computed, by path. */
  readonly computed: ComputedColumns;
  /** Whether a pipeline computes a path, so that its values aren't those of the field with its name. */
  readonly computesPath: ComputesPath | undefined;
  /** The column of the number of records in each group of a summary; null: the result is none of one. */
  readonly recordsColumn: readonly string[] | null;
}

const sampleRecords = 3;

/** A running query. `since` is in milliseconds of the page's clock. */
export type RunningQuery = { readonly status: 'running'; readonly since: number };
export type QueryStatus =
  | Exclude<Loadable<Result>, { status: 'loading' }>
  | RunningQuery
  | { readonly status: 'cancelled' };

/** How a run ended; `replaced`: a newer one took its place, which may still be running. */
export type RunOutcome =
  | Extract<QueryStatus, { status: 'loaded' | 'failed' | 'cancelled' }>
  | { readonly status: 'replaced' };

/** The first records of the result as a JSON array; null: there are none. */
export async function firstRecords(
  { store, calculated }: Results,
  isCalculating: boolean,
): Promise<string | null> {
  const { lastResult } = store.getState();
  if (!lastResult || lastResult.records === 0) return null;
  const { held, records: count } = lastResult;
  const rows = Array.from({ length: Math.min(sampleRecords, count) }, (_, row) => row);
  const records = await Promise.all(rows.map((row) => held.record(row)));
  const names = isCalculating ? calculated.store.getState().columns.map(({ name }) => name) : [];
  if (names.length === 0) return stringifyJson(records);
  const { columns } = await held.rows({ from: 0, to: rows.length });
  const cellsOf = new Map(columns.map(({ path, cells }) => [pathId(path), cells]));
  // As an export adds them: after the others, where there is a value.
  const values = rows.map((row) =>
    names.flatMap((name) => {
      const value = cellsOf.get(pathId([name]))?.[row];
      return typeof value === 'number' ? [[name, value] as const] : [];
    }),
  );
  return stringifyJson(
    records.map((record, row) =>
      isObject(record) ? { ...record, ...Object.fromEntries(values[row] ?? []) } : record,
    ),
  );
}

export interface ResultsState {
  readonly run: QueryStatus;
  /** The result in view: the last loaded one, until the next one is loaded, even if a run fails. Null: none. */
  readonly lastResult: Result | null;
  readonly view: ResultsView;
  readonly zone: TimeView;
  /** The grid's layout, stored for each dataset. */
  readonly grid: GridView;
  /** Known units, by dotted path. */
  readonly units: ReadonlyMap<string, string>;
  /** The row of the selected record. */
  readonly selected: number | null;
  readonly record: Loadable<JsonValue>;
  /** The row of `record`: that of the record before, until the selected one is loaded. Null: none yet. */
  readonly recordRow: number | null;
  /** The column whose summary is shown instead of a record. */
  readonly summaryColumn: readonly string[] | null;
  /** The result of the last action, if nothing else shows it. It disappears after a few seconds. */
  readonly notice: string | null;
  /** Whether the result takes the place of the query, too. */
  readonly isMaximized: boolean;
  readonly isPickingZone: boolean;
}

const noRecord = { selected: null, record: idle, recordRow: null } as const;
const closedPanels = { ...noRecord, summaryColumn: null, notice: null } as const;

/** The result of a tab's query, and its view. */
export type Results = ReturnType<typeof createResults>;

export interface ResultsDependencies {
  readonly records: RecordsThread;
  readonly views: ViewStore;
  /** Calls back with the units of the dataset's fields, now and after each change, from the first result on. Returns a function that stops. */
  readonly watchUnits: (of: Dataset, onUnits: (units: ReadonlyMap<string, string>) => void) => () => void;
  readonly initialZone: () => TimeView;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

const isOfRecords = (result: Result | null): boolean => result?.request.kind === 'find';

/** Whether a result is a summary: its groups have no channels to calculate columns of. */
export const isSummary = ({ request, computed }: Pick<Result, 'request' | 'computed'>): boolean =>
  request.kind === 'pipeline' && computed.size > 0;

const offsetTime = /T.*[+-](?!00:?00$)\d\d:?\d\d$/;

/** Whether the query has a range of times that are stored as text with offsets, which the service compares as text. */
export function hasTextRange({ request, head }: Result, field: RangeField | null): boolean {
  if (request.kind !== 'find' || field?.path !== 'datetime') return false;
  const range = readRange(request.request.query, field);
  if (range.kind !== 'range' || (range.from === null && range.to === null)) return false;
  const times = head.columns.find(({ path }) => pathId(path) === field.path)?.cells ?? [];
  return Array.from(times).some((time) => typeof time === 'string' && offsetTime.test(time));
}

const namesOf = (result: Result | null): string =>
  JSON.stringify(result?.head.columns.map(({ path }) => path) ?? []);

/** The layout of a dataset's records. What is computed of them has other columns, and a layout of its own. */
class StoredLayout {
  readonly #views: ViewStore;
  readonly #dataset: Dataset;
  readonly #store: StoreApi<ResultsState>;
  #layout = plainView;
  #isArranged = false;
  readonly isRead: Promise<void>;

  constructor(views: ViewStore, dataset: Dataset, store: StoreApi<ResultsState>) {
    this.#views = views;
    this.#dataset = dataset;
    this.#store = store;
    this.isRead = views.read(dataset).then((grid) => {
      // Changes by the user while it loads take precedence.
      if (this.#isArranged) return;
      this.#layout = grid;
      store.setState({ grid });
    });
  }

  /** The layout for a new result: that of computed columns lasts while they are the same. */
  forNext(value: Result): GridView {
    if (isOfRecords(value)) return this.#layout;
    const { grid, lastResult } = this.#store.getState();
    return !isOfRecords(lastResult) && namesOf(lastResult) === namesOf(value) ? grid : plainView;
  }

  change(before: GridView | null, grid: GridView): void {
    this.#store.setState({ grid });
    const { lastResult } = this.#store.getState();
    if (lastResult && !isOfRecords(lastResult)) return;
    this.#isArranged = true;
    this.#layout = grid;
    this.#views.write(this.#dataset, before, grid);
  }
}

interface ResultParts {
  readonly store: StoreApi<ResultsState>;
  readonly loadAll: ReturnType<typeof createLoadAll>;
  readonly layout: StoredLayout;
}

/** The run of a query, and the result in view with the record of its selected row. */
class ResultRuns {
  readonly #dependencies: ResultsDependencies;
  readonly #dataset: Dataset;
  readonly #parts: ResultParts;
  readonly #task = createLatestTask();
  readonly #recordTask = createLatestTask();
  readonly calculated: ReturnType<typeof createCalculatedColumns>;
  /** The known units of the columns that aren't calculated. */
  #units: ReadonlyMap<string, string> = new Map();
  #stopUnits: (() => void) | null = null;
  #isVisible = true;

  constructor(dependencies: ResultsDependencies, dataset: Dataset, parts: ResultParts) {
    this.#dependencies = dependencies;
    this.#dataset = dataset;
    this.#parts = parts;
    this.calculated = createCalculatedColumns(dataset, {
      units: () => this.#units,
      onChange: () => this.#showUnits(),
    });
  }

  #showUnits(): void {
    const { facts } = this.calculated.store.getState();
    this.#parts.store.setState({ units: unitsWithCalculated(this.#units, facts) });
  }

  /** Runs a query in place of the current one. A query that can't be built counts as failed. */
  async run(
    question: () => RecordsRequest | Promise<RecordsRequest>,
    isUnlimited: boolean,
  ): Promise<RunOutcome> {
    const { store, loadAll, layout } = this.#parts;
    loadAll.actions.stop();
    store.setState({ run: { status: 'running', since: this.#dependencies.now() }, notice: null });
    const ends: RunOutcome[] = [];
    const end = (run: Exclude<RunOutcome, { status: 'replaced' }>, change: Partial<ResultsState> = {}) => {
      ends.push(run);
      store.setState({ run, ...change });
    };
    await this.#task.run(async (signal) => this.#open(await question(), isUnlimited, signal), {
      onDone: (value) => {
        this.#prepare(value);
        end(loaded(value), { lastResult: value, grid: layout.forNext(value), ...closedPanels });
        this.#follow(value);
      },
      onFailed: (error) => end(failed(error)),
      onCanceled: () => end({ status: 'cancelled' }),
    });
    return ends[0] ?? { status: 'replaced' };
  }

  async #open(request: RecordsRequest, isUnlimited: boolean, signal: AbortSignal): Promise<Result> {
    const { records } = this.#dependencies;
    const field = isUnlimited ? orderField(request, this.#dataset) : null;
    const {
      records: held,
      count,
      hasMore,
      ...opened
    } = await records.open(request, { signal, isUnlimited, orderField: field });
    // The stored layout applies from the first render.
    await this.#parts.layout.isRead;
    const limit = hasMore ? count : limitOf(request);
    // The language module is large, and most results are no summary.
    const ofPipeline =
      request.kind === 'pipeline'
        ? (await import('./summary-pipeline.ts')).columnsOfPipeline(request.request)
        : null;
    const computed = ofPipeline?.computed ?? computedBySql(opened.statementColumns);
    const { computesPath, recordsColumn = null } = ofPipeline ?? {};
    if (signal.aborted) held.release();
    const loadedAt = Date.now();
    const facts = { records: count, limit, isUnlimited, loadedAt, computed, computesPath, recordsColumn };
    return { ...opened, request, held, ...facts };
  }

  /** Releases the result in view for the next one. */
  #prepare(value: Result): void {
    const { store, loadAll } = this.#parts;
    this.#release();
    if (!this.#isVisible) value.held.setVisible(false);
    value.held.onLost((error) => {
      this.#recordTask.drop();
      loadAll.actions.stop();
      store.setState({ run: failed(error), lastResult: null, ...closedPanels });
    });
  }

  /** Keeps the units and the calculated columns of the result in view current. */
  #follow(value: Result): void {
    // With each result: a request for units that failed is repeated.
    this.#stopUnits?.();
    const show = (units: ReadonlyMap<string, string>) => {
      this.#units = units;
      this.#showUnits();
      void this.calculated.actions.update();
    };
    // Those of a statement need no service.
    if (value.request.kind === 'sql') show(unitsOfSql(value.statementColumns));
    this.#stopUnits =
      value.request.kind === 'sql'
        ? null
        : this.#dependencies.watchUnits(this.#dataset, (units) =>
            show(unitsWithComputed(units, value, this.calculated.store.getState().facts)),
          );
    const shown = isSummary(value) ? null : value.held;
    void this.calculated.actions.show(shown, parseSort(typedSort(value.request)));
  }

  /** Shows the record of a row; null: none. */
  async select(row: number | null): Promise<void> {
    const { store } = this.#parts;
    const { lastResult } = store.getState();
    if (row === null || !lastResult) {
      this.#recordTask.drop();
      store.setState(noRecord);
      return;
    }
    store.setState({ selected: row, summaryColumn: null });
    await load(
      this.#recordTask,
      () => lastResult.held.record(row),
      (record) => store.setState({ record, recordRow: row }),
    );
  }

  /** Whether the tab is in view: the records of hidden tabs are the first to be released. */
  setVisible(isInView: boolean): void {
    if (isInView === this.#isVisible) return;
    this.#isVisible = isInView;
    this.#parts.store.getState().lastResult?.held.setVisible(isInView);
  }

  cancel(): void {
    this.#task.cancel();
  }

  #release(): void {
    const { store, loadAll } = this.#parts;
    this.#recordTask.drop();
    loadAll.actions.stop();
    store.getState().lastResult?.held.release();
  }

  close(): void {
    this.#task.drop();
    this.#stopUnits?.();
    void this.calculated.actions.show(null);
    this.#release();
  }
}

function createViewActions({ store, layout }: ResultParts) {
  return {
    show: (zone: TimeView) => store.setState({ zone }),
    pickZone: (isPickingZone: boolean) => store.setState({ isPickingZone }),
    maximize: (isMaximized: boolean) => store.setState({ isMaximized }),
    setView: (view: ResultsView) => store.setState({ view }),
    /** Changes the layout. @param shown the parts of the layout before that the view decides by default */
    arrange(change: Partial<GridView>, shown: Partial<GridView> = {}) {
      const before = { ...store.getState().grid, ...shown };
      layout.change(before, { ...store.getState().grid, ...change });
    },
    resetLayout: () => layout.change(null, plainView),
    showSummary: (summaryColumn: readonly string[] | null) => store.setState({ summaryColumn }),
    showNotice: (notice: string | null) => store.setState({ notice }),
  };
}

function createRecordActions(
  dependencies: ResultsDependencies,
  { store, loadAll }: ResultParts,
  runs: ResultRuns,
) {
  const lastResult = () => store.getState().lastResult;
  /** Runs the same query through all matching records. */
  async function showAll(): Promise<void> {
    const result = lastResult();
    if (result) await runs.run(() => result.request, true);
  }
  return {
    run: async (question: () => RecordsRequest | Promise<RecordsRequest>) => runs.run(question, false),
    showAll,
    /** Loads all matching records up to the limit of memory. Runs the query again if it had a limit. */
    async loadAll(): Promise<void> {
      const result = lastResult();
      if (result && isLimited(result)) await showAll();
      // The result stays limited if that run failed.
      const shown = lastResult();
      if (shown && !isLimited(shown)) await loadAll.actions.start(shown.held);
    },
    /** Summarizes a column over all matching records at the service. @throws AppError */
    async summarizeAll(path: readonly string[], signal: AbortSignal) {
      const result = lastResult();
      if (result?.request.kind !== 'find')
        throw new AppError('internal', { problem: 'only what a find matches can be summed up' });
      // Loaded on demand: rarely used.
      const { summarizeAll } = await import('./summary-pipeline.ts');
      const find = { ...result.request.request, dataUrl: result.dataUrl };
      return summarizeAll(dependencies.records, find, path, signal);
    },
    cancel: () => runs.cancel(),
    setVisible: (isInView: boolean) => runs.setVisible(isInView),
    select: async (row: number | null) => runs.select(row),
  };
}

export function createResults(dependencies: ResultsDependencies, dataset: Dataset) {
  const { records, views } = dependencies;
  const store = createStore<ResultsState>()(() => ({
    run: idle,
    lastResult: null,
    view: 'table',
    zone: dependencies.initialZone(),
    grid: plainView,
    units: new Map(),
    isMaximized: false,
    isPickingZone: false,
    ...closedPanels,
  }));
  const loadAll = createLoadAll();
  const tableLink = createTableLink();
  const plot = createPlot();
  const parts = { store, loadAll, layout: new StoredLayout(views, dataset, store) };
  const runs = new ResultRuns(dependencies, dataset, parts);
  const { calculated } = runs;
  records.warm();
  const actions = {
    ...createViewActions(parts),
    ...createRecordActions(dependencies, parts, runs),
    /** What is stored with its query. */
    look: (): ResultsLook => ({
      view: store.getState().view,
      plot: plot.store.getState().choice,
      calculated: [...calculated.store.getState().columns],
    }),
    setLook(look: ResultsLook): void {
      store.setState({ view: look.view });
      if (look.plot) plot.actions.choose(look.plot);
      void calculated.actions.set(look.calculated);
    },
    /** Aborts all tasks and releases the records. */
    close() {
      runs.close();
      plot.actions.close();
    },
    async showRecord(row: number) {
      tableLink.setState({ goTo: row });
      store.setState({ view: 'table' });
      await runs.select(row);
    },
  };
  /** What commands do in the view of the records. */
  const calls = {
    focusFind: createViewCall<void>(),
    /** Opens the form of a new calculated column. */
    calculate: createViewCall<void>(),
    /** Copies the selected or loaded rows. */
    copy: createViewCall<CopyFormat>(),
  };
  return { store, actions, calls, dataset, loadAll, plot, calculated, tableLink };
}

/** A recipe that the result offers. `start`: with the dotted path of the column, if it is of one. */
export interface RecipeChoice {
  readonly text: string;
  readonly start: (path?: string) => void;
}

/** Changes of the query from its result. Paths are dotted. */
export interface QueryLinks {
  /** Sorts by a field and runs again. */
  readonly onSort: (path: string, direction: SortDirection | 'other') => void;
  /** Adds a condition on a field; false: the query can't be changed. */
  readonly onFilter: (path: string, value: JsonValue) => Promise<boolean>;
  /** Computes figures of groups of the records that match, and runs that query. */
  readonly onSummarize: (parts: SummaryParts) => void;
  /** What the rig did in all records of a result; empty: anything. */
  readonly statesOf: (request: RecordsRequest) => readonly string[];
  /** The groups of which the menu of a column offers means, with their words: by well, by well and hour. */
  readonly meanGroups: readonly { readonly text: string; readonly groups: readonly Grouping[] }[];
  /** What can be calculated from the records of the query; of a column, by its dotted path. */
  readonly recipes: {
    readonly ofQuery: readonly RecipeChoice[];
    readonly ofColumn: readonly RecipeChoice[];
  };
  /** The dotted paths of the dataset's fields with values, of which loaded rows may have some. */
  readonly fieldPaths: readonly string[];
  /** Opens an export of all records that match the find; null: with the find's fields. */
  readonly onExport: (request: FindRequest, fields: readonly string[] | null) => void;
  /** Writes a range of the dataset's index into the query; absent: the dataset has none. */
  readonly range?: {
    readonly field: RangeField;
    /** @returns false: the query can't be changed */
    readonly use: (range: Range) => boolean;
  };
  /** The view of a result without records. */
  readonly renderEmpty: (request: RecordsRequest) => ReactNode;
  /** Opens a live view of the query; absent: the dataset has no order of time or depth. */
  readonly onFollow?: (request: FindRequest) => void;
}

/** The conditions of the find in view, as sent; null: none is in view. */
export function sentConditions({ store }: Pick<Results, 'store'>): string | null {
  const request = store.getState().lastResult?.request;
  return request?.kind === 'find' ? request.request.query : null;
}

/** The sort of a result as typed; only a find has one. */
export const typedSort = (request: RecordsRequest): string =>
  request.kind === 'find' ? request.request.sort : '{}';

/** The sort, by dotted path. */
export function parseSort(text: string): ReadonlyMap<string, SortDirection> {
  try {
    const sort = Object.entries(parseRelaxedObject(text, 'sort'));
    return new Map(
      sort.map(([path, direction]) => [path, direction === -1 ? 'descending' : 'ascending'] as const),
    );
  } catch {
    // The service accepted the sort, although it can't be parsed here.
    return new Map();
  }
}

/** The field along which a dataset grows, if the newest records come first; else null. */
export function orderField(request: RecordsRequest, { type }: Pick<Dataset, 'type'>): string | null {
  const index = indexFieldOf(type);
  const [first] = parseSort(typedSort(request));
  return index !== null && first?.[0] === index && first[1] === 'descending' ? index : null;
}
