import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openIdleProcess } from '../../../../src/main/core/processes/idle-process.ts';
import type { ProcessPort } from '../../../../src/main/world/threads.ts';
import { serve } from '../../../../src/shared/threads.ts';
import { portPair } from '../../../support/port-pair.ts';

const calls = { add: ({ a, b }: { a: number; b: number }) => a + b, wait: async () => setTimeout(60_000) };

/** A process of the same memory, which ends as one would. */
function openProcess(idleMs: number) {
  const started: number[] = [];
  const ends: (string | null)[] = [];
  const crashes: (() => void)[] = [];
  const references: boolean[] = [];
  const idle = openIdleProcess<typeof calls>({
    start(number): ProcessPort {
      started.push(number);
      const [near, far] = portPair();
      serve(far, calls);
      return {
        ...near,
        onEnd: (listener) => void crashes.push(() => listener('the process ended')),
        setReferenced: (isReferenced) => void references.push(isReferenced),
      };
    },
    idleMs,
    onEnd: (problem) => ends.push(problem),
  });
  const crash = (): void => crashes.splice(0).forEach((end) => end());
  return {
    idle,
    started,
    ends,
    references,
    crash,
    add: () => idle.call(async ({ add }) => add({ a: 1, b: 2 })),
  };
}

describe('a process that ends when it is idle', () => {
  it('starts with its first call, and another one starts after it has ended', async () => {
    const { idle, started, ends, add } = openProcess(1);
    expect(started).toEqual([]);
    expect(await add()).toBe(3);
    await expect.poll(() => ends).toEqual([null]);
    expect(await add()).toBe(3);
    expect(started).toEqual([0, 1]);
    idle.end();
  });

  it('stays while somebody keeps it, and keeps nothing running while nobody does', async () => {
    const { idle, started, ends, references, add } = openProcess(1);
    const release = idle.hold();
    await add();
    await setTimeout(20);
    await add();
    expect([started, ends]).toEqual([[0], []]);
    expect(references.at(-1)).toBe(true);
    release();
    expect(references.at(-1)).toBe(false);
    await expect.poll(() => ends).toEqual([null]);
  });

  it('fails its calls when it ends or is stopped', async () => {
    const stopped = { code: 'sql_unavailable', details: { reason: 'stopped' } };
    const { idle, ends, crash, add } = openProcess(60_000);
    const crashed = idle.call(async ({ wait }) => wait());
    await add();
    crash();
    await expect(crashed).rejects.toMatchObject(stopped);
    const ended = idle.call(async ({ wait }) => wait());
    idle.end();
    await expect(ended).rejects.toMatchObject(stopped);
    expect(ends).toEqual(['the process ended', null]);
    expect(await add()).toBe(3);
    idle.end();
  });
});
