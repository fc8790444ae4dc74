import { AppError, toAppError } from '../../../shared/errors/errors.ts';
import { openAnswer, type HeldAnswer } from './answer.ts';
import type { Askable } from './asked.ts';
import { follow } from './heard.ts';
import type { ThreadMessage, ThreadRequest, ThreadValue } from './protocol.ts';

/** A call that the records' thread answers. */
type Answerable = Extract<ThreadRequest, { id: number }> & { call: ThreadValue['call'] };

export interface HostOptions {
  readonly api: Askable;
  readonly post: (message: ThreadMessage, transfer: Transferable[]) => void;
  /** Bytes of JSON text that are held of one answer at a time. */
  readonly most: number;
}

interface Held {
  readonly answer: HeldAnswer;
  /** Aborted when it is let go. */
  readonly gone: AbortController;
}

/** The records' thread: asks the application, keeps what comes, and hands out what the window shows. */
export function createHost({ api, post, most }: HostOptions) {
  const answers = new Map<number, Held>();
  const running = new Map<number, AbortController>();

  function held(id: number): Held {
    const found = answers.get(id);
    if (!found) throw new AppError('internal', { problem: 'the records are no longer held' });
    return found;
  }

  async function open(
    request: Extract<Answerable, { call: 'open' }>,
    signal: AbortSignal,
  ): Promise<ThreadValue> {
    const { id, asked, everything, along } = request;
    const gone = new AbortController();
    const answer = await openAnswer({
      api,
      asked,
      everything,
      along,
      most,
      signal: AbortSignal.any([signal, gone.signal]),
      onGrow: (shape) => post({ call: 'grown', answer: id, shape }, []),
    });
    // Whoever gave up gets no answer, and would never let this one go.
    signal.throwIfAborted();
    answers.set(id, { answer, gone });
    return { call: 'open', value: answer.opened };
  }

  async function valueOf(request: Answerable, cancelled: AbortSignal): Promise<ThreadValue> {
    if (request.call === 'open') return open(request, cancelled);
    if (request.call === 'live') {
      await follow(api, request.request, cancelled, (event) =>
        post({ call: 'heard', id: request.id, event }, []),
      );
      return { call: 'live', value: null };
    }
    const { answer, gone } = held(request.answer);
    const signal = AbortSignal.any([cancelled, gone.signal]);
    switch (request.call) {
      case 'rows':
        return { call: 'rows', value: await answer.rows(request.range, signal) };
      case 'record':
        return { call: 'record', value: await answer.record(request.row, signal) };
      case 'groups': {
        const { paths, fetch } = request;
        return { call: 'groups', value: await answer.groups(paths, { fetch, signal }) };
      }
      case 'text':
        return { call: 'text', value: await answer.text(request, signal) };
      case 'find':
        return { call: 'find', value: answer.find(request) };
      case 'summary':
        return { call: 'summary', value: answer.summary(request.path) };
      case 'append':
        return { call: 'append', value: await answer.append(request.asked, signal) };
      case 'numbers': {
        const { id, paths, range, fetch } = request;
        const onProgress = (rows: number): void => post({ call: 'progress', id, rows }, []);
        return {
          call: 'numbers',
          value: await answer.numbers(paths, { range, fetch, signal, onProgress }),
        };
      }
    }
  }

  async function handle(request: Answerable): Promise<void> {
    const controller = new AbortController();
    running.set(request.id, controller);
    try {
      const value = await valueOf(request, controller.signal);
      const transfer = value.call === 'numbers' ? value.value.map(({ buffer }) => buffer) : [];
      post({ ...value, id: request.id }, transfer);
    } catch (error) {
      post({ call: 'failed', id: request.id, error: toAppError(error).toBody() }, []);
    } finally {
      running.delete(request.id);
    }
  }

  return {
    /** Takes a request of the window; its answer is posted. */
    take(request: Exclude<ThreadRequest, { call: 'begin' | 'port' }>): void {
      if (request.call === 'cancel') running.get(request.id)?.abort();
      else if (request.call === 'release') {
        answers.get(request.answer)?.gone.abort();
        answers.delete(request.answer);
      } else void handle(request);
    },
  };
}
