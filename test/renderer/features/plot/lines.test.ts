import { describe, expect, it } from 'vitest';
import { csvOf } from '../../../../src/renderer/features/plot/csv.ts';
import {
  axesOf,
  lineOf,
  withoutNullPositions,
  type LineOptions,
  type PlotRecords,
} from '../../../../src/renderer/features/plot/lines.ts';

interface PlotData extends PlotRecords {
  readonly y: Float64Array<ArrayBuffer>;
}
const data = (x: number[], y: number[], groups: number[] | null = null): PlotData => ({
  x: Float64Array.from(x),
  y: Float64Array.from(y),
  codes: groups && Uint16Array.from(groups),
  shown: groups ? Array.from({ length: Math.max(...groups) + 1 }, (_, code) => code) : [0],
});
const sorted = { elapsed: false, sorted: true };
const toLines = ({ y, ...records }: PlotData, options: LineOptions) =>
  axesOf(records, options).map((axis) => lineOf(axis, y));
const shown = ({ x, y }: { x: Float64Array; y: Float64Array }) => Array.from(x, (at, row) => [at, y[row]]);

describe('lines', () => {
  it('are in the order of their axis, whichever order the records have', () => {
    for (const x of [
      [1, 2, 3],
      [3, 2, 1],
      [2, 3, 1],
    ]) {
      const [line] = toLines(data(x, x), sorted);
      expect(line && shown(line)).toEqual([
        [1, 1],
        [2, 2],
        [3, 3],
      ]);
    }
  });

  it('are those of the groups that are shown, also of one of several', () => {
    const wells = data([1, 2, 3, 4], [10, 20, 30, 40], [0, 1, 0, 2]);
    const linesOf = (...codes: number[]) => toLines({ ...wells, shown: codes }, sorted).map(shown);
    expect(linesOf(0)).toEqual([
      [
        [1, 10],
        [3, 30],
      ],
    ]);
    expect(linesOf(0, 1)[1]).toEqual([[2, 20]]);
    expect(linesOf(2, 1)).toEqual([[[4, 40]], [[2, 20]]]);
  });

  it('of wellpaths run along measured depth, whichever order the stations of two wells and their surveys have', () => {
    // Well A turns back, so that neither axis has the order of its stations; well B has two surveys.
    const stations = [
      { path: 0, md: 0, east: 0, north: 0 },
      { path: 0, md: 100, east: 50, north: 80 },
      { path: 0, md: 200, east: 20, north: 120 },
      { path: 0, md: 300, east: 60, north: 90 },
      { path: 1, md: 0, east: 500, north: 0 },
      { path: 1, md: 150, east: 480, north: 30 },
      { path: 2, md: 0, east: 500, north: 0 },
      { path: 2, md: 160, east: 530, north: -40 },
    ];
    const pathsOf = (rows: typeof stations) =>
      toLines(
        {
          x: Float64Array.from(rows, ({ east }) => east),
          y: Float64Array.from(rows, ({ north }) => north),
          stations: Float64Array.from(rows, ({ md }) => md),
          codes: Uint16Array.from(rows, ({ path }) => path),
          shown: [0, 1, 2],
        },
        { elapsed: false, sorted: false },
      ).map(shown);
    const ordered = pathsOf(stations);
    expect(ordered).toEqual(
      [0, 1, 2].map((path) =>
        stations.filter((station) => station.path === path).map(({ east, north }) => [east, north]),
      ),
    );
    const shuffled = [6, 3, 0, 5, 2, 7, 4, 1].flatMap((at) => stations[at] ?? []);
    expect(pathsOf(shuffled)).toEqual(ordered);
    expect(pathsOf(stations.toReversed())).toEqual(ordered);
    const unplaced = { path: 0, md: Number.NaN, east: 9, north: 9 };
    expect(pathsOf([unplaced, ...shuffled])).toEqual(ordered);
  });

  it('have a gap at null values, and count them', () => {
    const stored = data([1, 2, 3, 4], [7, -999.25, Number.NaN, -998]);
    const [line] = toLines(stored, sorted);
    expect(stored.y[1]).toBe(-999.25);
    expect(line).toMatchObject({
      tokens: 1,
      count: 2,
      extent: { x: { from: 1, to: 4 }, y: { from: -998, to: 7 } },
    });
    expect([...(line?.y ?? [])]).toEqual([7, Number.NaN, Number.NaN, -998]);
  });

  it('leave out records whose position is a null value', () => {
    const stored = data([1, -999.25, 3], [7, 8, 9]);
    const [line] = toLines({ ...stored, ...withoutNullPositions(stored) }, sorted);
    expect(line && shown(line)).toEqual([
      [1, 7],
      [3, 9],
    ]);
  });

  it('count the values at the position of the previous one', () => {
    const [line] = toLines(data([1, 2, 2, 2, 3, 3], [1, 2, Number.NaN, 4, 5, Number.NaN]), sorted);
    expect(line?.repeated).toBe(1);
  });

  it('are one for each well, each from its own start when they are overlaid', () => {
    const lines = toLines(data([10, 100, 11, 103, Number.NaN], [1, 2, 3, 4, 5], [0, 1, 0, 1, 1]), {
      elapsed: true,
      sorted: true,
    });
    expect(lines.map(shown)).toEqual([
      [
        [0, 1],
        [1, 3],
      ],
      [
        [0, 2],
        [3, 4],
      ],
    ]);
    expect(lines.map(({ group }) => group)).toEqual([0, 1]);
  });

  it('have no range without values', () => {
    expect(toLines(data([1], [Number.NaN]), sorted)[0]?.extent).toBeNull();
  });
});

describe('the data of a plot', () => {
  const heads = { x: 'timestamp', group: 'well', groups: ['A, "1"', 'B'], y: ['data.rop'], time: true };

  it('are all records in the visible range, unchanged', async () => {
    const made = data([1000, 2000, 3000, Number.NaN], [1.5, -999.25, 3, 4], [0, 1, 0, 0]);
    expect(await csvOf(made, [made.y], heads, null).text()).toBe(
      'well,timestamp,data.rop\r\n' +
        '"A, ""1""",1970-01-01T00:00:01.000Z,1.5\r\n' +
        'B,1970-01-01T00:00:02.000Z,\r\n' +
        '"A, ""1""",1970-01-01T00:00:03.000Z,3\r\n',
    );
    const part = await csvOf(
      made,
      [made.y],
      { ...heads, group: undefined, time: false },
      { from: 2500, to: 9000 },
    ).text();
    expect(part).toBe('timestamp,data.rop\r\n3000,3\r\n');
  });

  it('leave out the records of groups that are not in the plot', async () => {
    const wells = data([1, 2, 3, 4], [10, 20, 30, 40], [0, 1, 2, 0]);
    const textOf = async (groups: string[]) =>
      csvOf(
        { ...wells, shown: groups.map((_, code) => code) },
        [wells.y],
        { ...heads, groups, time: false, group: groups.length > 1 ? 'well' : undefined },
        null,
      ).text();
    expect(await textOf(['A', 'B'])).toBe('well,timestamp,data.rop\r\nA,1,10\r\nB,2,20\r\nA,4,40\r\n');
    expect(await textOf(['A'])).toBe('timestamp,data.rop\r\n1,10\r\n4,40\r\n');
  });

  it('are written in parts', async () => {
    const many = Array.from({ length: 20_001 }, (_, at) => at);
    const made = data(many, many);
    const text = await csvOf(made, [made.y], { ...heads, group: undefined, time: false }, null).text();
    expect(text.trimEnd().split('\r\n')).toHaveLength(20_002);
  });
});
