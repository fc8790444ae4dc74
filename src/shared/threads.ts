import { AppError, toAppError, type ErrorCode, type ErrorDetails } from './errors/errors.ts';
import { append } from './lists.ts';

// Comlink was not taken: it has no cancel, and calls of a thread that died never settle. The contract library's message
// ports can't move memory and keep their own encoding of values.

type TransferableMemory = ArrayBuffer | MessagePort;

type ThreadMessage = { readonly id: number } & (
  | { readonly call: string; readonly input: never }
  | { readonly cancel: true }
  | { readonly event: never }
  | { readonly value: never }
  | { readonly error: { readonly code: ErrorCode; readonly details: ErrorDetails } }
);

/** One end of a channel, in which messages arrive once and in order. */
export interface ThreadPort {
  send(message: object, transfer: readonly TransferableMemory[]): void;
  onMessage(listener: (message: ThreadMessage) => void): void;
  /** Calls the listener when the other end failed or ended. */
  onEnd(listener: (problem: string) => void): void;
  /** @param isIdle no call is running, and the other end has not failed */
  close(isIdle?: boolean): void;
}

/** What a call gets besides its input. `transfer` moves objects to the caller with the result. */
export interface CallContext<Event = never> {
  readonly signal: AbortSignal;
  readonly emit: (event: Event) => void;
  readonly transfer: (objects: readonly TransferableMemory[]) => void;
}

export interface CallOptions<Event> {
  /** Cancels the call, which settles when the thread responds: a finished result still arrives. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: Event) => void) | undefined;
  /** Objects of the input that are moved to the thread. */
  readonly transfer?: readonly TransferableMemory[];
}

export type ServedFunctions<C> = {
  readonly [Name in keyof C]: (input: never, context: CallContext<unknown>) => unknown;
};

/** What a thread serves, as its callers see it. Each call rejects with an AppError. */
export type ThreadCalls<C> = {
  readonly [Name in keyof C]: C[Name] extends (input: infer I, context: CallContext<infer E>) => infer O
    ? (...args: unknown extends I ? [] : [input: I, options?: CallOptions<E>]) => Promise<Awaited<O>>
    : never;
};

/**
 * Serves calls that arrive at a port. Each starts on arrival, so synchronous ones run one after another.
 * @param calls those that are still loading start when they are loaded; an error of loading is that of each call
 * @param toError converts a thrown value
 */
export function serve<C extends ServedFunctions<C>>(
  port: ThreadPort,
  calls: C | Promise<C>,
  toError = toAppError,
): void {
  const functionsOf = (loaded: C) => new Map<string, ServedFunctions<C>[keyof C]>(Object.entries(loaded));
  const functions = calls instanceof Promise ? calls.then(functionsOf) : functionsOf(calls);
  // Each call has the error.
  if (functions instanceof Promise) functions.catch(() => undefined);
  const running = new Map<number, AbortController>();
  async function answer(id: number, name: string, input: never): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    const transferred: TransferableMemory[] = [];
    const emit = (event: unknown): void => port.send({ id, event }, []);
    const transfer = (objects: readonly TransferableMemory[]): void => append(transferred, objects);
    try {
      const called = (functions instanceof Promise ? await functions : functions).get(name);
      const value = await called?.(input, { signal: controller.signal, emit, transfer });
      port.send({ id, value }, transferred);
    } catch (error) {
      port.send({ id, error: toError(error).toBody() }, []);
    } finally {
      running.delete(id);
    }
  }
  port.onMessage((message) => {
    if ('call' in message) void answer(message.id, message.call, message.input);
    else if ('cancel' in message) running.get(message.id)?.abort();
  });
}

export type Thread<C extends ServedFunctions<C>> = ReturnType<typeof openThread<C>>;

/**
 * A thread that starts with its first call. If it fails or ends, pending calls reject as `internal`, and the
 * next call starts another.
 */
export function openThread<C extends ServedFunctions<C>>(start: () => ThreadPort) {
  interface PendingCall extends CallOptions<never> {
    readonly resolve: (value: never) => void;
    readonly reject: (error: AppError) => void;
  }
  const pending = new Map<number, PendingCall>();
  let port: ThreadPort | null = null;
  let closedError: AppError | null = null;
  let lastId = 0;

  function end(error: AppError, hasFailed = false): void {
    port?.close(pending.size === 0 && !hasFailed);
    port = null;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  }
  function running(): ThreadPort {
    if (port) return port;
    const started = start();
    port = started;
    started.onEnd((problem) => {
      if (port === started) end(new AppError('internal', { problem }), true);
    });
    started.onMessage((message) => {
      const call = pending.get(message.id);
      if ('event' in message) call?.onEvent?.(message.event);
      else if ('error' in message) call?.reject(new AppError(message.error.code, message.error.details));
      // A channel that carries JSON leaves an undefined value out.
      else if (!('call' in message || 'cancel' in message)) call?.resolve(message.value);
    });
    return started;
  }
  async function call(name: string, input: unknown, options: CallOptions<never> = {}): Promise<unknown> {
    if (closedError) throw closedError;
    const { signal, transfer = [] } = options;
    if (signal?.aborted) throw new AppError('cancelled', {});
    const thread = running();
    const id = (lastId += 1);
    const cancel = (): void => thread.send({ id, cancel: true }, []);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        pending.set(id, { ...options, resolve, reject });
        thread.send({ id, call: name, input }, transfer);
      });
    } finally {
      signal?.removeEventListener('abort', cancel);
      pending.delete(id);
    }
  }
  // The only cast of received values: the other end serves these calls.
  const calls = new Proxy({} as ThreadCalls<C>, {
    get: (_, name) => (input: unknown, options?: CallOptions<never>) => call(String(name), input, options),
  });
  return {
    calls,
    /** Starts the thread ahead of its first call. */
    start: () => void running(),
    /** Ends the thread permanently; pending calls reject with the error. */
    close(error: AppError = new AppError('cancelled', {})): void {
      closedError ??= error;
      end(closedError);
    },
  };
}

/** A web worker, a worker's own scope, or a message port. */
interface WebEnd {
  postMessage(message: object, transfer: TransferableMemory[]): void;
  addEventListener(type: 'message', listener: (event: { readonly data: ThreadMessage }) => void): void;
  addEventListener(type: 'error', listener: (event: { readonly message?: string }) => void): void;
  start?(): void;
  close?(): void;
  terminate?(): void;
}

/** The port to a web worker, or to the page that started it. */
export const webPort = (end: WebEnd): ThreadPort => ({
  send: (message, transfer) => end.postMessage(message, [...transfer]),
  onMessage(listener) {
    end.addEventListener('message', ({ data }) => listener(data));
    end.start?.();
  },
  onEnd: (listener) => end.addEventListener('error', ({ message = 'the thread ended' }) => listener(message)),
  close: () => (end.terminate ? end.terminate() : end.close?.()),
});

/** The end of a web worker inside it: TypeScript's DOM library has no type for a worker's own scope. */
export const ownPort = (): ThreadPort => webPort(globalThis as unknown as WebEnd);

/** A worker of Node, or the `parentPort` inside it. */
interface NodeEnd {
  postMessage(message: object, transfer: ArrayBuffer[]): void;
  on(event: 'message', listener: (message: ThreadMessage) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  close?(): void;
  terminate?(): unknown;
}

/** The port to a worker thread of Node, or to its parent. */
export const nodePort = (end: NodeEnd): ThreadPort => ({
  send: (message, transfer: readonly ArrayBuffer[]) => end.postMessage(message, [...transfer]),
  onMessage: (listener) => void end.on('message', listener),
  onEnd(listener) {
    end.on('error', ({ message }) => listener(message));
    end.on('exit', () => listener('the thread ended'));
  },
  close: () => void (end.terminate ? end.terminate() : end.close?.()),
});
