import type { RecordsRequest } from '../../../shared/query/query.ts';
import { toAppError, type AppError } from '../../../shared/errors/errors.ts';
import type { LiveRequest } from '../../../shared/tabs/live.ts';
import {
  openThread,
  serve,
  type CallContext,
  type CallOptions,
  type Thread,
  type ThreadCalls,
  type ThreadPort,
} from '../../../shared/threads.ts';
import type { RecordQuery, ResultCalls, ResultShape } from './result.ts';
import type { LiveChunkEvent, RecordCalls } from './host.ts';

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

/** What is asked of the worker about a result. */
const callNames = [
  'calculate',
  'figures',
  'find',
  'groups',
  'load',
  'numbers',
  'quality',
  'record',
  'rowAt',
  'rows',
  'setVisible',
  'summary',
  'text',
] as const satisfies readonly (keyof ResultCalls)[];

const callsOf = (calls: Thread<RecordCalls>['calls'], id: number) =>
  Object.fromEntries(
    callNames.map((name) => [
      name,
      (input: never, options?: CallOptions<unknown>) => calls.ask({ id, name, input }, options),
    ]),
  ) as Pick<ThreadCalls<ResultCalls>, (typeof callNames)[number]>;

/** The window's side of a result. */
function recordsOf(calls: Thread<RecordCalls>['calls'], id: number, first: ResultShape) {
  const asked = callsOf(calls, id);
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
    ...asked,
    setVisible: (isVisible: boolean) => void asked.setVisible(isVisible).catch(() => undefined),
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
