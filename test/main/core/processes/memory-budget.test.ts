import { describe, expect, it } from 'vitest';
import { createMemoryBudget } from '../../../../src/main/core/processes/memory-budget.ts';

/** Reservations of a budget, in the order in which they were made. */
function openBudget(limitMb: number) {
  const budget = createMemoryBudget(async () => limitMb);
  const granted: string[] = [];
  return {
    budget,
    granted,
    /** Waits for memory, and notes when it is there. */
    async reserve(name: string, megabytes: number, signal?: AbortSignal) {
      const free = await budget.reserve(megabytes, signal);
      granted.push(name);
      return free;
    },
    settle: async () => new Promise((resolve) => setImmediate(resolve)),
  };
}

describe('the memory of all engines', () => {
  it('is for statements by two thirds, whatever jobs run', async () => {
    const { budget, reserve } = openBudget(3000);
    await reserve('export', 900);
    expect(await budget.statementMb()).toBe(2000);
  });

  it('has room for several jobs; others wait for their end, in their order', async () => {
    const { reserve, granted, settle } = openBudget(3000);
    const freeFirst = await reserve('first', 500);
    const freeSecond = await reserve('second', 500);
    const third = reserve('third', 400);
    const fourth = reserve('fourth', 100);
    await settle();
    expect(granted).toEqual(['first', 'second']);
    freeFirst();
    // Twice is once.
    freeFirst();
    await third;
    await fourth;
    expect(granted).toEqual(['first', 'second', 'third', 'fourth']);
    const fifth = reserve('fifth', 100);
    await settle();
    expect(granted).not.toContain('fifth');
    freeSecond();
    await fifth;
  });

  it('is taken by one that needs more than the jobs’ part when no other runs', async () => {
    const { reserve, granted, settle } = openBudget(300);
    const freeSmall = await reserve('small', 50);
    const large = reserve('large', 512);
    const other = reserve('other', 10);
    await settle();
    expect(granted).toEqual(['small']);
    freeSmall();
    const freeLarge = await large;
    await settle();
    expect(granted).toEqual(['small', 'large']);
    freeLarge();
    await other;
  });

  it('isn’t waited for by a job that is canceled, which lets those behind it pass', async () => {
    const { reserve, granted, settle } = openBudget(300);
    const free = await reserve('first', 60);
    const stop = new AbortController();
    const canceled = reserve('canceled', 90, stop.signal);
    const small = reserve('small', 40);
    await settle();
    expect(granted).toEqual(['first']);
    stop.abort();
    await expect(canceled).rejects.toMatchObject({ code: 'cancelled' });
    await small;
    expect(granted).toEqual(['first', 'small']);
    await expect(reserve('late', 10, stop.signal)).rejects.toMatchObject({ code: 'cancelled' });
    free();
  });
});
