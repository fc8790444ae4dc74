import { AppError } from '../../../shared/errors/errors.ts';
import type { LiveEvent, LiveRequest } from '../../../shared/tabs/live.ts';
import type { CallContext } from '../../../shared/threads.ts';
import {
  type HeldAnswer,
  openAnswer,
  type Path,
  type Question,
  type Shape,
  type TextOptions,
} from './answer.ts';
import { recordsIn, type RecordsApi } from './request.ts';
import type { PackedChunk } from './chunk.ts';
import type { FindOptions } from './find.ts';
import type { Range } from './pages.ts';
import { spreadPacked } from './spread.ts';

type LiveRecords = Extract<LiveEvent, { kind: 'records' }>;

/** What happens to a dataset that is followed, its records as columns. */
export type FollowedEvent =
  | Exclude<LiveEvent, LiveRecords>
  | (Omit<LiveRecords, 'records'> & { readonly chunks: readonly PackedChunk[] });

interface OpenAnswer {
  readonly held: HeldAnswer;
  /** Aborted when it is released. */
  readonly released: AbortController;
  onGrow: (shape: Shape) => void;
}

type On<T = unknown> = T & { readonly answer: number };

/** The calls of the records' thread. `answer` is the number that the window gave it. */
export type RecordCalls = ReturnType<typeof createHost>;

/**
 * The records' thread: asks the application, holds the records as columns, and hands out what the window shows.
 * @param most bytes of JSON text that are held of one answer at a time
 */
export function createHost(api: RecordsApi, most: number) {
  const answers = new Map<number, OpenAnswer>();

  function openAt(answer: number): OpenAnswer {
    const open = answers.get(answer);
    if (!open) throw new AppError('internal', { problem: 'the records are no longer held' });
    return open;
  }
  /** Looks into an answer until the caller cancels or the answer is released. */
  async function look<T>(
    answer: number,
    { signal }: Pick<CallContext, 'signal'>,
    at: (held: HeldAnswer, signal: AbortSignal) => T | Promise<T>,
  ): Promise<T> {
    const { held, released } = openAt(answer);
    return at(held, AbortSignal.any([signal, released.signal]));
  }

  return {
    /** Asks a question. */
    async open({ answer, ...question }: On<Question>, { signal }: CallContext) {
      const released = new AbortController();
      let open: OpenAnswer | null = null;
      const held = await openAnswer(question, {
        api,
        most,
        signal: AbortSignal.any([signal, released.signal]),
        onGrow: (shape) => open?.onGrow(shape),
      });
      // A caller that has given up gets no answer, and would never release this one.
      signal.throwIfAborted();
      open = { held, released, onGrow: () => undefined };
      answers.set(answer, open);
      return held.opened;
    },
    /** Emits the shape after each change, until the answer is released. */
    async growth(answer: number, { emit }: CallContext<Shape>) {
      const open = openAt(answer);
      open.onGrow = emit;
      await new Promise((resolve) => open.released.signal.addEventListener('abort', resolve));
    },
    release(answer: number) {
      answers.get(answer)?.released.abort();
      answers.delete(answer);
    },
    rows: ({ answer, range }: On<{ range: Range }>, context: CallContext) =>
      look(answer, context, (held, signal) => held.rows(range, signal)),
    record: ({ answer, row }: On<{ row: number }>, context: CallContext) =>
      look(answer, context, (held, signal) => held.record(row, signal)),
    /** Fetches rows that are not held; emits how many have been gone through. */
    load: ({ answer, range }: On<{ range: Range }>, context: CallContext<number>) =>
      look(answer, context, (held, signal) => held.load(range, context.emit, signal)),
    async numbers({ answer, paths }: On<{ paths: readonly Path[] }>, context: CallContext) {
      const numbers = await look(answer, context, (held) => held.numbers(paths));
      context.transfer(numbers.map(({ buffer }) => buffer));
      return numbers;
    },
    groups: ({ answer, paths }: On<{ paths: readonly Path[] }>, context: CallContext) =>
      look(answer, context, (held) => held.groups(paths)),
    text: ({ answer, ...options }: On<TextOptions>, context: CallContext) =>
      look(answer, context, (held, signal) => held.text(options, signal)),
    find: ({ answer, ...options }: On<FindOptions>, context: CallContext) =>
      look(answer, context, (held) => held.find(options)),
    summary: ({ answer, path }: On<{ path: Path }>, context: CallContext) =>
      look(answer, context, (held) => held.summary(path)),
    /** Follows a dataset until it is cancelled. */
    async live(request: LiveRequest, { signal, emit }: CallContext<FollowedEvent>) {
      for await (const event of await api.query.live(request, { signal })) {
        if (signal.aborted) return;
        if (event.kind !== 'records') {
          emit(event);
          continue;
        }
        const { records, ...others } = event;
        emit({ ...others, chunks: spreadPacked(recordsIn(records)) });
      }
    },
  };
}
