import { describe, expect, it } from 'vitest';
import { storedUnitsOf } from '../../../src/shared/datasets/fields.ts';
import { withFieldUnits, withoutOtherFieldUnits } from '../../../src/shared/upload/units.ts';
import { mapping } from '../../../src/shared/upload/upload.ts';

const units = storedUnitsOf([
  { path: 'data.hole_depth', unit: 'ft' },
  { path: 'data.weight_on_bit', unit: 'klbf' },
  { path: 'data.comment' },
]);

/** The entry of a column of meters after the units of the fields are applied. */
function entryOf(
  column: object | undefined,
  { to = 'data.hole_depth', unit = 'm' }: { to?: string; unit?: string | null } = {},
) {
  const original = mapping.parse({ columns: column ? { MD: { to, ...column } } : {} });
  return withFieldUnits(original, [{ column: 'MD', to, unit }], units).columns['MD'];
}

describe('units of fields', () => {
  it('are the target of a column in another unit, whether it is listed or goes there by its name', () => {
    const converted = { to: 'data.hole_depth', unit: 'm', fieldUnit: 'ft' };
    expect(entryOf(undefined)).toEqual(converted);
    expect(entryOf({ type: 'number' })).toEqual({ ...converted, type: 'number' });
    expect(entryOf({}, { to: 'data.weight_on_bit', unit: 'kN' })).toMatchObject({ fieldUnit: 'klbf' });
  });

  it('change nothing where a unit is unknown, the same, or of something else', () => {
    expect(entryOf(undefined, { unit: null })).toBeUndefined();
    expect(entryOf({}, { unit: 'feet' })).toEqual({ to: 'data.hole_depth' });
    expect(entryOf({}, { unit: 'psi' })).toEqual({ to: 'data.hole_depth' });
    expect(entryOf({}, { to: 'data.new_depth' })).toEqual({ to: 'data.new_depth' });
  });

  it('give way to what the mapping says', () => {
    expect(entryOf({ convert: false })).toEqual({ to: 'data.hole_depth', convert: false });
    expect(entryOf({ unit: 'm', fieldUnit: 'in' })).toMatchObject({ fieldUnit: 'in' });
    expect(entryOf({ fieldUnit: 'in' })).toMatchObject({ unit: 'm', fieldUnit: 'in' });
  });

  it('of another dataset don’t apply to fields with units of their own', () => {
    const stored = { 'data.rop': 'ft/h', 'data.bare': null };
    const entry = (to: string) =>
      withoutOtherFieldUnits(mapping.parse({ columns: { A: { to, unit: 'm/h', fieldUnit: 'm/s' } } }), stored)
        .columns['A']?.fieldUnit;
    expect([entry('data.rop'), entry('data.bare'), entry('data.new')]).toEqual([undefined, 'm/s', 'm/s']);
  });

  it('are applied once: the result needs no further change', () => {
    const columns = [{ column: 'MD', to: 'data.hole_depth', unit: 'm' }];
    const once = withFieldUnits(mapping.parse({}), columns, units);
    expect(withFieldUnits(once, columns, units)).toBe(once);
  });
});
