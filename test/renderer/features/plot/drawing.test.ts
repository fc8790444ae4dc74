import { headLimits } from '../../../../src/renderer/ui/plot/index.ts';
import { expect, it } from 'vitest';
import { statementNames } from '../../../../src/shared/channels/plain-names.ts';
import {
  chartsOf,
  evenRange,
  seriesOf,
  trackCurves,
} from '../../../../src/renderer/features/plot/drawing.ts';
import { shownNames } from '../../../../src/renderer/features/plot/use-names.ts';
import { unitChanges } from '../../../../src/renderer/features/records/shown-cells.ts';
import type { PlotChoice } from '../../../../src/shared/tabs/plot.ts';
import type { UnitSystem } from '../../../../src/shared/channels/unit-systems.ts';

/** The titles of the axes of a plot of fields with these units. */
const axes = (units: Parameters<typeof scalesOf>[0], system?: UnitSystem): string[] =>
  scalesOf(units, {}, system).map(({ label }) => label);

/** The scales of a plot of fields with these units. */
function scalesOf(
  units: Readonly<Record<string, string | undefined>>,
  choice: Partial<PlotChoice>,
  system: UnitSystem | 'stored' = 'stored',
) {
  const fields = Object.keys(units);
  const stored = { field: statementNames, unitOf: (id: string) => units[id], wellName: () => undefined };
  const names = shownNames(stored, unitChanges(Object.entries(units), system), new Map());
  const range = { from: 0, to: 1 };
  const facts = {
    group: 0,
    count: 1,
    tokens: 0,
    repeated: 0,
    positive: { x: 1, y: 1 },
    extent: { x: range, y: range },
  };
  const content = {
    choice: { kind: 'lines', x: 'timestamp', y: fields, align: 'recorded', ...choice },
    changes: {},
    axis: '',
    rows: 1,
    part: null,
    groups: [[]],
    groupsLeft: 0,
    lines: fields.map((_, field) => ({ ...facts, field })),
    gaps: [],
    extent: { x: range, y: range },
    colorRange: null,
    isPath: false,
  } as const;
  const one = { x: Float64Array.of(0), y: Float64Array.of(0), exact: true, values: range };
  const drawn = { content, part: { x: range }, lines: fields.map(() => one) };
  const options = { along: { show: 'number' }, label: '', names } as const;
  return chartsOf(drawn, seriesOf(content, names, 8), options).flatMap(({ scales }) => scales);
}

it('panels have an axis of values each, and only the last one that of time; wells have colors and no patterns', () => {
  const fields = ['data.rop', 'data.wob', 'data.hole_depth'];
  const units: Record<string, string> = { 'data.rop': 'ft/h', 'data.wob': 'klbf', 'data.hole_depth': 'ft' };
  const names = {
    field: statementNames,
    unitOf: (id: string) => units[id],
    wellName: (well: string) => `Well ${well}`,
  };
  const range = { from: 0, to: 1 };
  const facts = {
    count: 1,
    tokens: 0,
    repeated: 0,
    positive: { x: 1, y: 1 },
    extent: { x: range, y: range },
  };
  const content = {
    choice: { kind: 'panels', x: 'timestamp', y: fields, align: 'recorded' },
    changes: {},
    axis: '',
    rows: 1,
    part: null,
    groups: [['7'], ['8']],
    groupsLeft: 0,
    lines: [0, 1].flatMap((group) => fields.map((_, field) => ({ ...facts, field, group }))),
    gaps: [],
    extent: { x: range, y: range },
    colorRange: null,
    isPath: false,
  } as const;
  const one = { x: Float64Array.of(0), y: Float64Array.of(0), exact: true, values: range };
  const drawn = { content, part: { x: range }, lines: content.lines.map(() => one) };
  const series = seriesOf(content, names, 8);
  const specs = chartsOf(drawn, series, { along: { show: 'number' }, label: '', names });
  expect(specs.map(({ axis, scales }) => [axis, scales.map(({ label }) => label)])).toEqual([
    [false, ['rop (ft/h)']],
    [false, ['wob (klbf)']],
    [true, ['hole_depth (ft)']],
  ]);
  const isDown = ({ from, to }: { from: number; to: number }) => from > to;
  expect(specs.map(({ scales: [scale] }) => scale && isDown(scale.range))).toEqual([false, false, true]);
  const colors = specs.map(({ lines }) => lines.map(({ color }) => color));
  expect(new Set(colors[0]).size).toBe(2);
  expect([colors[1], colors[2]]).toEqual([colors[0], colors[0]]);
  expect(series.map(({ dash }) => dash)).toEqual([0, 0, 0, 0, 0, 0]);
});

it('depths alone run downwards, in lines and in dots; with other fields or by choice they run upwards', () => {
  const runsDown = (fields: readonly string[], choice: Partial<PlotChoice> = {}) =>
    scalesOf(Object.fromEntries(fields.map((field) => [field, 'ft'])), choice).map(
      ({ range }) => range.from > range.to,
    );
  expect(runsDown(['data.hole_depth', 'data.bit_depth'])).toEqual([true]);
  expect(runsDown(['md'], { kind: 'scatter' })).toEqual([true]);
  expect(runsDown(['data.hole_depth', 'data.block_height'])).toEqual([false]);
  expect(runsDown(['data.hole_depth', 'data.bit_depth'], { isReversed: false })).toEqual([false]);
  expect(runsDown(['data.rop'], { isReversed: true })).toEqual([true]);
});

it('fields of one quantity in one unit share an axis, whatever the spelling of the unit', () => {
  expect(axes({ 'data.hook_load': 'klbf', 'data.weight_on_bit': 'k-lbs', 'data.rop': 'ft/h' })).toEqual([
    'hook_load (klbf), weight_on_bit (k-lbs)',
    'rop (ft/h)',
  ]);
});

it('fields in different units share an axis once both are shown in one', () => {
  const units = { 'data.bit_depth': 'ft', 'data.block_position': 'm' };
  expect(axes(units)).toHaveLength(2);
  expect(axes(units, 'metric')).toEqual(['bit_depth (m), block_position (m)']);
});

it('fields with an unknown or an ambiguous unit have axes of their own', () => {
  expect(axes({ 'data.a': undefined, 'data.b': undefined })).toHaveLength(2);
  expect(axes({ 'data.weight_on_bit': 'kg', 'data.total_proppant_mass': 'kg' })).toHaveLength(2);
});

/** Depth tracks of these fields, of some wells. */
function tracks(choice: Partial<PlotChoice> & Pick<PlotChoice, 'y'>, wells: readonly string[] = ['1']) {
  const stored = {
    field: statementNames,
    unitOf: (id: string) => ({ 'data.rhob': 'g/cm3', 'data.nphi': 'v/v' })[id],
    wellName: () => undefined,
  };
  const names = shownNames(stored, {}, new Map());
  const range = { from: 0.1, to: 2.5 };
  const lines = choice.y.flatMap((_, field) =>
    wells.map((_well, group) => ({
      field,
      group,
      count: 1,
      tokens: 0,
      repeated: 0,
      positive: { x: 1, y: 1 },
      extent: { x: range, y: range },
    })),
  );
  const content = {
    choice: { kind: 'tracks', x: 'measured_depth', align: 'recorded', ...choice },
    changes: {},
    axis: '',
    rows: 1,
    part: null,
    groups: wells.map((well) => [well]),
    groupsLeft: 0,
    lines,
    gaps: [],
    extent: { x: range, y: range },
    colorRange: null,
    isPath: false,
  } as const;
  const one = { x: Float64Array.of(0), y: Float64Array.of(0), exact: true, values: range };
  const drawn = { content, part: { x: range }, lines: lines.map(() => one) };
  const series = seriesOf(content, names, 8);
  const options = { along: { show: 'number' }, label: '', names } as const;
  return { specs: chartsOf(drawn, series, options), heads: trackCurves(drawn, series, names) };
}

it('a track has a scale for each of its curves, those of its channels or by the values in view', () => {
  const { specs } = tracks({ y: ['data.rhob', 'data.note', 'data.nphi'] });
  expect(
    specs.map(({ scales }) => scales.map(({ range, isLog }) => [range.from, range.to, isLog ?? false])),
  ).toEqual([
    [
      [1.95, 2.95, false],
      [0.45, -0.15, false],
    ],
    [[0, 2.5, false]],
  ]);
  expect(specs.map(({ axis, lines }) => [axis, lines.map(({ scale }) => scale)])).toEqual([
    [true, [0, 1]],
    [false, [0]],
  ]);
});

it('the heads of tracks, also in pictures, mark the ends of a scale where values are cut off, unless they are wrapped', () => {
  const y = ['data.rhob', 'data.nphi', 'data.note'];
  const cuts = (curves = {}) =>
    tracks({ y, curves })
      .specs.flatMap(({ scales }) => scales.map(headLimits))
      .map(({ left, right }) => [left.startsWith('‹'), right.endsWith('›')]);
  // The values are 0.1 to 2.5; the scale of the second one is reversed.
  expect(cuts()).toEqual([
    [true, false],
    [true, false],
    [false, false],
  ]);
  expect(cuts({ 'data.rhob': { isWrapped: true } })[0]).toEqual([false, false]);
});

it('a curve is filled up to another one of the same well', () => {
  const y = ['data.rhob', 'data.nphi'];
  const curves = { 'data.rhob': { fill: { to: 'curve', field: 'data.nphi' } } } as const;
  const { specs } = tracks({ y, curves }, ['1', '2']);
  expect(specs[0]?.lines.map(({ fill }) => fill)).toEqual([
    { to: 'line', line: 2 },
    { to: 'line', line: 3 },
    undefined,
    undefined,
  ]);
  const apart = tracks({ y, curves, tracks: y.map((field) => [field]) });
  expect(apart.specs.flatMap(({ lines }) => lines.map(({ fill }) => fill))).toEqual([undefined, undefined]);
});

it('wells have colors and curves of a track have patterns; with one well, curves have colors', () => {
  const y = ['data.rhob', 'data.nphi'];
  const look = (wells: readonly string[]) => {
    const { specs, heads } = tracks({ y }, wells);
    return [
      specs[0]?.lines.map(({ color, dash }) => [color, dash]),
      heads[0]?.map(({ color, dash }) => [color, dash]),
    ];
  };
  expect(look(['1'])).toEqual([
    [
      [0, 0],
      [1, 0],
    ],
    [
      [0, 0],
      [1, 0],
    ],
  ]);
  expect(look(['1', '2'])).toEqual([
    [
      [1, 0],
      [2, 0],
      [1, 1],
      [2, 1],
    ],
    [
      [null, 0],
      [null, 1],
    ],
  ]);
});

it('a range by the values has even ends', () => {
  expect(evenRange({ from: 28.93, to: 66.5 })).toEqual({ from: 20, to: 70 });
  expect(evenRange({ from: 0.012, to: 0.034 })).toEqual({ from: 0.01, to: 0.035 });
  expect(evenRange({ from: 5, to: 5 })).toEqual({ from: 4.4, to: 5.6 });
});

it('the paths of a well have its color, and a pattern each', () => {
  const names = {
    field: statementNames,
    unitOf: () => undefined,
    wellName: (well: string) => `Well ${well}`,
  };
  const range = { from: 0, to: 1 };
  const facts = { field: 0, count: 1, tokens: 0, repeated: 0, positive: { x: 1, y: 1 } };
  const content = {
    choice: {
      kind: 'scatter' as const,
      x: 'vs',
      y: ['tvd'],
      align: 'recorded' as const,
      plan: { x: 'east', y: 'north' },
    },
    isPath: true,
    changes: {},
    axis: '',
    rows: 4,
    part: null,
    groups: [
      ['7', 'plan'],
      ['8', 'plan'],
      ['7', 'MWD'],
      ['8', 'MWD'],
    ],
    groupsLeft: 0,
    lines: [0, 1, 2, 3].map((group) => ({ ...facts, group, extent: { x: range, y: range } })),
    gaps: [],
    extent: { x: range, y: range },
    colorRange: null,
  };
  const series = seriesOf(content, names, 8);
  expect(series.map(({ dash }) => dash)).toEqual([0, 0, 1, 1]);
  expect(new Set(series.map(({ color }) => color)).size).toBe(2);
  expect(series[0]?.color).toBe(series[2]?.color);
  expect(series.map(({ name }) => name)).toEqual([
    'Well 7 · plan, tvd',
    'Well 8 · plan, tvd',
    'Well 7 · MWD, tvd',
    'Well 8 · MWD, tvd',
  ]);
});
