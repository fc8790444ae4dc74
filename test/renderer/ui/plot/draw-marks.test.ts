import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChartMark, ChartSpec } from '../../../../src/renderer/ui/plot/chart-spec.ts';
import { drawLimits, drawMarks } from '../../../../src/renderer/ui/plot/options.ts';

beforeEach(() => vi.stubGlobal('devicePixelRatio', 1));
afterEach(() => vi.unstubAllGlobals());

const mark = (text: string, from: number, to: number | null = null): ChartMark => ({
  text,
  from,
  to,
  color: null,
});

/** The measures of a text that aren't used. */
const otherMeasures = {
  actualBoundingBoxAscent: 0,
  actualBoundingBoxDescent: 0,
  actualBoundingBoxLeft: 0,
  actualBoundingBoxRight: 0,
  alphabeticBaseline: 0,
  emHeightAscent: 0,
  emHeightDescent: 0,
  fontBoundingBoxAscent: 0,
  fontBoundingBoxDescent: 0,
  hangingBaseline: 0,
  ideographicBaseline: 0,
};

const ignored = () => undefined;
/** Draws nothing. */
const pen = {
  fillStyle: '',
  strokeStyle: '',
  lineJoin: 'round' as const,
  lineDashOffset: 0,
  lineWidth: 1,
  globalAlpha: 1,
  font: '',
  textAlign: 'left' as const,
  textBaseline: 'middle' as const,
  save: ignored,
  restore: ignored,
  beginPath: ignored,
  closePath: ignored,
  rect: ignored,
  clip: ignored,
  fill: ignored,
  setLineDash: ignored,
  stroke: ignored,
  translate: ignored,
  moveTo: ignored,
  lineTo: ignored,
  fillRect: ignored,
  fillText: ignored,
  measureText: (text: string) => ({ ...otherMeasures, width: text.length * 6 }),
};

/** The names with their places, and the number of rectangles, in a plot of 200 by 100 pixels from 0 to 100. */
function drawn(marks: readonly ChartMark[], more: Partial<ChartSpec> = {}) {
  const names: [text: string, left: number, top: number][] = [];
  const areas: number[][] = [];
  const ctx = {
    ...pen,
    fillRect: (...area: number[]) => areas.push(area),
    fillText: (text: string, left: number, top: number) => names.push([text, left, top]),
  };
  const range = { from: 0, to: 100 };
  const spec = { shape: 'track' as const, axis: true, range, scales: [{ label: '', range }], marks, ...more };
  drawMarks({ ctx, bbox: { left: 0, top: 0, width: 200, height: 100 } }, spec, {
    text: 'black',
    surface: 'white',
    series: ['red'],
  });
  return { names, areas };
}

describe('marks', () => {
  it('are lines across a track with their names, which never cover one another', () => {
    const { names } = drawn([
      mark('Rustler', 10),
      mark('Salado', 12),
      mark('Wolfcamp', 60),
      mark('Deep', 140),
    ]);
    expect(names.map(([text]) => text)).toEqual(['Rustler', 'Wolfcamp']);
  });

  it('have no names in the tracks after the first', () => {
    const { names, areas } = drawn([mark('Rustler', 10)], { axis: false });
    expect(names).toEqual([]);
    expect(areas).toEqual([[0, 10, 200, 1]]);
  });

  it('are bands where they have two ends, also beyond the part in view', () => {
    const { names, areas } = drawn([mark('Surface', -50, 40)]);
    expect(areas.slice(0, 2)).toEqual([
      [0, 0, 200, 40],
      [0, 40, 200, 1],
    ]);
    expect(names).toHaveLength(1);
    expect(drawn([mark('Below', 120, 140)]).areas).toEqual([]);
  });

  it('have names in several rows over a time axis', () => {
    const { names } = drawn([mark('Stage 1', 10), mark('Trip', 11), mark('Stage 2', 40)], { shape: 'lines' });
    expect(names.map(([text, , top]) => [text, top])).toEqual([
      ['Stage 1', 7],
      ['Trip', 21],
      ['Stage 2', 7],
    ]);
  });

  it('are on the axis upwards of a crossplot with depths there', () => {
    const { names } = drawn([mark('Rustler', 30), mark('Salado', 50)], {
      shape: 'dots',
      areMarksAcross: true,
    });
    // The deeper one is further up.
    expect(names.map(([text, , top]) => [text, top])).toEqual([
      ['Salado', 58],
      ['Rustler', 78],
    ]);
  });
});

describe('limits', () => {
  it('are lines at their values, across a chart and along a track', () => {
    const ends: number[][] = [];
    const draw = (shape: 'lines' | 'track') => {
      ends.length = 0;
      const note = (...at: number[]) => ends.push(at);
      const ctx = { ...pen, moveTo: note, lineTo: note };
      const scales = [{ label: '', range: { from: 0, to: 100 }, limits: [25, 80] }];
      drawLimits({ ctx, bbox: { left: 10, top: 0, width: 200, height: 100 } }, { shape, scales }, 'red');
      return ends;
    };
    expect(draw('lines')).toEqual([
      [10, 75],
      [210, 75],
      [10, 20],
      [210, 20],
    ]);
    expect(draw('track')).toEqual([
      [60, 0],
      [60, 100],
      [170, 0],
      [170, 100],
    ]);
  });
});
