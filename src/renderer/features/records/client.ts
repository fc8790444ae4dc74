import { AppError, fromBody } from '../../../shared/errors/errors.ts';
import type { HeardEvent } from './heard.ts';
import { heardStream } from './heard-stream.ts';
import {
  isValueOf,
  type ThreadCall,
  type ThreadMessage,
  type ThreadRequest,
  type ThreadValue,
  type ThreadValues,
} from './protocol.ts';
import type { Records, RecordsThread, Shape } from './records.ts';

/** What is needed of a worker. */
export interface Thread {
  postMessage(request: ThreadRequest, transfer: Transferable[]): void;
  terminate(): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ThreadMessage>) => void): void;
  addEventListener(type: 'error', listener: (event: { readonly message?: string }) => void): void;
}

export interface ThreadOptions {
  /** Starts the thread; called at the first need, and again after it died. */
  readonly start: () => Thread;
  /** A port to the application for the thread, where it can't open a way by itself. */
  readonly connect?: () => Promise<MessagePort>;
}

interface Waiting {
  readonly tell: (value: ThreadValue | AppError) => void;
  readonly onProgress?: ((rows: number) => void) | undefined;
  readonly onHeard?: ((event: HeardEvent) => void) | undefined;
}
/** What is told to an answer that the window holds. */
interface OpenAnswer {
  readonly onGrown: (shape: Shape) => void;
  readonly onLost: (error: AppError) => void;
}
interface CallOptions extends Omit<Waiting, 'tell'> {
  readonly signal?: AbortSignal | undefined;
}

const mixed = () => new AppError('internal', { problem: 'the records’ thread mixed its answers' });

/** The window's side of the records' thread. */
export function createRecordsThread({ start, connect }: ThreadOptions): RecordsThread {
  let thread: Thread | null = null;
  let lastId = 0;
  const waiting = new Map<number, Waiting>();
  const answers = new Map<number, OpenAnswer>();

  function hear(mine: Thread, message: ThreadMessage): void {
    if (message.call === 'connect')
      void connect?.().then((port) => mine.postMessage({ call: 'port', port }, [port]));
    else if (message.call === 'grown') answers.get(message.answer)?.onGrown(message.shape);
    else if (message.call === 'progress') waiting.get(message.id)?.onProgress?.(message.rows);
    else if (message.call === 'heard') waiting.get(message.id)?.onHeard?.(message.event);
    else if (message.call === 'failed') waiting.get(message.id)?.tell(fromBody(message.error));
    else waiting.get(message.id)?.tell(message);
  }

  function started(): Thread {
    if (thread) return thread;
    const mine = start();
    thread = mine;
    mine.postMessage({ call: 'begin', by: connect ? 'port' : 'socket' }, []);
    mine.addEventListener('message', ({ data }) => hear(mine, data));
    // A thread that dies, as for want of memory, answers nobody: they are told, and the next need starts a new one.
    mine.addEventListener('error', ({ message = 'the records’ thread ended' }) => {
      if (thread !== mine) return;
      mine.terminate();
      thread = null;
      const problem = new AppError('internal', { problem: message });
      for (const { tell } of waiting.values()) tell(problem);
      const lost = [...answers.values()];
      answers.clear();
      for (const { onLost } of lost) onLost(problem);
    });
    return mine;
  }

  /** Calls the thread under an id. An abort is passed on; the thread's answer to it is what rejects. */
  function send(id: number, call: ThreadCall, { signal, ...told }: CallOptions): Promise<ThreadValue> {
    const { promise, resolve, reject } = Promise.withResolvers<ThreadValue>();
    if (signal?.aborted) return Promise.reject(new AppError('cancelled', {}));
    const mine = started();
    const cancel = (): void => mine.postMessage({ call: 'cancel', id }, []);
    signal?.addEventListener('abort', cancel, { once: true });
    waiting.set(id, {
      ...told,
      tell(value) {
        waiting.delete(id);
        signal?.removeEventListener('abort', cancel);
        if (value instanceof AppError) reject(value);
        else resolve(value);
      },
    });
    mine.postMessage({ ...call, id }, []);
    return promise;
  }

  async function ask<C extends keyof ThreadValues>(
    name: C,
    call: Extract<ThreadCall, { call: C }>,
    options: CallOptions = {},
    id = nextId(),
  ): Promise<ThreadValues[C]> {
    const value = await send(id, call, options);
    if (!isValueOf(value, name)) throw mixed();
    return value.value;
  }

  function nextId(): number {
    lastId += 1;
    return lastId;
  }

  function recordsOf(answer: number, first: Shape): Records {
    let shape = first;
    const listeners = new Set<(shape: Shape) => void>();
    const lost = new Set<(error: AppError) => void>();
    answers.set(answer, {
      onGrown(next) {
        shape = next;
        for (const listener of listeners) listener(next);
      },
      onLost(error) {
        for (const listener of lost) listener(error);
      },
    });
    return {
      id: answer,
      shape: () => shape,
      onGrow(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      onLost(listener) {
        lost.add(listener);
        return () => void lost.delete(listener);
      },
      rows: (range, signal) => ask('rows', { call: 'rows', answer, range }, { signal }),
      numbers: (paths, { range = null, fetch = false, onProgress, signal } = {}) =>
        ask('numbers', { call: 'numbers', answer, paths, range, fetch }, { signal, onProgress }),
      groups: (paths, { fetch = false, signal } = {}) =>
        ask('groups', { call: 'groups', answer, paths, fetch }, { signal }),
      record: (row) => ask('record', { call: 'record', answer, row }),
      text: (rows, paths, { format, zone }) =>
        ask('text', { call: 'text', answer, rows, paths, format, zone }),
      find: (text, { paths, zone, signal }) =>
        ask('find', { call: 'find', answer, text, paths, zone }, { signal }),
      summary: (path) => ask('summary', { call: 'summary', answer, path }),
      append: (asked, signal) => ask('append', { call: 'append', answer, asked }, { signal }),
      release() {
        answers.delete(answer);
        listeners.clear();
        lost.clear();
        thread?.postMessage({ call: 'release', answer }, []);
      },
    };
  }

  return {
    live: (request, { signal }) =>
      heardStream(
        (onHeard, until) => ask('live', { call: 'live', request }, { signal: until, onHeard }),
        signal,
      ),
    warm: () => void started(),
    async open(asked, { signal, everything = false, along = null }) {
      const id = nextId();
      const { shape, ...opened } = await ask(
        'open',
        { call: 'open', asked, everything, along },
        { signal },
        id,
      );
      return { ...opened, records: recordsOf(id, shape) };
    },
  };
}
