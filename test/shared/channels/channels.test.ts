import { describe, expect, test } from 'vitest';
import {
  channelNamed,
  channelOf,
  channels,
  noSynonyms,
  normalizedName,
  type Synonyms,
} from '../../../src/shared/channels/channels.ts';
import { headerParts, unitInName } from '../../../src/shared/channels/header.ts';
import { unitOf } from '../../../src/shared/channels/units.ts';

const meaningOf = (text: string, options: { unit?: string; synonyms?: Synonyms } = {}) =>
  channelOf(text, { synonyms: noSynonyms, ...options });

describe('the channel of a text', () => {
  test.each([
    ['WOB (k-lbs)', 'weight_on_bit'],
    ['weight on bit (kg)', 'weight_on_bit'],
    ['data.weight_on_bit', 'weight_on_bit'],
    ['data_weight_on_bit', 'weight_on_bit'],
    ['0116', 'weight_on_bit'],
    ['HKLA', 'hook_load'],
    ['HKLI', 'hook_load'],
    ['Hookload (k-lbs)', 'hook_load'],
    ['ROPA', 'rop'],
    ['DBTM', 'bit_depth'],
    ['Bit Depth (feet)', 'bit_depth'],
    ['DMEA', 'hole_depth'],
    ['SPPA', 'standpipe_pressure'],
    ['Pump Press (psi)', 'standpipe_pressure'],
    ['TQA', 'rotary_torque'],
    ['GR', 'gamma_ray'],
    ['data.ghcavg', 'gamma_ray'],
    ['RHOB', 'bulk_density'],
    ['Flow Out %', 'flow_out_percent'],
    ['Flow Out (gpm)', 'mud_flow_out'],
    ['Temp Out( degF)', 'mud_temperature_out'],
    ['Pit Total (bbls)', 'active_pit_volume'],
    ['total gas (units)', 'gas_units'],
    ['Total Gas (%)', 'total_gas'],
    ['md', 'measured_depth'],
    ['inc', 'inclination'],
    ['Inclin.', 'inclination'],
    ['P-PDG', 'bottomhole_pressure'],
  ])('%s is %s', (text, name) => {
    expect(meaningOf(text)).toMatchObject({ channel: { name }, isSure: true });
  });

  test.each(['TEMP', 'CALI', 'COND', 'TENSION', 'PUMP', 'DEN', 'SPM', 'TQ', 'N', 'PR'])(
    '%s alone is uncertain',
    (text) => {
      expect(meaningOf(text)).toMatchObject({ isSure: false });
    },
  );

  test.each(['TIME', 'Time', 'class', 'comment', '', '%', '12'])('“%s” isn’t a channel', (text) => {
    expect(meaningOf(text)).toBeUndefined();
  });

  test('has the statistic of an interval separately from the value', () => {
    expect(meaningOf('HKLX')).toMatchObject({ channel: { name: 'hook_load' }, statistic: 'max' });
    expect(meaningOf('HKLD_MIN')).toMatchObject({ channel: { name: 'hook_load' }, statistic: 'min' });
    expect(meaningOf('rop_mean')).toMatchObject({ channel: { name: 'rop' }, statistic: null });
    expect(meaningOf('Max TQ')).toMatchObject({
      channel: { name: 'rotary_torque' },
      statistic: 'max',
      isSure: false,
    });
  });

  test('is uncertain for a unit of another quantity', () => {
    expect(meaningOf('Surface Torque (psi)')).toMatchObject({
      channel: { name: 'rotary_torque' },
      isSure: false,
    });
    expect(meaningOf('GR', { unit: 'klbf' })).toMatchObject({ isSure: false });
    expect(meaningOf('GR', { unit: 'unheard-of' })).toMatchObject({ isSure: true });
  });

  test('is preferably one that the user has added', () => {
    const synonyms = new Map([[normalizedName('Gewicht auf Bit'), 'weight_on_bit']]);
    expect(meaningOf('Gewicht auf Bit (kN)', { synonyms })).toMatchObject({
      channel: { name: 'weight_on_bit' },
      isSure: true,
    });
    expect(meaningOf('Gewicht auf Bit max', { synonyms })).toMatchObject({
      channel: { name: 'weight_on_bit' },
      statistic: 'max',
    });
    expect(meaningOf('Gewicht auf Bit')).toBeUndefined();
  });
});

describe('the dictionary of channels', () => {
  test('has about 250 channels or more, each once, named like fields', () => {
    expect(channels.length).toBeGreaterThanOrEqual(250);
    expect(new Set(channels.map(({ name }) => name)).size).toBe(channels.length);
    for (const { name } of channels) expect(name).toMatch(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/);
  });

  test('has each standard name as a certain match of its own channel', () => {
    const unsure = channels
      .filter(({ name }) => meaningOf(name)?.channel.name !== name)
      .map(({ name }) => name);
    expect(unsure).toEqual([]);
    expect(channelNamed('rop')?.quantity).toBe('speed');
  });

  test('has a name of two channels as a certain match only with a unit', () => {
    expect(meaningOf('total gas')).toMatchObject({ isSure: false });
    expect(meaningOf('total gas', { unit: '%' })).toMatchObject({
      channel: { name: 'total_gas' },
      isSure: true,
    });
    expect(meaningOf('flow out')).toMatchObject({ isSure: false });
  });

  test('has limits in a unit of the channel’s quantity', () => {
    for (const { name, limits, quantity } of channels) {
      if (!limits) continue;
      expect(limits.min, name).toBeLessThan(limits.max);
      if (quantity === null) expect(limits.unit, name).toBe('');
      else expect(unitOf(limits.unit, quantity)?.symbol, name).toBe(limits.unit);
    }
  });
});

describe('the parts of a header', () => {
  test.each([
    ['ROP(ft/h)', 'ROP', 'ft/h'],
    ['Flow In(liters/min)', 'Flow In', 'liters/min'],
    ['Flow Out %', 'Flow Out', '%'],
    ['depth_ft', 'depth', 'ft'],
    ['ROP(1 ft)', 'ROP(1 ft)', null],
    ['GAM(NAT)', 'GAM(NAT)', null],
    ['data.rop', 'data.rop', null],
    ['Azimuth (TN) (deg)', 'Azimuth (TN)', 'deg'],
    ['Time, min', 'Time', 'min'],
    ['Production Rate, bpm', 'Production Rate', 'bpm'],
    ['Casing Pressure  (psi(a))', 'Casing Pressure', 'psi(a)'],
    ['Well Head Pressure [bar(g)]', 'Well Head Pressure', 'bar(g)'],
    ['Caliper Log (in)', 'Caliper Log', 'in'],
    ['sqrt(k/phi)', 'sqrt(k/phi)', null],
    ['Log(m)', 'Log(m)', null],
    ['Thorium, K', 'Thorium, K', null],
    ['Zone, upper', 'Zone, upper', null],
  ])('%s', (header, name, unit) => {
    expect(headerParts(header)).toEqual({ name, unit });
    expect(unitInName(header)).toBe(header === 'Flow Out %' || header === 'depth_ft' ? null : unit);
  });

  test('aren’t searched in what is too long for a name', () => {
    // A search would take minutes.
    expect(headerParts(`a,${' '.repeat(1e6)},`).unit).toBeNull();
    expect(unitInName(`a,${' '.repeat(1e6)},`)).toBeNull();
  });

  test.each([
    ['Depth (m MD RKB)', 'm'],
    ['Top (m TVD MSL)', 'm'],
    ['Base [ft, TVDSS]', 'ft'],
    ['Depth (MD RKB)', null],
    ['Depth (m from RKB)', null],
  ])('have the unit before what a depth is measured from: %s', (header, unit) => {
    expect(unitInName(header)).toBe(unit);
  });
});
