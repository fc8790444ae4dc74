import { expect, it } from 'vitest';
import { lineOf } from '../../../../src/renderer/features/plot/lines.ts';
import {
  brokenAt,
  commonGaps,
  gapsByGroup,
  createPlotHost,
} from '../../../../src/renderer/features/plot/thinning.ts';
import { linesOver } from './plot-spec.ts';

const context = { signal: new AbortController().signal, emit: () => undefined, transfer: () => undefined };
const numbersOf = (columns: Record<string, Float64Array<ArrayBuffer>>) => Object.entries(columns);
const second = 1000;
const times = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, n) => (from + n) * second);
const line = (group: number, ...x: number[][]) => ({ group, x: Float64Array.from(x.flat()) });
const gapsOfLines = (lines: ReturnType<typeof line>[]) => commonGaps(gapsByGroup(lines));
const inside = (lines: ReturnType<typeof line>[]) =>
  gapsOfLines(lines).filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to));

it('a well has a gap where several of its usual steps are missing', () => {
  expect(inside([line(0, times(0, 100), times(160, 300))])).toEqual([
    { from: 99 * second, to: 160 * second },
  ]);
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
  const codes = Uint16Array.from(x, (_, at) => (at < 120 ? 0 : 1));
  const host = createPlotHost();
  const spec = {
    ...linesOver(['y']),
    groupedBy: 'well',
    shown: [0, 1],
    view: { part: null, along: 600, across: 100 },
  };
  const loaded = host.load(
    { plot: 1, source: 1, spec, numbers: numbersOf({ x, y: x.slice() }), codes },
    context,
  );
  if ('missing' in loaded) throw new Error('records are missing');
  const breaks = loaded.first?.lines.map((drawn) => drawn.x.filter((_, at) => Number.isNaN(drawn.y[at])));
  expect(breaks?.map((at) => [...at])).toEqual([[89.5 * second], []]);
  expect(loaded.lines.map(({ count }) => count)).toEqual([120, 180]);
});

it('a broken line keeps every point', () => {
  const x = Float64Array.of(1, 2, 2, 5, 6, 9);
  const broken = brokenAt({ x, rows: null, group: 0 }, [
    { from: -Infinity, to: 1 },
    { from: 2, to: 5 },
    { from: 6, to: 9 },
  ]);
  expect([...broken.x]).toEqual([1, 2, 2, 3.5, 5, 6, 7.5, 9]);
  expect([...lineOf(broken, x).y]).toEqual([1, 2, 2, Number.NaN, 5, 6, Number.NaN, 9]);
  expect(lineOf(broken, x).count).toBe(6);
});

it('another plot of the same records needs what none before it had, until that is too much to hold', () => {
  const column = () => new Float64Array(100);
  const missingWith = (maxBytes: number) => {
    const host = createPlotHost(maxBytes);
    const load = (source: number, y: string[], columns: Record<string, Float64Array<ArrayBuffer>> = {}) => {
      const numbers = numbersOf(columns);
      const loaded = host.load({ plot: 1, source, spec: linesOver(y), numbers, codes: null }, context);
      return 'missing' in loaded ? loaded.missing.fields : loaded.lines.map(({ count }) => count);
    };
    return [
      load(1, ['a']),
      load(1, ['a'], { x: column(), a: column() }),
      load(1, ['b', 'a']),
      load(1, ['b', 'a'], { b: column() }),
      load(2, ['a'], { x: column(), a: column() }),
      load(1, ['b']),
    ];
  };
  const before = [['x', 'a'], [100], ['b'], [100, 100], [100]];
  expect(missingWith(1_000_000)).toEqual([...before, [100]]);
  expect(missingWith(3000)).toEqual([...before, ['x', 'b']]);
});
