import { beforeEach, expect, it, vi } from 'vitest';
import type { ChartSpec } from '../../../../src/renderer/ui/plot/chart-spec.ts';
import { chartOptions } from '../../../../src/renderer/ui/plot/options.ts';

beforeEach(() => vi.stubGlobal('devicePixelRatio', 1));

const colors = {
  text: '',
  limit: '',
  line: '',
  mainLine: '',
  surface: '',
  gap: '',
  series: [''],
  steps: [],
};
const spec: ChartSpec = {
  shape: 'lines',
  along: { show: 'number' },
  label: 'Depth',
  range: { from: 0, to: 1 },
  axis: true,
  scales: [
    { label: 'Resistivity of the deep laterolog', range: { from: 1, to: 1000 }, isLog: true },
    { label: 'Rate', range: { from: 0, to: 1 } },
  ],
  lines: [],
};

/** The labels of the marks and the name of the logarithmic axis of a chart of this height. */
function axisTexts(height: number, times: number) {
  const { axes = [] } = chartOptions(() => spec, colors, { width: 100, height: 100 }, times);
  const axis = axes[1];
  const u = { bbox: { width: height, height }, scales: { v0: { min: 1, max: 1000 } }, axes };
  const marks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 50, 100, 1000];
  return [
    axis?.filter?.(u as never, marks, 1, 0, 0),
    typeof axis?.label === 'function' && axis.label(u as never, 1, 0, 0),
  ];
}

it('a picture has the same texts beside an axis as the screen, however many pixels it has', () => {
  const screen = axisTexts(150, 1);
  expect(screen).toEqual([
    [1, null, null, null, null, null, null, null, null, 10, null, null, 100, 1000],
    'Resistivity of the d…',
  ]);
  expect(axisTexts(300, 2)).toEqual(screen);
});
