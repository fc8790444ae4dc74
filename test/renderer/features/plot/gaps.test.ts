import { expect, it } from 'vitest';
import {
  brokenAt,
  commonGaps,
  gapsByGroup,
  createPlotHost,
} from '../../../../src/renderer/features/plot/thinning.ts';

const second = 1000;
const times = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, n) => (from + n) * second);
const line = (group: number, ...x: number[][]) => ({ group, x: Float64Array.from(x.flat()) });
const gapsOfLines = (lines: ReturnType<typeof line>[]) => commonGaps(gapsByGroup(lines));
const inside = (lines: ReturnType<typeof line>[]) =>
  gapsOfLines(lines).filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to));

it('the gaps of a well are found once for all of its fields', () => {
  const own = line(0, times(0, 100), times(160, 300));
  expect(inside([own, own])).toEqual([{ from: 99 * second, to: 160 * second }]);
});

it('a range is shaded only when no well has records', () => {
  expect(inside([line(0, times(0, 100), times(160, 300)), line(1, times(120, 200))])).toEqual([
    { from: 99 * second, to: 120 * second },
  ]);
  expect(inside([line(0, times(0, 100)), line(1, times(50, 200))])).toEqual([]);
});

it('an axis without a step has no gaps', () => {
  expect(inside([line(0, [0, 1, 50, 1000, 1001, 70_000, 900_000])])).toEqual([]);
  expect(gapsOfLines([])).toEqual([]);
});

it('the line of a well is broken in its own gaps, even where another well has records', () => {
  const x = Float64Array.from([...times(0, 60), ...times(120, 180), ...times(0, 180)]);
  const groups = Uint16Array.from(x, (_, at) => (at < 120 ? 0 : 1));
  const host = createPlotHost();
  const view = { x: null, y: null, along: 600, across: 100 };
  const data = { x, y: [x.slice()], groups, groupCount: 2 };
  const loaded = host.load(
    { plot: 1, data, kind: 'lines', elapsed: false, changes: [], view },
    { signal: new AbortController().signal, emit: () => undefined, transfer: () => undefined },
  );
  const breaks = loaded.first?.lines.map((drawn) => drawn.x.filter((_, at) => Number.isNaN(drawn.y[at])));
  expect(breaks?.map((at) => [...at])).toEqual([[89.5 * second], []]);
  expect(loaded.lines.map(({ count }) => count)).toEqual([120, 180]);
});

it('a broken line keeps every point', () => {
  const x = Float64Array.of(1, 2, 2, 5, 6, 9);
  const { x: along, y } = brokenAt({ x, y: x.slice() }, [
    { from: -Infinity, to: 1 },
    { from: 2, to: 5 },
    { from: 6, to: 9 },
  ]);
  expect([...along]).toEqual([1, 2, 2, 3.5, 5, 6, 7.5, 9]);
  expect([...y]).toEqual([1, 2, 2, Number.NaN, 5, 6, Number.NaN, 9]);
});
