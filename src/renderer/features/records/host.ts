import type { Calculation } from '../../../shared/calculated/calculated.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { LiveEvent, LiveRequest } from '../../../shared/tabs/live.ts';
import type { CallContext } from '../../../shared/threads.ts';
import {
  type FiguresOptions,
  type StoredResult,
  openResult,
  type Path,
  type RecordQuery,
  type ResultShape,
  type TextOptions,
} from './result.ts';
import { createMemory, type Range } from './pages.ts';
import { parseRecords, type RecordsApi } from './request.ts';
import { type PackedChunk, toPackedColumns } from './chunk.ts';
import type { QualityOfRecords, SeriesPlace } from './check-records.ts';
import type { FindOptions, FindResult } from './find.ts';

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

type ResultRef<T = unknown> = T & { readonly id: number };

/** The calls of the records worker. `id` is the window's number for a result. */
export type RecordCalls = ReturnType<typeof createHost>;

/** Reads a result until the caller cancels or the result is released. */
type ReadResult = <T>(
  id: number,
  context: Pick<CallContext, 'signal'>,
  at: (held: StoredResult, signal: AbortSignal) => T | Promise<T>,
) => Promise<T>;

const readCalls = (read: ReadResult) => ({
  /** Whether the tab of a result is in view: results of hidden tabs are released first. */
  setVisible: ({ id, isVisible }: ResultRef<{ isVisible: boolean }>, context: CallContext) =>
    read(id, context, (held, signal) => held.setVisible(isVisible, signal)),
  calculate: ({ id, calculation }: ResultRef<{ calculation: Calculation | null }>, context: CallContext) =>
    read(id, context, (held) => held.calculate(calculation)),
  rows: ({ id, range }: ResultRef<{ range: Range }>, context: CallContext) =>
    read(id, context, (held, signal) => held.rows(range, signal)),
  record: ({ id, row }: ResultRef<{ row: number }>, context: CallContext) =>
    read(id, context, (held, signal) => held.record(row, signal)),
  /** Fetches missing rows; emits the number processed. */
  load: ({ id, range }: ResultRef<{ range: Range }>, context: CallContext<number>) =>
    read(id, context, (held, signal) => held.load(range, context.emit, signal)),
  async numbers({ id, paths }: ResultRef<{ paths: readonly Path[] }>, context: CallContext) {
    const numbers = await read(id, context, (held) => held.numbers(paths));
    context.transfer(numbers.map(({ buffer }) => buffer));
    return numbers;
  },
  async groups({ id, paths }: ResultRef<{ paths: readonly Path[] }>, context: CallContext) {
    const groups = await read(id, context, (held) => held.groups(paths));
    context.transfer([groups.codes.buffer]);
    return groups;
  },
  text: ({ id, ...options }: ResultRef<TextOptions>, context: CallContext) =>
    read(id, context, (held, signal) => held.text(options, signal)),
  /** Emits the matches so far while it searches. */
  find: ({ id, ...options }: ResultRef<FindOptions>, context: CallContext<FindResult>) =>
    read(id, context, (held, signal) => held.find(options, context.emit, signal)),
  figures: ({ id, ...options }: ResultRef<FiguresOptions>, context: CallContext) =>
    read(id, context, (held) => held.figures(options)),
  quality: ({ id, of }: ResultRef<{ of: QualityOfRecords }>, context: CallContext) =>
    read(id, context, (held) => held.quality(of)),
  rowAt: ({ id, of, place }: ResultRef<{ of: QualityOfRecords; place: SeriesPlace }>, context: CallContext) =>
    read(id, context, (held) => held.rowAt(of, place)),
  summary: ({ id, path }: ResultRef<{ path: Path }>, context: CallContext) =>
    read(id, context, (held) => held.summary(path)),
});

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
  const read: ReadResult = async (id, { signal }, at) => {
    const { held, released } = openAt(id);
    return at(held, AbortSignal.any([signal, released.signal]));
  };

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
    ...readCalls(read),
    /** Runs a live view until canceled. */
    async live(request: LiveRequest, { signal, emit }: CallContext<LiveChunkEvent>) {
      for await (const event of await api.query.live(request, { signal })) {
        if (signal.aborted) return;
        emit(event.kind === 'records' ? inColumns(event) : event);
      }
    },
  };
}
