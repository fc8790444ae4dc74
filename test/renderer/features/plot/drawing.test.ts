import { expect, it } from 'vitest';
import { chartsOf, seriesOf } from '../../../../src/renderer/features/plot/drawing.ts';
import { shownNames } from '../../../../src/renderer/features/plot/use-names.ts';
import { unitChanges } from '../../../../src/renderer/features/records/unit-changes.ts';
import type { UnitSystem } from '../../../../src/shared/channels/unit-systems.ts';

/** The titles of the axes of a plot of fields with these units. */
function axes(units: Readonly<Record<string, string | undefined>>, system: UnitSystem | 'stored' = 'stored') {
  const fields = Object.keys(units);
  const stored = { unitOf: (id: string) => units[id], wellName: () => undefined };
  const names = shownNames(stored, unitChanges(Object.entries(units), system), new Map());
  const range = { from: 0, to: 1 };
  const facts = { group: 0, count: 1, tokens: 0, repeated: 0, extent: { x: range, y: range } };
  const content = {
    choice: { kind: 'lines', x: 'timestamp', y: fields, align: 'recorded' },
    changes: {},
    axis: '',
    rows: 1,
    part: null,
    groups: [[]],
    groupsLeft: 0,
    lines: fields.map((_, field) => ({ ...facts, field })),
    gaps: [],
    extent: { x: range, y: range },
  } as const;
  const one = { x: Float64Array.of(0), y: Float64Array.of(0), exact: true, values: range };
  const drawn = { content, part: { x: range }, lines: fields.map(() => one) };
  const options = { along: { show: 'number' }, label: '', names } as const;
  return chartsOf(drawn, seriesOf(content, names, 8), options).flatMap(({ scales }) =>
    scales.map(({ label }) => label),
  );
}

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
