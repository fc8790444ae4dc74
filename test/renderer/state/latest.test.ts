import { describe, expect, it } from 'vitest';
import { invalidInput } from '../../../src/shared/errors/errors.ts';
import { latest } from '../../../src/renderer/state/latest.ts';

const outcome = (log: string[]) => ({
  done: (value: string) => void log.push(`done ${value}`),
  failed: (error: Error) => void log.push(`failed ${error.message}`),
  cancelled: () => void log.push('cancelled'),
});
const whenAborted = (signal: AbortSignal) =>
  new Promise<string>((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
  });

describe('latest', () => {
  it('reports how a task went', async () => {
    const log: string[] = [];
    const place = latest();
    await place.run(async () => 'a', outcome(log));
    await place.run(() => Promise.reject(invalidInput('no')), outcome(log));
    await place.run(() => {
      throw invalidInput('not even begun');
    }, outcome(log));
    expect(log).toEqual(['done a', 'failed no', 'failed not even begun']);
  });

  it('aborts and silences a task when a newer one begins', async () => {
    const log: string[] = [];
    const place = latest();
    const first = place.run(whenAborted, outcome(log));
    await Promise.all([first, place.run(async () => 'b', outcome(log))]);
    expect(log).toEqual(['done b']);
  });

  it('reports a cancel as one, whatever the task makes of it', async () => {
    const log: string[] = [];
    const place = latest();
    const cancelled = place.run(whenAborted, outcome(log));
    place.cancel();
    await cancelled;
    let finish: (value: string) => void = () => undefined;
    const late = place.run(() => new Promise<string>((resolve) => (finish = resolve)), outcome(log));
    place.cancel();
    finish('too late');
    await late;
    expect(log).toEqual(['cancelled', 'cancelled']);
  });

  it('says nothing of a task that was dropped', async () => {
    const log: string[] = [];
    const place = latest();
    const dropped = place.run(whenAborted, outcome(log));
    place.drop();
    await dropped;
    expect(log).toEqual([]);
  });
});
