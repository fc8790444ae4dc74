import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ResultShape } from '../../../../src/renderer/features/records/result.ts';
import type { Slice } from '../../../../src/renderer/features/records/table.ts';
import { createVisibleRows } from '../../../../src/renderer/features/results/visible-rows.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { lawRuns } from '../../../support/sample.ts';

type Settle = 'value' | 'error';

/** Results whose answers arrive when the test says, in any order, also those that were canceled. */
function slowResults() {
  const waiting: ((how: Settle) => void)[] = [];
  /** @param size the number of its rows; more may be found later */
  function create(id: number, size: number) {
    const listeners = new Set<(shape: ResultShape) => void>();
    let rows = size;
    let calculation = 0;
    const shape = (): ResultShape => ({
      rows,
      knownRows: rows,
      held: rows,
      gaps: 0,
      isComplete: true,
      columns: [],
      bytes: 0,
    });
    return {
      id,
      shape,
      calculation: () => calculation,
      /** The values of a calculated column change. */
      calculate: () => (calculation += 1),
      grow(more: number) {
        rows += more;
        for (const listener of listeners) listener(shape());
      },
      onGrow(listener: (shape: ResultShape) => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      rows({ from, to }: { from: number; to: number }): Promise<Slice> {
        const { promise, resolve, reject } = Promise.withResolvers<Slice>();
        const cells = Array.from({ length: to - from }, (_, at) => from + at);
        const ofCalculation = calculation;
        const column = (name: string, value: (row: number) => number) =>
          ({ path: [name], kind: 'integer', characters: 4, cells: cells.map(value) }) as const;
        waiting.push((how) =>
          how === 'error'
            ? reject(new AppError('internal', { problem: 'no answer' }))
            : resolve({
                from,
                rows: to - from,
                columns: [
                  column('result', () => id),
                  column('row', (row) => row),
                  column('calculation', () => ofCalculation),
                ],
              }),
        );
        return promise;
      },
    };
  }
  return { waiting, create };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const noRows: Slice = { from: 0, rows: 0, columns: [] };
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
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { waiting, create } = slowResults();
      const rows = createVisibleRows();
      let shown = create(0, 1000);
      let inView = { from: 0, to: 40 };
      const look = (from: number) => {
        const last = shown.shape().rows;
        inView = { from: Math.min(from, last - 1), to: Math.min(from + 40, last) };
        rows.setVisible(inView);
      };
      const answer = (which: number, how: Settle) =>
        waiting.splice(which % Math.max(waiting.length, 1), 1)[0]?.(how);
      const loadedRows = () =>
        Array.from({ length: inView.to - inView.from }, (_, at) => inView.from + at).filter(
          (row) => rows.status(row) === 'loaded',
        );
      rows.show(shown, noRows);
      look(0);
      for (const next of steps) {
        if (next.do === 'answer' || next.do === 'fail')
          answer(next.which, next.do === 'fail' ? 'error' : 'value');
        if (next.do === 'scroll') look(next.to);
        if (next.do === 'retry') rows.retry();
        if (next.do === 'grow') shown.grow(next.more);
        if (next.do === 'calculate') {
          shown.calculate();
          rows.reload();
        }
        if (next.do === 'show') {
          shown = create(shown.id + 1, next.size);
          rows.show(shown, noRows);
          look(0);
        }
        await settled();
        for (const row of loadedRows())
          expect([rows.cell('result', row), rows.cell('row', row)]).toEqual([shown.id, row]);
      }
      rows.retry();
      while (waiting.length > 0) {
        answer(0, 'value');
        await settled();
      }
      for (const place of [inView.from, ...places]) {
        look(place);
        while (waiting.length > 0) {
          answer(0, 'value');
          await settled();
        }
        // What failed before it came into view is retried by the user.
        rows.retry();
        while (waiting.length > 0) {
          answer(0, 'value');
          await settled();
        }
        expect(loadedRows()).toHaveLength(inView.to - inView.from);
        for (const row of loadedRows())
          expect([rows.cell('result', row), rows.cell('row', row), rows.cell('calculation', row)]).toEqual([
            shown.id,
            row,
            shown.calculation(),
          ]);
      }
    }),
    { numRuns: lawRuns(60) },
  );
});
