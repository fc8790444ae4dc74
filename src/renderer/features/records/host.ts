import { AppError } from '../../../shared/errors/errors.ts';
import type { LiveEvent, LiveRequest } from '../../../shared/tabs/live.ts';
import type { CallContext, ServedFunctions } from '../../../shared/threads.ts';
import {
  type StoredResult,
  openResult,
  type RecordQuery,
  type ResultCalls,
  type ResultShape,
} from './result.ts';
import { createMemory } from './pages.ts';
import { parseRecords, type RecordsApi } from './request.ts';
import { type PackedChunk, toPackedColumns } from './chunk.ts';

type LiveRecords = Extract<LiveEvent, { kind: 'records' }>;

/** An event of a live view, with records as columns. */
export type LiveChunkEvent =
  | Exclude<LiveEvent, LiveRecords>
  | (Omit<LiveRecords, 'records'> & { readonly chunks: readonly PackedChunk[] });

const inColumns = ({ records, ...event }: LiveRecords): LiveChunkEvent => ({
  ...event,
  chunks: toPackedColumns(parseRecords(records)),
});

interface OpenResult {
  readonly held: StoredResult;
  /** Aborted when the result is released. */
  readonly released: AbortController;
  onGrow: (shape: ResultShape) => void;
}

type ResultRef<T> = T & { readonly id: number };
type ResultCall = { readonly name: keyof ResultCalls; readonly input: never };

/** The calls of the records worker. `id` is the window's number for a result. */
export type RecordCalls = ReturnType<typeof createHost>;

/**
 * The records worker: requests records, stores them as columns, and serves the window.
 * @param maxBytes the maximum memory of all results together, in bytes of JSON
 */
export function createHost(api: RecordsApi, maxBytes: number) {
  const results = new Map<number, OpenResult>();
  const memory = createMemory(maxBytes);

  function openAt(id: number): OpenResult {
    const open = results.get(id);
    if (!open) throw new AppError('internal', { problem: 'the records are no longer held' });
    return open;
  }

  return {
    async open({ id, ...question }: ResultRef<RecordQuery>, { signal }: CallContext) {
      const released = new AbortController();
      let open: OpenResult | null = null;
      const held = await openResult(question, {
        api,
        memory,
        signal: AbortSignal.any([signal, released.signal]),
        onGrow: (shape) => open?.onGrow(shape),
      });
      // A caller that canceled would never release the result.
      if (signal.aborted) held.release();
      signal.throwIfAborted();
      open = { held, released, onGrow: () => undefined };
      results.set(id, open);
      return held.opened;
    },
    /** Emits the shape after each change until the result is released. */
    async growth(id: number, { emit }: CallContext<ResultShape>) {
      const open = openAt(id);
      open.onGrow = emit;
      await new Promise((resolve) => open.released.signal.addEventListener('abort', resolve));
    },
    release(id: number) {
      results.get(id)?.released.abort();
      results.get(id)?.held.release();
      results.delete(id);
    },
    /** Calls a result until the caller cancels or the result is released. */
    ask({ id, name, input }: ResultRef<ResultCall>, { signal, ...context }: CallContext<unknown>) {
      const { held, released } = openAt(id);
      const calls: ServedFunctions<ResultCalls> = held;
      return calls[name](input, { ...context, signal: AbortSignal.any([signal, released.signal]) });
    },
    /** Runs a live view until canceled. */
    async live(request: LiveRequest, { signal, emit }: CallContext<LiveChunkEvent>) {
      for await (const event of await api.query.live(request, { signal })) {
        if (signal.aborted) return;
        emit(event.kind === 'records' ? inColumns(event) : event);
      }
    },
  };
}
