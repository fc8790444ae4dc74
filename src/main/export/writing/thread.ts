import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { AppError, fromBody } from '../../../shared/errors/errors.ts';
import { workerUrl } from '../../workers.ts';
import type { Readable } from '../../paging/cursor.ts';
import { writerReply, type WriterCall } from './protocol.ts';
import {
  finishStep,
  pageOutcome,
  type AnswerOrigin,
  type FinishStep,
  type PageOutcome,
  type ProgressMarks,
  type WriterSpec,
} from './spec.ts';

/**
 * An {@link ExportWriter} in its thread. Calls are answered in their order; each throws AppError. The content
 * of a page is gone here once it was handed over.
 */
export interface WriterThread {
  write(at: Readable, content: Uint8Array<ArrayBuffer>, origin: AnswerOrigin): Promise<PageOutcome>;
  finishMore(): Promise<FinishStep>;
  /** Closes the files; never throws. */
  close(): Promise<void>;
}

type Unnumbered<C> = C extends { id: number } ? Omit<C, 'id'> : never;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: AppError) => void;
}

// Pages are garbage as soon as they are written: more room for young objects than this costs memory and saves no time.
const youngMb = 12;

/** The memory of a page, which goes over to the thread; small ones share theirs with others and are copied. */
const movable = ({ buffer, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer[] =>
  buffer.byteLength === byteLength ? [buffer] : [];

/** A thread that writers are opened in, one after the other. */
export interface WritingThread {
  /**
   * Opens an export's files, cut to a checkpoint.
   * @throws AppError disk_full, file_unwritable
   */
  open(spec: WriterSpec, from: ProgressMarks | null): Promise<WriterThread>;
  /** Ends the thread; never throws. */
  end(): Promise<void>;
}

/**
 * Starts a thread for writers. It takes some time to be ready, in which something else can be done. Calls that wait when
 * it dies fail as internal errors.
 */
export function startWriting(): WritingThread {
  const thread = startThread();
  return {
    async open(spec, from) {
      await thread.call({ method: 'open', spec, from }, z.null());
      return {
        write: (at, content, origin) =>
          thread.call({ method: 'write', at, content, origin }, pageOutcome, movable(content)),
        finishMore: () => thread.call({ method: 'finishMore' }, finishStep),
        async close() {
          await thread.call({ method: 'close' }, z.null()).catch(() => undefined);
        },
      };
    },
    end: thread.end,
  };
}

function startThread() {
  const worker = new Worker(workerUrl('export'), { resourceLimits: { maxYoungGenerationSizeMb: youngMb } });
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  let dead: AppError | null = null;
  const fail = (problem: string): void => {
    dead ??= new AppError('internal', { problem });
    for (const { reject } of waiting.values()) reject(dead);
    waiting.clear();
  };
  worker.on('message', (message: unknown) => {
    const { id, value, error } = writerReply.parse(message);
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) call?.reject(fromBody(error));
    else call?.resolve(value);
  });
  worker.on('error', (error: Error) => fail(`the export's thread failed: ${error.message}`));
  worker.on('exit', () => fail("the export's thread ended"));
  return {
    async call<T>(call: Unnumbered<WriterCall>, result: z.ZodType<T>, moved: ArrayBuffer[] = []): Promise<T> {
      if (dead) throw dead;
      calls += 1;
      const id = calls;
      const value = await new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.postMessage({ ...call, id }, moved);
      });
      return result.parse(value);
    },
    async end() {
      await worker.terminate();
    },
  };
}
