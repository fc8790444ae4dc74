import { describe, expect, it } from 'vitest';
import { invalidInput } from '../../../src/shared/errors/errors.ts';
import { createLatestTask } from '../../../src/renderer/state/latest-task.ts';

const handlers = (log: string[]) => ({
  onDone: (value: string) => void log.push(`done ${value}`),
  onFailed: (error: Error) => void log.push(`failed ${error.message}`),
  onCanceled: () => void log.push('cancelled'),
});
const whenAborted = (signal: AbortSignal) =>
  new Promise<string>((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
  });

describe('createLatestTask', () => {
  it('calls the handler of the result', async () => {
    const log: string[] = [];
    const task = createLatestTask();
    await task.run(async () => 'a', handlers(log));
    await task.run(() => Promise.reject(invalidInput('no')), handlers(log));
    await task.run(() => {
      throw invalidInput('not even begun');
    }, handlers(log));
    expect(log).toEqual(['done a', 'failed no', 'failed not even begun']);
  });

  it('aborts a task and calls none of its handlers when a newer one starts', async () => {
    const log: string[] = [];
    const task = createLatestTask();
    const first = task.run(whenAborted, handlers(log));
    await Promise.all([first, task.run(async () => 'b', handlers(log))]);
    expect(log).toEqual(['done b']);
  });

  it('calls onCanceled even if the task resolves later', async () => {
    const log: string[] = [];
    const task = createLatestTask();
    const cancelled = task.run(whenAborted, handlers(log));
    task.cancel();
    await cancelled;
    let finish: (value: string) => void = () => undefined;
    const late = task.run(() => new Promise<string>((resolve) => (finish = resolve)), handlers(log));
    task.cancel();
    finish('too late');
    await late;
    expect(log).toEqual(['cancelled', 'cancelled']);
  });

  it('calls no handler of a dropped task', async () => {
    const log: string[] = [];
    const task = createLatestTask();
    const dropped = task.run(whenAborted, handlers(log));
    task.drop();
    await dropped;
    expect(log).toEqual([]);
  });
});
