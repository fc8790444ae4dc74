import { expect, it } from 'vitest';
import { createVisibleRows } from '../../../../src/renderer/features/results/visible-rows.ts';
import type { Slice } from '../../../../src/renderer/features/records/table.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { recordsApiWith, findRequest, recordPage, recordsBeside } from '../../../support/records.ts';

const signal = new AbortController().signal;
const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 20));

/** Rows of a service whose pages fail while `broken` is set. */
async function rowsOf(total: number) {
  const service = { broken: false, pages: [] as number[], free: Promise.resolve() };
  const api = recordsApiWith({
    page: async ({ skip = 0, limit }) => {
      service.pages.push(skip);
      await service.free;
      if (service.broken) throw new AppError('timed_out', { service: 'data', host: 'service', afterMs: 1 });
      const count = Math.max(Math.min(limit, total - skip), 0);
      return recordPage(JSON.stringify(Array.from({ length: count }, (_, at) => ({ n: skip + at }))), total);
    },
  });
  const { records, head } = await recordsBeside(api).records.open(
    {
      kind: 'find',
      request: findRequest(),
    },
    { signal, isUnlimited: true },
  );
  const rows = createVisibleRows();
  rows.show(records, head);
  return { service, records, rows };
}

it('rows in the response are available immediately, visible ones are loaded with some around them', async () => {
  const { service, rows } = await rowsOf(100_000);
  expect([rows.status(0), rows.cell('n', 99), rows.status(100)]).toEqual(['loaded', 99, 'loading']);
  const loaded: number[] = [];
  rows.onLoaded(({ from }) => loaded.push(from));
  rows.setVisible({ from: 50_010, to: 50_040 });
  expect(rows.status(50_010)).toBe('loading');
  await expect.poll(() => loaded.toSorted((a, b) => a - b)).toEqual([49_800, 49_900, 50_000, 50_100, 50_200]);
  expect(rows.cell('n', 50_020)).toBe(50_020);
  expect(service.pages).toEqual([0, 50_000, 49_000]);
});

it('rows around the visible ones are loaded after them', async () => {
  const { service, rows } = await rowsOf(100_000);
  const answering = Promise.withResolvers<void>();
  service.free = answering.promise;
  rows.setVisible({ from: 50_010, to: 50_040 });
  await expect.poll(() => service.pages).toContain(50_000);
  await settled();
  expect(service.pages).toEqual([0, 50_000]);
  answering.resolve();
  await expect.poll(() => service.pages).toEqual([0, 50_000, 49_000]);
});

it('rows that could not be loaded report why, and are requested again', async () => {
  const { service, rows } = await rowsOf(100_000);
  service.broken = true;
  rows.setVisible({ from: 7000, to: 7010 });
  await settled();
  expect(rows.status(7000)).toMatchObject({ code: 'timed_out' });
  expect(rows.problem()).toMatchObject({ code: 'timed_out' });
  service.broken = false;
  rows.retry();
  expect(rows.status(7000)).toBe('loading');
  await settled();
  expect([rows.cell('n', 7000), rows.problem()]).toEqual([7000, null]);
});

it('rows that were scrolled past are canceled, and few are kept', async () => {
  const { rows } = await rowsOf(1_000_000);
  rows.setVisible({ from: 500_000, to: 500_010 });
  rows.setVisible({ from: 900_000, to: 900_010 });
  await settled();
  expect([rows.status(500_000), rows.status(900_000)]).toEqual(['loading', 'loaded']);
  for (let from = 0; from < 8000; from += 100) {
    rows.setVisible({ from, to: from + 50 });
    await settled();
  }
  expect([rows.status(0), rows.status(7950)]).toEqual(['loading', 'loaded']);
});

it('the start of a response is used only when it is a complete block', async () => {
  const { records, rows } = await rowsOf(30);
  const head: Slice = { from: 0, rows: 10, columns: [] };
  rows.show(records, head);
  expect(rows.status(0)).toBe('loading');
});

it('a new result replaces the previous one, of which no more rows arrive', async () => {
  const { rows } = await rowsOf(100_000);
  const { records, service } = await rowsOf(30);
  const changes: unknown[] = [];
  rows.onLoaded((range) => changes.push(range));
  rows.setVisible({ from: 50_000, to: 50_010 });
  rows.show(records, { from: 0, rows: 0, columns: [] });
  expect([rows.status(0), rows.status(50_000)]).toEqual(['loading', 'loading']);
  rows.setVisible({ from: 0, to: 30 });
  await settled();
  expect([rows.cell('n', 7), rows.status(50_000), service.pages]).toEqual([7, 'loading', [0]]);
  expect(changes).toEqual([{ from: 0, to: 100 }]);
  rows.clear();
  expect([rows.status(7), rows.problem()]).toEqual(['loading', null]);
});
