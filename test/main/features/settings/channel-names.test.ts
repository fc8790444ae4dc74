import { describe, expect, it } from 'vitest';
import { channelNamesText, withNamesOfFile } from '../../../../src/main/features/settings/settings.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';

const fileOf = (channels: unknown, more = {}) =>
  JSON.stringify({ kind: 'wellbench-channel-names', format: 1, channels, ...more });

/** The error of a rejected file. */
function refusal(text: string, stored = {}) {
  try {
    withNamesOfFile(stored, text, 'rig 7.json');
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('not refused');
}

describe('a file of channel names', () => {
  it('adds to the stored names, each once in any spelling', () => {
    const stored = { channelNames: { hook_load: ['Hakenlast'], weight_on_bit: ['Bohrdruck'] } };
    const added = { weight_on_bit: ['BOHRDRUCK (kN)', 'Gewicht'], rop: ['Fortschritt'] };
    expect(withNamesOfFile(stored, channelNamesText({ channelNames: added }), 'a.json')).toEqual({
      channelNames: {
        hook_load: ['Hakenlast'],
        weight_on_bit: ['Bohrdruck', 'Gewicht'],
        rop: ['Fortschritt'],
      },
    });
  });

  it('has the units of fields, if the user or uploads have set some', () => {
    const fieldUnits = { 'demo/logs': { 'data.cali': 'in', measured_depth: 'ft' } };
    const uploadedUnits = { 'demo/logs': { 'data.gr': 'gAPI' } };
    const text = channelNamesText({ fieldUnits, uploadedUnits });
    expect(withNamesOfFile({}, text, 'a.json')).toEqual({ channelNames: {}, fieldUnits, uploadedUnits });
    expect(refusal(fileOf({}, { units: { 'demo/logs': { 'data.cali': ' ' } } }))).toMatchObject({
      details: { issues: [{ place: { field: 'units.demo/logs.data.cali' } }] },
    });
  });

  it('leaves stored units and names of fields as they are', () => {
    const stored = {
      fieldUnits: { 'demo/logs': { 'data.cali': 'in' } },
      fieldNames: { 'demo/logs': { md: 'Tiefe' } },
    };
    const text = channelNamesText({
      fieldUnits: { 'demo/logs': { 'data.cali': 'mm', md: 'ft' } },
      fieldNames: { 'demo/logs': { md: 'Depth' }, 'demo/wits': { md: 'Depth' } },
    });
    expect(withNamesOfFile(stored, text, 'a.json')).toEqual({
      channelNames: {},
      fieldUnits: { 'demo/logs': { 'data.cali': 'in', md: 'ft' } },
      fieldNames: { 'demo/logs': { md: 'Tiefe' }, 'demo/wits': { md: 'Depth' } },
    });
  });

  it('may have a byte order mark and comments', () => {
    const text = `\uFEFF// Shared by the rigs\n${channelNamesText({ channelNames: { rop: ['Fortschritt'] } })}`;
    expect(withNamesOfFile({}, text, 'a.json')).toEqual({
      channelNames: { rop: ['Fortschritt'] },
    });
  });

  it.each<[string, string, object]>([
    ['a syntax error with its line', '{\n  kind: "wellbench-channel-names"\n  format 1 }', { line: 3 }],
    [
      'a channel that isn’t in the dictionary',
      fileOf({ weight_on_bitt: ['x'] }),
      { field: 'channels.weight_on_bitt' },
    ],
    [
      'a channel named like a member of every object',
      fileOf({ constructor: ['x'] }),
      { field: 'channels.constructor' },
    ],
    ['a name that isn’t text', fileOf({ rop: ['x', 7] }), { field: 'channels.rop.1' }],
    ['an empty name', fileOf({ rop: [' '] }), { field: 'channels.rop.0' }],
    ['a name without letters', fileOf({ rop: ['--'] }), { field: 'channels.rop' }],
    [
      'a name of two channels',
      fileOf({ rop: ['Druck'], hook_load: ['DRUCK'] }),
      { field: 'channels.hook_load' },
    ],
    ['a list', fileOf([]), { field: 'channels' }],
  ])('with %s is rejected, and the error names the position', (_what, text, place) => {
    const error = refusal(text);
    expect(error.details).toMatchObject({ issues: [{ place: { file: 'rig 7.json', ...place } }] });
  });

  it('is rejected if a stored name means another channel', () => {
    expect(refusal(fileOf({ rop: ['Druck'] }), { channelNames: { hook_load: ['Druck'] } }).message).toContain(
      'hook_load',
    );
  });

  it('is rejected as another type of file, or as one of a newer version', () => {
    expect(refusal('{ "connections": [] }').code).toBe('file_unsuitable');
    expect(refusal(fileOf({}, { format: 2 })).code).toBe('file_too_new');
  });
});
