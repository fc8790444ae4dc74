import { describe, expect, it } from 'vitest';
import {
  meantPath,
  skipTarget,
  targetOptions,
} from '../../../../../src/renderer/features/upload/columns/targets.ts';
import type { UploadField } from '../../../../../src/shared/upload/proposals.ts';
import { uploadWords } from '../../../../../src/renderer/words/upload.ts';
import { noSynonyms, synonymsOf } from '../../../../../src/shared/channels/channels.ts';

const match = { targets: ['asset_id', 'timestamp', 'measured_depth'] };
const fields: UploadField[] = [
  { path: 'timestamp', unit: 'ms', description: 'instant of a sample' },
  { path: 'data.hole_depth', unit: 'ft' },
  { path: 'data.wobavg', unit: 'klbf' },
  { path: 'data.stations.md', unit: 'ft', description: 'Depth of the station' },
  { path: 'data.code' },
];
const found = (typed: string) => targetOptions(match, fields, typed, noSynonyms).map(({ id }) => id);
const noteOf = (path: string) => targetOptions(match, fields, path, noSynonyms)[0]?.note;

describe('the list of target fields', () => {
  it('has the fields of the envelope in front, then those of the dataset, and the option to skip', () => {
    expect(found('')).toEqual([...match.targets, ...fields.slice(1).map(({ path }) => path), skipTarget]);
  });

  it('says the unit and the meaning of each', () => {
    expect(noteOf('data.hole_depth')).toBe('ft · Hole depth');
    expect(noteOf('data.wobavg')).toBe('klbf · Weight on bit');
    expect(noteOf('timestamp')).toBe('ms · instant of a sample');
    expect(noteOf('data.code')).toBeUndefined();
  });

  it.each([
    ['hole', 'data.hole_depth'],
    ['hole dep', 'data.hole_depth'],
    ['DMEA', 'data.hole_depth'],
    ['weight on', 'data.wobavg'],
    ['SWOB', 'data.wobavg'],
    ['klbf', 'data.wobavg'],
    ['station', 'data.stations.md'],
    [uploadWords.columns.well.toLowerCase(), 'asset_id'],
  ])('is searched by name, description, mnemonic, and unit: %s', (typed, path) => {
    expect(found(typed)[0]).toBe(path);
  });

  it('is searched by channels that the user has named', () => {
    const named = (typed: string) =>
      targetOptions(match, fields, typed, synonymsOf({ gamma_ray: ['code'] })).map(({ id }) => id);
    expect(found('gamma')).toEqual([]);
    expect(named('gamma')).toEqual(['data.code']);
  });

  it('means the field of the dataset where its name is typed without its path', () => {
    expect(meantPath('hole_depth', match, fields)).toBe('data.hole_depth');
    for (const typed of ['timestamp', 'data.hole_depth', 'new_field', 'data.new'])
      expect(meantPath(typed, match, fields)).toBe(typed);
  });
});
