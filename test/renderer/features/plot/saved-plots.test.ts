import { describe, expect, it } from 'vitest';
import { absentFields, fittingPlot } from '../../../../src/renderer/features/plot/plot-bar.tsx';
import type { PlotChoice } from '../../../../src/shared/tabs/plot.ts';
import { noSynonyms, synonymsOf } from '../../../../src/shared/channels/channels.ts';

const plot: PlotChoice = {
  kind: 'tracks',
  x: 'measured_depth',
  y: ['data.rop', 'data.weight_on_bit', 'data.gr'],
  align: 'recorded',
  tracks: [['data.rop', 'data.weight_on_bit'], ['data.gr']],
  curves: {
    'data.gr': { scale: { left: 0, right: 150, isLog: false }, unit: 'gAPI' },
    'data.rop': { fill: { to: 'curve', field: 'data.weight_on_bit' } },
  },
};
const fields = (...ids: string[]) => ids.map((id) => ({ id, kind: 'number' as const }));

describe('the plot of a saved query', () => {
  it('fits records that have all its fields, as it is', () => {
    const more = fields('measured_depth', 'data.rop', 'data.weight_on_bit', 'data.gr', 'data.hook_load');
    expect(fittingPlot(plot, more, noSynonyms)).toEqual(plot);
  });

  it('takes the fields of the same channels, with their scales and fills', () => {
    expect(fittingPlot(plot, fields('measured_depth', 'ROPA', 'WOB', 'data.gamma_ray'), noSynonyms)).toEqual({
      ...plot,
      y: ['ROPA', 'WOB', 'data.gamma_ray'],
      tracks: [['ROPA', 'WOB'], ['data.gamma_ray']],
      curves: {
        'data.gamma_ray': plot.curves?.['data.gr'],
        ROPA: { fill: { to: 'curve', field: 'WOB' } },
      },
    });
  });

  it('takes fields by names that the user has added', () => {
    const log = fields('measured_depth', 'ROPA', 'WOB', 'Z7');
    expect(fittingPlot(plot, log, noSynonyms)).toBeNull();
    expect(fittingPlot(plot, log, synonymsOf({ gamma_ray: ['z 7'] }))?.y).toEqual(['ROPA', 'WOB', 'Z7']);
  });

  it('fits no records that have one field for two of its own', () => {
    const two: PlotChoice = { kind: 'lines', x: 'timestamp', y: ['data.rop', 'ROPA'], align: 'recorded' };
    expect(fittingPlot(two, fields('timestamp', 'data.rop', 'ROPA'), noSynonyms)).toEqual(two);
    expect(fittingPlot(two, fields('timestamp', 'data.rop'), noSynonyms)).toBeNull();
  });

  it('fits no records that lack one of its fields, its axis, or its color', () => {
    expect(
      fittingPlot(plot, fields('measured_depth', 'data.rop', 'data.weight_on_bit'), noSynonyms),
    ).toBeNull();
    expect(fittingPlot(plot, fields('data.rop', 'data.weight_on_bit', 'data.gr'), noSynonyms)).toBeNull();
    const color = {
      color: 'data.gr',
      isLogX: false,
      isLogY: false,
      hasRegression: false,
      hasHistograms: false,
    };
    const dots: PlotChoice = {
      kind: 'scatter',
      x: 'data.rop',
      y: ['data.weight_on_bit'],
      align: 'recorded',
      crossplot: color,
    };
    expect(fittingPlot(dots, fields('data.rop', 'data.weight_on_bit'), noSynonyms)).toBeNull();
    expect(absentFields(dots, fields('data.weight_on_bit'))).toEqual(['data.rop', 'data.gr']);
    const lines: PlotChoice = { ...dots, kind: 'lines' };
    expect(absentFields(lines, fields('data.weight_on_bit'))).toEqual(['data.rop']);
    expect(fittingPlot(lines, fields('data.rop', 'data.weight_on_bit'), noSynonyms)).toEqual(lines);
    const bars: PlotChoice = { ...dots, kind: 'bars' };
    expect(fittingPlot(bars, fields('data.weight_on_bit'), noSynonyms)).toEqual(bars);
    expect(
      fittingPlot(dots, fields('data.rop', 'data.weight_on_bit', 'GR'), noSynonyms)?.crossplot?.color,
    ).toBe('GR');
  });
});
