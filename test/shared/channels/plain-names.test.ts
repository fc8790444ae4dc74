import { describe, expect, it } from 'vitest';
import { channels } from '../../../src/shared/channels/channels.ts';
import { channelName, fieldNamesOf, plainName } from '../../../src/shared/channels/plain-names.ts';

describe('plainName', () => {
  it('is the channel as an engineer says it', () => {
    expect(
      ['data.weight_on_bit', 'data.rop', 'data.rotary_rpm', 'data.diff_press', 'data.tvd'].map(plainName),
    ).toEqual(['Weight on bit', 'ROP', 'Rotary RPM', 'Differential pressure', 'TVD']);
  });

  it('of a mnemonic has the mnemonic, so that two fields of one channel differ', () => {
    expect(['data.WOBA', 'data.wob', 'data.0110'].map(plainName)).toEqual([
      'Weight on bit (WOBA)',
      'Weight on bit (wob)',
      'Hole depth (0110)',
    ]);
  });

  it('of a mnemonic that can mean several channels is the mnemonic', () => {
    expect(['data.TQ', 'data.FLOW', 'data.DEPT'].map(plainName)).toEqual(['TQ', 'FLOW', 'DEPT']);
  });

  it('of a field without an entry has its words; what isn’t words stays', () => {
    expect(
      ['data.crew_name', 'data.Hole Depth', 'data.XQ7', 'data.gr', String.raw`data.a\.b`].map(plainName),
    ).toEqual(['Crew name', 'Hole Depth', 'XQ7', 'Gamma ray (gr)', 'a.b']);
  });

  it('of a field of the record itself is its meaning', () => {
    expect(['timestamp', 'measured_depth', 'asset_id', 'metadata.asset_id'].map(plainName)).toEqual([
      'Time',
      'Measured depth',
      'Asset ID',
      'Asset ID',
    ]);
  });

  it('has the objects that contain the field', () => {
    expect(plainName('data.motor.rpm_2')).toBe('Motor: RPM 2');
    expect(plainName('extra.note_text')).toBe('Extra: Note text');
  });

  it('leaves a calculated column and a column of a statement as they were named', () => {
    expect(plainName('rop_smooth')).toBe('rop_smooth');
  });

  it('differs for all channels', () => {
    const names = channels.map(({ name }) => channelName(name));
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[A-Z0-9]/.test(name))).toEqual([]);
  });
});

describe('fieldNamesOf', () => {
  const renamed = { 'data.weight_on_bit': 'Bit load' };
  const lines = (...args: Parameters<typeof fieldNamesOf>) =>
    ['data.weight_on_bit', 'data.rop', 'timestamp'].map((path) => fieldNamesOf(...args)(path).line);

  it('names fields in the form of the setting, with the names that the user gave them', () => {
    expect(lines('plain', renamed)).toEqual(['Bit load', 'ROP', 'Time']);
    expect(lines('both', renamed)).toEqual(['Bit load (weight_on_bit)', 'ROP (rop)', 'Time (timestamp)']);
    expect(lines('fields', renamed)).toEqual(['weight_on_bit', 'rop', 'timestamp']);
  });

  it('has the field apart, for a second line', () => {
    expect(fieldNamesOf('both', {})('data.rop')).toMatchObject({ text: 'ROP', leaf: 'ROP', field: 'rop' });
    expect(fieldNamesOf('plain', {})('data.rop').field).toBeNull();
  });
});
