import { describe, expect, it } from 'vitest';
import { createPathTree, RecordScanner } from '../../../../src/main/core/records/scan.ts';
import {
  createUnitConverter,
  layoutIn,
  type UnitChanges,
} from '../../../../src/main/core/records/unit-changes.ts';
import { changeOf, displayRows } from '../../../../src/shared/channels/unit-systems.ts';
import { csvLayout } from '../../../../src/shared/csv.ts';
import { converter, shownUnit, unitOf } from '../../../../src/shared/channels/units.ts';

const changes: UnitChanges = {
  'data.rop': { from: 'ft/h', to: 'm/h' },
  measured_depth: { from: 'ft', to: 'm' },
  'data.temp': { from: 'degF', to: 'degC' },
};

/** The records of a page in other units. */
function converted(page: string, records: readonly number[], units = changes): string {
  const tree = createPathTree();
  const scanned = new RecordScanner({ tree, keyField: null }).scanArray(page);
  return Buffer.from(createUnitConverter(units, tree)(scanned, records)).toString();
}

it('a heading has the unit of converted numbers where others have units, or its name has the unit before', () => {
  const { units, ...layout } = csvLayout.parse({ units: { 'data.rop': 'ft/h', 'data.wob': 'klbf' } });
  expect(layoutIn({ ...layout, units }, changes).units).toEqual({
    'data.rop': 'm/h',
    measured_depth: 'm',
    'data.temp': '°C',
    'data.wob': 'klbf',
  });
  const named = { ...changes, 'data.WOB (klbf)': { from: 'klbf', to: 'kN' } };
  expect(Object.keys(layoutIn({ ...layout, units: {} }, named).units)).toEqual(['data.WOB (klbf)']);
});

describe('records in other units', () => {
  it('have the converted numbers, and all other bytes unchanged', () => {
    expect(
      converted(
        '[{"_id":"a","measured_depth":1000, "data":{"rop":10.0,"n":1.50,"temp":32}},{"_id":"b","measured_depth":-1,"data":{"rop":null}}]',
        [0, 1],
      ),
    ).toBe(
      '[{"_id":"a","measured_depth":304.8, "data":{"rop":3.048,"n":1.50,"temp":0}},{"_id":"b","measured_depth":-0.3048,"data":{"rop":null}}]',
    );
  });

  it('are null where no number holds them', () => {
    expect(
      converted('[{"x":1e308},{"x":-1e308},{"x":1e999},{"x":1e307}]', [0, 1, 2, 3], {
        x: { from: 'm', to: 'ft' },
      }),
    ).toBe('[{"x":null},{"x":null},{"x":null},{"x":3.28083989501312e+307}]');
  });

  it('keep null values, texts, and lists', () => {
    const page = '[{"data":{"rop":-999.25}},{"data":{"rop":"10"}},{"data":{"rop":[10]}}]';
    expect(converted(page, [0, 1, 2])).toBe(page);
  });

  it.each(
    displayRows.flatMap((row) =>
      row.slice(0, 3).flatMap((text = '') =>
        (['us', 'metric', 'si'] as const).flatMap((system) => {
          const change = changeOf(text, system, 'x');
          return change ? [[text, change.to.symbol, converter(change.from, change.to)] as const] : [];
        }),
      ),
    ),
  )('in %s are converted to %s', (from, to, convert) => {
    expect(converted('[{"x":1234.5}]', [0], { x: { from, to } })).toBe(`[{"x":${convert?.(1234.5)}}]`);
  });

  it('are of another size only where they are differences of temperatures, not of another zero', () => {
    const field = 'data.temperature_difference';
    for (const [system, value] of [
      ['metric', '1'],
      ['degC', '1'],
      ['si', '1'],
      ['degR', '1.8'],
    ] as const) {
      const { from, to } = changeOf('°F', system, field) ?? expect.fail();
      const page = '[{"data":{"temperature_difference":1.8}}]';
      for (const text of ['°F', from.symbol])
        expect(converted(page, [0], { [field]: { from: text, to: to.symbol } }), system).toBe(
          page.replace('1.8', value),
        );
      expect(shownUnit(to)).toBe(
        shownUnit(unitOf(system === 'metric' ? 'degC' : system === 'si' ? 'K' : system) ?? to),
      );
    }
  });

  it('include only those at the given positions', () => {
    expect(converted('[{"measured_depth":1},{"measured_depth":2},{"measured_depth":3}]', [1])).toBe(
      '[{"measured_depth":0.6096}]',
    );
  });
});
