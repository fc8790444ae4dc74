import { describe, expect, it } from 'vitest';
import { withUnitsOfFile } from '../../../src/shared/upload/units.ts';
import type { ColumnMapping } from '../../../src/shared/upload/upload.ts';
import { noMapping } from '../../../src/main/core/mapping/decisions.ts';

/** A column WOB of an earlier file, in a file in which it has another unit. */
function inFile(wanted: Partial<ColumnMapping>, before: string | null | undefined, now: string | null) {
  const { mapping, differences } = withUnitsOfFile(
    {
      header: ['Time', 'WOB'],
      ...(before === undefined ? {} : { units: [null, before] }),
      mapping: { ...noMapping, columns: { WOB: { to: 'data.weight_on_bit', ...wanted } } },
    },
    new Map([['Time', null], ['WOB', now]]), // oxfmt-ignore
  );
  const { to: _, ...rest } = mapping.columns['WOB'] ?? { to: '' };
  return { ...rest, differences: differences.map(({ isConverted }) => isConverted) };
}
const toNewtons = { unit: 'klbf', fieldUnit: 'kN' };

describe('a mapping of an earlier file with the same header', () => {
  it('applies as it is where the unit is the same, in any spelling', () => {
    expect(inFile(toNewtons, 'klbf', 'k-lbs')).toEqual({ ...toNewtons, differences: [] });
    expect(inFile({}, 'kN', 'kN')).toEqual({ differences: [] });
  });

  it('converts from the unit of this file, and says so', () => {
    expect(inFile(toNewtons, 'klbf', 'daN')).toEqual({ unit: 'daN', fieldUnit: 'kN', differences: [true] });
    // Stored before units were: its conversion tells the unit.
    expect(inFile(toNewtons, undefined, 'daN')).toMatchObject({ unit: 'daN', differences: [true] });
  });

  it('converts into the unit that the field got without a conversion', () => {
    expect(inFile({}, 'klbf', 'kN')).toEqual({ unit: 'kN', fieldUnit: 'klbf', differences: [true] });
  });

  it('stores as it is what the user stores as it is', () => {
    expect(inFile({ convert: false }, 'ft', 'm')).toEqual({ convert: false, differences: [false] });
  });

  it('drops the conversion if this file has the unit of the field', () => {
    expect(inFile(toNewtons, 'klbf', 'kN')).toEqual({ differences: [false] });
  });

  it('drops a conversion that is impossible, and says so', () => {
    expect(inFile(toNewtons, 'klbf', 'psi')).toEqual({ differences: [false] });
  });

  it('keeps the conversion of a file without units, and says so', () => {
    expect(inFile(toNewtons, 'klbf', null)).toEqual({ ...toNewtons, differences: [true] });
    expect(inFile({}, 'klbf', null)).toEqual({ differences: [] });
  });
});
