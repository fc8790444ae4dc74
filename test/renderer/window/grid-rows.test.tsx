import * as fc from 'fast-check';
import { createRef } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, it } from 'vitest';
import { DataGrid } from '../../../src/renderer/ui/grid/data-grid.tsx';
import type { DataColumn } from '../../../src/renderer/ui/grid/columns.ts';
import type { GridControl, RowRange, RowSource } from '../../../src/renderer/ui/grid/index.ts';
import { lawRuns } from '../../support/sample.ts';
import { cleanups, closeAll } from './support/cleanups.ts';

afterEach(closeAll);

interface Block {
  readonly result: number;
  readonly from: number;
  readonly calculation: number;
  readonly hasFailed: boolean;
}

const column = (id: string, text: (at: number, block: Block) => number): DataColumn<Block> => ({
  id,
  header: id,
  width: 100,
  align: 'end',
  tip: id,
  text: (at, block) => (block.hasFailed ? 'failed' : String(text(at, block))),
  tone: () => 'plain',
  cellTip: () => '',
});
const columns = [
  column('result', (_, { result }) => result),
  column('row', (at, { from }) => from + at),
  column('calculation', (_, { calculation }) => calculation),
];

interface SlowRequest {
  readonly range: RowRange;
  readonly signal: AbortSignal;
  readonly answer: (hasFailed?: boolean) => void;
}

/** A result whose blocks arrive when the test says, in any order, also those whose request was aborted. */
function slowResult(result: number, requests: SlowRequest[], firstRows = 0) {
  let calculation = 0;
  const source: RowSource<Block> = {
    loadedRow: (row) =>
      row < firstRows ? { block: { result, from: 0, calculation: 0, hasFailed: false }, at: row } : null,
    load(range, signal) {
      const { promise, resolve } = Promise.withResolvers<Block>();
      const block = { result, from: range.from, calculation };
      requests.push({ range, signal, answer: (hasFailed = false) => resolve({ ...block, hasFailed }) });
      return promise;
    },
  };
  return { result, source, calculation: () => calculation, calculate: () => (calculation += 1) };
}

/** A grid of such results. */
async function openGrid() {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  cleanups.push(() => {
    root.unmount();
    place.remove();
  });
  const ref = createRef<GridControl>();
  const requests: SlowRequest[] = [];
  let failures = 0;
  const render = (source: RowSource<Block>, rows: number, selected: number | null = null) =>
    root.render(
      <DataGrid
        label="rows"
        ref={ref}
        columns={columns}
        source={source}
        rows={rows}
        selected={selected}
        onDrawn={(_, blocks) => (failures = blocks.filter(({ hasFailed }) => hasFailed).length)}
      />,
    );
  return {
    requests,
    render,
    control: () => ref.current,
    failures: () => failures,
    /** The drawn rows, and the texts of their cells. */
    rows: () =>
      [...place.querySelectorAll('.ag-row')].map((row) => {
        const text = (id: string) => row.querySelector(`[col-id=${id}]`)?.textContent ?? '';
        return {
          index: Number(row.getAttribute('row-index')),
          texts: columns.map(({ id }) => text(id)),
          isSelected: row.getAttribute('aria-selected') === 'true',
        };
      }),
  };
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 15));
const starts = (requests: readonly SlowRequest[]) => requests.map(({ range }) => range.from);
const first = <T,>([item]: readonly T[]): T => {
  if (item === undefined) throw new Error('there is none');
  return item;
};

it('loads the blocks in view, then some around them, and aborts those that were scrolled past', async () => {
  const { requests, render, control, rows } = await openGrid();
  render(slowResult(1, requests, 100).source, 1_000_000);
  await expect.poll(() => rows()[0]?.texts).toEqual(['1', '0', '0']);
  // Those after the first are the only neighbors.
  await expect.poll(() => starts(requests)).toEqual([100, 200]);
  control()?.reveal(500_010);
  await expect.poll(() => starts(requests)).toEqual([100, 200, 500_000]);
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
  expect(rows().every(({ texts }) => texts.join('') === '')).toBe(true);
  requests[2]?.answer();
  await expect.poll(() => rows().some(({ index, texts }) => texts[1] === String(index))).toBe(true);
  await expect.poll(() => starts(requests).slice(3)).toEqual([500_100, 499_900, 500_200, 499_800]);
  // Its request waited meanwhile.
  control()?.reveal(110);
  await expect.poll(() => starts(requests).slice(7)).toEqual([100]);
  expect(requests.slice(3, 7).every(({ signal }) => signal.aborted)).toBe(true);
});

it('aborts the requests of the result before, and all of them with the grid', async () => {
  const { requests, render, rows } = await openGrid();
  render(slowResult(1, requests).source, 1000);
  await expect.poll(() => requests).toHaveLength(1);
  render(slowResult(2, requests).source, 1000);
  await expect.poll(() => requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  for (const { answer } of requests) answer();
  await expect.poll(() => rows()[0]?.texts).toEqual(['2', '0', '0']);
  await expect.poll(() => requests).toHaveLength(4);
  await closeAll();
  expect(requests.slice(2).map(({ signal }) => signal.aborted)).toEqual([true, true]);
});

it('shows rows that could not be loaded until they are requested again', async () => {
  const { requests, render, control, rows, failures } = await openGrid();
  render(slowResult(1, requests).source, 50);
  await expect.poll(() => requests).toHaveLength(1);
  first(requests).answer(true);
  await expect.poll(() => [rows()[0]?.texts[0], failures()]).toEqual(['failed', 1]);
  control()?.retry();
  await expect.poll(() => [rows()[0]?.texts[0], failures()]).toEqual(['', 0]);
  await expect.poll(() => requests).toHaveLength(2);
  requests[1]?.answer();
  await expect.poll(() => rows()[0]?.texts[0]).toBe('1');
});

it('marks the row whose record is shown, also while it loads, and keeps few blocks', async () => {
  const { requests, render, control, rows } = await openGrid();
  const { source } = slowResult(1, requests);
  render(source, 100_000, 3);
  const marked = () => rows().flatMap(({ index, isSelected }) => (isSelected ? [index] : []));
  await expect.poll(() => requests).toHaveLength(1);
  first(requests).answer();
  await expect.poll(marked).toEqual([3]);
  render(source, 100_000, 5);
  await expect.poll(marked).toEqual([5]);
  const answer = () => {
    for (const request of requests.splice(0)) request.answer();
  };
  for (let from = 0; from < 8000; from += 300) {
    control()?.reveal(from);
    await settled();
    answer();
    await settled();
    answer();
  }
  control()?.reveal(0);
  // The first block was released.
  await expect.poll(() => starts(requests)).toContain(0);
  expect(marked()).toEqual([]);
  answer();
  await expect.poll(marked).toEqual([5]);
});

it('loads the last block again when it has more rows, and all of them when their values have changed', async () => {
  const { requests, render, control, rows } = await openGrid();
  const { source, calculate } = slowResult(1, requests);
  render(source, 110);
  await expect.poll(() => starts(requests)).toEqual([0]);
  first(requests).answer();
  await expect.poll(() => starts(requests)).toEqual([0, 100]);
  requests[1]?.answer();
  await settled();
  render(source, 200);
  control()?.reveal(105);
  const textsOf = (row: number) => rows().find(({ index }) => index === row)?.texts;
  await expect.poll(() => textsOf(112)).toEqual(['', '', '']);
  await expect.poll(() => requests.slice(2).map(({ range }) => range)).toContainEqual({ from: 100, to: 200 });
  for (const { answer } of requests.slice(2)) answer();
  await expect.poll(() => textsOf(112)).toEqual(['1', '112', '0']);
  calculate();
  control()?.reload();
  await settled();
  expect(textsOf(112)).toEqual(['1', '112', '0']);
  for (const { answer } of requests) answer();
  await expect.poll(() => textsOf(112)).toEqual(['1', '112', '1']);
});

const places = [0, 90, 250, 480, 900, 2500] as const;
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('answer' as const), which: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), which: fc.nat(40) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('scroll' as const), to: fc.constantFrom(...places) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('show' as const), size: fc.integer({ min: 1, max: 3000 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('calculate' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('grow' as const), more: fc.integer({ min: 1, max: 300 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retry' as const) }) },
);

it('in whatever order rows arrive, fail, or are given up, the table has only those of its result, and none stays blank', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { requests, render, control, rows } = await openGrid();
      let size = 1000;
      let shown = slowResult(1, requests);
      const show = async () => {
        render(shown.source, size);
        await settled();
      };
      const answer = (which: number, hasFailed: boolean) =>
        requests.splice(which % Math.max(requests.length, 1), 1)[0]?.answer(hasFailed);
      const look = async (row: number) => {
        control()?.reveal(Math.min(row, size - 1));
        await settled();
      };
      const answerAll = async () => {
        for (let rounds = 0; rounds < 3 || requests.length > 0; rounds += 1) {
          while (requests.length > 0) answer(0, false);
          await settled();
        }
      };
      await show();
      await expect.poll(rows).not.toEqual([]);
      for (const next of steps) {
        if (next.do === 'answer' || next.do === 'fail') answer(next.which, next.do === 'fail');
        if (next.do === 'scroll') await look(next.to);
        if (next.do === 'retry') control()?.retry();
        if (next.do === 'grow') {
          size += next.more;
          await show();
        }
        if (next.do === 'calculate') {
          shown.calculate();
          control()?.reload();
        }
        if (next.do === 'show') {
          shown = slowResult(shown.result + 1, requests);
          ({ size } = next);
          await show();
        }
        await settled();
        for (const { index, texts } of rows())
          if (texts[1] !== '' && texts[1] !== 'failed')
            expect(texts.slice(0, 2)).toEqual([String(shown.result), String(index)]);
      }
      for (const place of [...places, 0]) {
        await look(place);
        await answerAll();
        if (rows().some(({ texts }) => texts[0] === 'failed')) {
          control()?.retry();
          await answerAll();
        }
        expect(rows()).not.toEqual([]);
        for (const { index, texts } of rows())
          expect(texts).toEqual([shown.result, index, shown.calculation()].map(String));
      }
      await closeAll();
    }),
    { numRuns: lawRuns(8) },
  );
});
