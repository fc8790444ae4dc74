import type { RecordsRequest } from '../../../shared/query/query.ts';
import { toAppError, type AppError } from '../../../shared/errors/errors.ts';
import type { LiveRequest } from '../../../shared/tabs/live.ts';
import { openThread, serve, type CallContext, type ThreadPort } from '../../../shared/threads.ts';
import type { Path, Question, Shape, TextOptions } from './answer.ts';
import type { FindOptions } from './find.ts';
import type { FollowedEvent, RecordCalls } from './host.ts';
import type { Range } from './pages.ts';

/** The call that the records' thread makes to the window. */
export type WindowCalls = ReturnType<typeof windowCalls>;

const windowCalls = (connect: (() => Promise<MessagePort>) | undefined) => ({
  /** A port to the application; null: the thread opens a socket itself. */
  async connect(_: unknown, { transfer }: CallContext) {
    const port = await connect?.();
    if (port) transfer([port]);
    return port ?? null;
  },
});

interface LoadOptions {
  /** Called with how many of the rows have been gone through. */
  readonly onProgress: (rows: number) => void;
  readonly signal: AbortSignal;
}

/** What asking gave: the records, and how the service answered. */
export type Opened = Awaited<ReturnType<RecordsThread['open']>>;

/**
 * The records of one answer. They live on a thread of their own, as columns; the window asks for what it shows. Rows
 * count from 0 in the answer's order. Every rejection is an AppError; after `release` all calls reject.
 */
export type Records = Opened['records'];

export type RecordsThread = ReturnType<typeof createRecordsThread>;

/**
 * The window's side of the records' thread, which starts at the first need, and again after it failed.
 * @param connect opens a port to the application for the thread, where it can't open a socket itself
 */
export function createRecordsThread(start: () => ThreadPort, connect?: () => Promise<MessagePort>) {
  const thread = openThread<RecordCalls>(() => {
    const port = start();
    serve(port, windowCalls(connect));
    return port;
  });
  const { calls } = thread;
  /** Numbers go on over a new thread, so that an answer of the old one is never taken for another. */
  let lastAnswer = 0;

  function recordsOf(answer: number, first: Shape) {
    let shape = first;
    const onGrow = new Set<(shape: Shape) => void>();
    const onLost = new Set<(error: AppError) => void>();
    const grow = (next: Shape): void => {
      shape = next;
      for (const listener of onGrow) listener(next);
    };
    const lose = (error: unknown): void => {
      for (const listener of onLost) listener(toAppError(error));
    };
    // It ends with the release of the answer, and fails with the thread.
    calls.growth(answer, { onEvent: grow }).catch(lose);
    return {
      id: answer,
      /** How far the answer reaches, without asking. */
      shape: () => shape,
      /** Calls the listener after each change of the shape, until the returned function is called. */
      onGrow(listener: (shape: Shape) => void) {
        onGrow.add(listener);
        return () => void onGrow.delete(listener);
      },
      /** Calls the listener when the thread died and the records with it, until the returned function is called. */
      onLost(listener: (error: AppError) => void) {
        onLost.add(listener);
        return () => void onLost.delete(listener);
      },
      /**
       * The rows as columns; those that are not held are fetched. For what is shown, some hundred rows. A fetch ends
       * when all who wait for it have cancelled.
       */
      rows: (range: Range, signal?: AbortSignal) => calls.rows({ answer, range }, { signal }),
      /** Fetches rows that are not held. */
      load: (range: Range, { onProgress, signal }: LoadOptions) =>
        calls.load({ answer, range }, { signal, onEvent: onProgress }),
      /**
       * The numbers of columns, one array for each path and one number for each row, NaN where there is none: not held,
       * null, absent, not a number. -999.25 is a number like any other. Times are Unix milliseconds, ISO dates too.
       */
      numbers: (paths: readonly Path[]) => calls.numbers({ answer, paths }),
      /** Groups the rows that are held by the values of columns, such as their wells. */
      groups: (paths: readonly Path[]) => calls.groups({ answer, paths }),
      /** One record, whole; fetched where it is not held. */
      record: (row: number) => calls.record({ answer, row }),
      /** Rows as one text. Those that are asked for are fetched where they are not held; what is held may have gaps. */
      text: (options: TextOptions) => calls.text({ answer, ...options }),
      /** The cells, as they are shown, in which a text occurs, among the rows that are held. */
      find: (options: FindOptions, signal?: AbortSignal) => calls.find({ answer, ...options }, { signal }),
      /** What a column holds, over the rows that are held. */
      summary: (path: Path) => calls.summary({ answer, path }),
      /** Lets the records go. */
      release() {
        onGrow.clear();
        onLost.clear();
        void calls.release(answer).catch(() => undefined);
      },
    };
  }

  return {
    /** Starts the thread, so that the first question need not wait for it. */
    warm: thread.start,
    /** Asks a question. @throws AppError */
    async open(asked: RecordsRequest, { signal, everything = false, along = null }: OpenOptions) {
      const answer = (lastAnswer += 1);
      const question = { answer, asked, everything, along };
      const { shape, ...opened } = await calls.open(question, { signal });
      return { ...opened, records: recordsOf(answer, shape) };
    },
    /** Follows a dataset until the signal aborts. @throws AppError */
    live: (
      request: LiveRequest,
      options: { readonly signal: AbortSignal; readonly onEvent: (event: FollowedEvent) => void },
    ) => calls.live(request, options),
  };
}

interface OpenOptions extends Partial<Omit<Question, 'asked'>> {
  readonly signal: AbortSignal;
}
