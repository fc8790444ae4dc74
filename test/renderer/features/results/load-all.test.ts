import { describe, expect, it } from 'vitest';
import { createLoadAll, type LoadState } from '../../../../src/renderer/features/results/load-all.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { recordsApiWith, findRequest, recordPage, recordsBeside } from '../../../support/records.ts';

const request = findRequest();

/** A result with this many records, with or without a total from the service. */
async function answerOf(rows: number, hasTotal: boolean) {
  const service = { refuses: (_skip: number): boolean => false, pages: 0 };
  const api = recordsApiWith({
    async page({ skip = 0, limit }) {
      service.pages += 1;
      await new Promise((resolve) => setTimeout(resolve));
      if (service.refuses(skip)) throw new AppError('timed_out', { service: 'data', host: 'h', afterMs: 1 });
      const count = Math.max(Math.min(limit, rows - skip), 0);
      const records = Array.from({ length: count }, (_, at) => ({ n: skip + at }));
      return recordPage(JSON.stringify(records), hasTotal ? rows : null);
    },
  });
  const { signal } = new AbortController();
  const { records } = await recordsBeside(api).records.open(
    { kind: 'find', request },
    { signal, isUnlimited: true },
  );
  const loading = createLoadAll();
  const states: LoadState[] = [];
  loading.store.subscribe((state) => states.push(state));
  return { service, records, loading, states };
}

describe('loading all matching records', () => {
  it.each([true, false])(
    'continues to the end, and reports its progress; a total is reported: %s',
    async (hasTotal) => {
      const { records, loading, states } = await answerOf(23_500, hasTotal);
      await loading.actions.start(records);
      expect(records.shape()).toMatchObject({ held: 23_500, rows: 23_500, isComplete: true });
      const seen = states.flatMap((state) => (state.status === 'running' ? [state.done] : []));
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      expect(seen.length).toBeGreaterThan(2);
      expect(states.at(-1)).toEqual({ status: 'idle' });
    },
  );

  it('stops on request, and loaded records stay', async () => {
    const { records, loading, service } = await answerOf(500_000, true);
    loading.store.subscribe((state) => {
      if (state.status === 'running' && state.done >= 20_000) loading.actions.stop();
    });
    await loading.actions.start(records);
    expect(loading.store.getState()).toEqual({ status: 'idle' });
    const { held } = records.shape();
    expect(held).toBeGreaterThanOrEqual(20_000);
    expect(held).toBeLessThan(500_000);
    expect(service.pages).toBeLessThan(10);
  });

  it('reports why it stopped, and resumes from the loaded records', async () => {
    const { records, loading, service } = await answerOf(30_000, true);
    service.refuses = (skip) => skip >= 20_000;
    await loading.actions.start(records);
    expect(loading.store.getState()).toMatchObject({ status: 'failed', error: { code: 'timed_out' } });
    const before = service.pages;
    service.refuses = () => false;
    await loading.actions.start(records);
    expect(records.shape().held).toBe(30_000);
    expect(service.pages - before).toBeLessThan(3);
  });
});
