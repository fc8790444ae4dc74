import type { Calculation } from '../../../shared/calculated/calculated.ts';
import type { RecordsRequest } from '../../../shared/query/query.ts';
import { toAppError, type AppError } from '../../../shared/errors/errors.ts';
import type { LiveRequest } from '../../../shared/tabs/live.ts';
import {
  openThread,
  serve,
  type CallContext,
  type CallOptions,
  type Thread,
  type ThreadPort,
} from '../../../shared/threads.ts';
import type { FiguresOptions, Path, RecordQuery, ResultShape, TextOptions } from './result.ts';
import type { QualityOfRecords, SeriesPlace } from './check-records.ts';
import type { FindOptions, FindResult } from './find.ts';
import type { LiveChunkEvent, RecordCalls } from './host.ts';
import type { Range } from './pages.ts';

/** The worker's call to the window. */
export type WindowCalls = ReturnType<typeof windowCalls>;

const windowCalls = (connect: (() => Promise<MessagePort>) | undefined) => ({
  /** A port to the application; null: the worker opens a socket itself. */
  async connect(_: unknown, { transfer }: CallContext) {
    const port = await connect?.();
    if (port) transfer([port]);
    return port ?? null;
  },
});

/** The records and the service's response to a query. */
export type OpenedQuery = Awaited<ReturnType<RecordsThread['open']>>;

/**
 * The records of one result. A worker stores them as columns; the window requests what it shows. Rows count
 * from 0. All rejections are AppErrors; after `release` all calls reject.
 */
export type Records = OpenedQuery['records'];

export type RecordsThread = ReturnType<typeof createRecordsThread>;

/** The window's side of a result. */
function recordsOf(calls: Thread<RecordCalls>['calls'], id: number, first: ResultShape) {
  let shape = first;
  const onGrow = new Set<(shape: ResultShape) => void>();
  const onLost = new Set<(error: AppError) => void>();
  const grow = (next: ResultShape): void => {
    shape = next;
    for (const listener of onGrow) listener(next);
  };
  // Ends when the result is released, and fails with the worker.
  calls.growth(id, { onEvent: grow }).catch((error: unknown) => {
    for (const listener of onLost) listener(toAppError(error));
  });
  return {
    shape: () => shape,
    /** Subscribes to changes of the shape. @returns unsubscribes */
    onGrow(listener: (shape: ResultShape) => void) {
      onGrow.add(listener);
      return () => void onGrow.delete(listener);
    },
    /** Subscribes to the failure of the worker, which loses the records. @returns unsubscribes */
    onLost(listener: (error: AppError) => void) {
      onLost.add(listener);
      return () => void onLost.delete(listener);
    },
    /** Whether its tab is in view: results of hidden tabs are released first, and loaded again unseen. */
    setVisible: (isVisible: boolean) => void calls.setVisible({ id, isVisible }).catch(() => undefined),
    /** Replaces the calculated columns; null: none. The shape has them then. */
    calculate: (calculation: Calculation | null) => calls.calculate({ id, calculation }),
    /**
     * Rows as columns, for some hundred visible rows; missing ones are fetched. A fetch ends when all
     * callers canceled.
     */
    rows: (range: Range, signal?: AbortSignal) => calls.rows({ id, range }, { signal }),
    /** Fetches missing rows. Its events are the numbers of rows processed. */
    load: (range: Range, call: CallOptions<number>) => calls.load({ id, range }, call),
    /**
     * The numbers of columns, an array for each path. NaN: missing, null, absent, or not a number. -999.25
     * is a number. Times, including ISO dates, are Unix milliseconds.
     */
    numbers: (paths: readonly Path[]) => calls.numbers({ id, paths }),
    /** Groups loaded rows by the values of columns, such as wells. */
    groups: (paths: readonly Path[]) => calls.groups({ id, paths }),
    /** A complete record; fetched if missing. */
    record: (row: number) => calls.record({ id, row }),
    /** Rows as text. Requested rows are fetched; loaded rows may have gaps. */
    text: (options: TextOptions) => calls.text({ id, ...options }),
    /** The cells in loaded rows that contain a text, as displayed. Its events are the matches so far. */
    find: (options: FindOptions, call: CallOptions<FindResult>) => calls.find({ id, ...options }, call),
    /** Figures of selected cells in loaded rows. */
    figures: (options: FiguresOptions) => calls.figures({ id, ...options }),
    /** The quality of loaded rows. */
    quality: (of: QualityOfRecords) => calls.quality({ id, of }),
    /** The loaded row of a series nearest to a place of its index; null: none. */
    rowAt: (of: QualityOfRecords, place: SeriesPlace) => calls.rowAt({ id, of, place }),
    /** A summary of a column in loaded rows. */
    summary: (path: Path) => calls.summary({ id, path }),
    release() {
      onGrow.clear();
      onLost.clear();
      void calls.release(id).catch(() => undefined);
    },
  };
}

/**
 * The window's side of the records worker, which starts on first use and again after a failure.
 * @param connect opens a port to the application if the worker can't open a socket
 */
export function createRecordsThread(start: () => ThreadPort, connect?: () => Promise<MessagePort>) {
  const thread = openThread<RecordCalls>(() => {
    const port = start();
    serve(port, windowCalls(connect));
    return port;
  });
  const { calls } = thread;
  /** Numbers continue across workers, so that a result of the old one is never confused with a new one. */
  let lastId = 0;

  return {
    /** Starts the worker ahead of the first query. */
    warm: thread.start,
    /** Runs a query. @throws AppError */
    async open(request: RecordsRequest, { signal, isUnlimited = false, orderField = null }: OpenOptions) {
      const id = (lastId += 1);
      const query = { id, request, isUnlimited, orderField };
      const { shape, ...opened } = await calls.open(query, { signal });
      return { ...opened, records: recordsOf(calls, id, shape) };
    },
    /** Runs a live view until the signal aborts. @throws AppError */
    live: (
      request: LiveRequest,
      options: { readonly signal: AbortSignal; readonly onEvent: (event: LiveChunkEvent) => void },
    ) => calls.live(request, options),
  };
}

interface OpenOptions extends Partial<Omit<RecordQuery, 'asked'>> {
  readonly signal: AbortSignal;
}
