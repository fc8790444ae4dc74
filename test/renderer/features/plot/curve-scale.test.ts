import { describe, expect, it } from 'vitest';
import {
  changedStyle,
  curveFillOf,
  curveScaleOf,
  type CurveFacts,
} from '../../../../src/renderer/features/plot/curve-scale.ts';
import { channelOf, noSynonyms, channels } from '../../../../src/shared/channels/channels.ts';
import { logScaleOf } from '../../../../src/shared/channels/log-scales.ts';
import { unitNamed } from '../../../../src/shared/channels/units.ts';

const facts = (name: string, unit: string | undefined, from: number, to: number): CurveFacts => ({
  unit,
  channel: channelOf(name, { synonyms: noSynonyms, unit })?.channel ?? null,
  all: { from, to },
});
const scaleOf = (...given: Parameters<typeof facts>) => {
  const scale = curveScaleOf(undefined, facts(...given));
  return scale && [scale.left, scale.right, scale.isLog];
};

describe('the default scale of a curve', () => {
  it('is the one on which logs print its channel', () => {
    expect(scaleOf('gr', 'gAPI', 3, 1500)).toEqual([0, 150, false]);
    expect(scaleOf('ild', 'ohm.m', 0.07, 1900)).toEqual([0.2, 2000, true]);
    expect(scaleOf('lls', undefined, 1, 30)).toEqual([0.2, 2000, true]);
    expect(scaleOf('rhob', 'g/cm3', 1.99, 3)).toEqual([1.95, 2.95, false]);
    expect(scaleOf('nphi', 'v/v', 0.05, 15)).toEqual([0.45, -0.15, false]);
  });

  it('is in the unit of the values', () => {
    expect(scaleOf('nphi', '%', 5, 40)).toEqual([45, -15, false]);
    expect(scaleOf('rhob', 'kg/m3', 1990, 3000)).toEqual([1950, 2950, false]);
    expect(scaleOf('cali', 'mm', 200, 311)).toEqual([152.4, 406.4, false]);
    expect(scaleOf('dt', 'us/m', 200, 500)).toEqual([787.4, 131.2, false]);
  });

  it('without a unit is the one that the values fit, or none', () => {
    expect(scaleOf('nphi', undefined, 0.01, 0.6)).toEqual([0.45, -0.15, false]);
    expect(scaleOf('nphi', undefined, 0.01, 60)).toEqual([45, -15, false]);
    expect(scaleOf('rhob', undefined, 1900, 2800)).toBeNull();
  });

  it('isn’t used where no value would be seen, the unit is another one, or the channel has none', () => {
    expect(scaleOf('gr', 'gAPI', 400, 900)).toBeNull();
    expect(scaleOf('ild', 'ohm.m', -5, 0)).toBeNull();
    expect(scaleOf('gr', 'psi', 1, 100)).toBeNull();
    expect(scaleOf('hook_load', 'klbf', 1, 100)).toBeNull();
    expect(curveScaleOf(undefined, { ...facts('gr', 'gAPI', 0, 1), all: null })).toBeNull();
  });

  it('has a unit of its channel in the unit table', () => {
    for (const channel of channels) {
      const scale = logScaleOf(channel);
      if (scale)
        expect([channel.name, unitNamed(scale.unit)?.quantity]).toEqual([channel.name, channel.quantity]);
    }
  });
});

describe('the scale that the user set', () => {
  const scale = { left: 0.2, right: 20, isLog: true };
  it('comes first, and follows the shown unit', () => {
    expect(curveScaleOf({ scale }, facts('ild', 'ohm.m', 1, 2))).toEqual(scale);
    expect(curveScaleOf({ scale: 'auto' }, facts('ild', 'ohm.m', 1, 2))).toBeNull();
    const feet = { scale: { left: 0, right: 100, isLog: false }, unit: 'ft/h' };
    expect(curveScaleOf(feet, facts('rop', 'm/h', 1, 2))).toEqual({ left: 0, right: 30.48, isLog: false });
    expect(curveScaleOf(feet, facts('rop', undefined, 1, 2))).toEqual(feet.scale);
  });

  it('so does the value up to which a curve is filled', () => {
    const style = { fill: { to: 'value' as const, value: 100 }, unit: 'ft/h' };
    expect(curveFillOf(style, facts('rop', 'm/h', 1, 2))).toEqual({ to: 'value', value: 30.48 });
    expect(curveFillOf(undefined, facts('rop', 'm/h', 1, 2))).toEqual({ to: 'none' });
  });

  it('stays the same in another unit while another property is changed', () => {
    const fill = { to: 'value' as const, value: 100 };
    const style = { scale: { left: 0, right: 100, isLog: false }, fill, unit: 'ft/h' };
    const shown = facts('rop', 'm/h', 1, 2);
    expect(changedStyle(style, { isWrapped: true }, shown)).toEqual({
      scale: { left: 0, right: 30.48, isLog: false },
      fill: { to: 'value', value: 30.48 },
      isWrapped: true,
      unit: 'm/h',
    });
    expect(changedStyle(style, { scale: 'auto' }, shown)).toMatchObject({
      scale: 'auto',
      fill: { to: 'value', value: 30.48 },
    });
    expect(changedStyle(style, { isWrapped: true }, facts('rop', undefined, 1, 2))).toEqual({
      ...style,
      isWrapped: true,
    });
    expect(changedStyle(undefined, { isWrapped: true }, shown)).toEqual({ isWrapped: true, unit: 'm/h' });
  });
});
