import { expect, it } from 'vitest';
import { noSynonyms, synonymsOf } from '../../../../src/shared/channels/channels.ts';
import { fieldSearch, matchingFields } from '../../../../src/renderer/features/datasets/field-options.ts';

const paths = [
  'data.weight_on_bit',
  'data.WOBA',
  'data.hook_load',
  'data.standpipe_pressure',
  'data.rotary_torque',
  'data.TQA',
  'data.gamma_ray',
  'data.remark',
];
const options = paths.map((id) => ({ id, text: id.slice('data.'.length) }));
const found = (typed: string, synonyms = noSynonyms) =>
  matchingFields(options, typed, synonyms).map(({ text }) => text);

it.each([
  ['WOB', ['weight_on_bit', 'WOBA']],
  ['weight on bit', ['weight_on_bit', 'WOBA']],
  ['bit weight', ['weight_on_bit', 'WOBA']],
  ['hookload', ['hook_load']],
  ['SPP', ['standpipe_pressure']],
  ['GR', ['gamma_ray']],
  ['Remark', ['remark']],
  ['slips', []],
  ['', paths.map((path) => path.slice('data.'.length))],
])('a search for “%s” finds the fields that an engineer means', (typed, expected) => {
  expect(found(typed)).toEqual(expected);
});

it('a field is found by a name of its channel that the user has added', () => {
  const synonyms = synonymsOf({ hook_load: ['indicator'] });
  expect(found('Indicator')).toEqual([]);
  expect(found('Indicator', synonyms)).toEqual(['hook_load']);
  expect(fieldSearch('psi', noSynonyms)('data.standpipe_pressure', ['psi'])).toBe(true);
});
