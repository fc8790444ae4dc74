import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  displayRows,
  furtherUsUnits,
  unitIn,
  unitSystems,
} from '../../../src/shared/channels/unit-systems.ts';
import {
  convert,
  converter,
  factorOf,
  quantitiesOf,
  shownUnit,
  spellingOf,
  symbolText,
  unitOf,
  units,
  type Quantity,
  type Unit,
} from '../../../src/shared/channels/units.ts';

const unit = (symbol: string): Unit => {
  const found = units.find((each) => each.symbol === symbol);
  if (!found) throw new Error(`no unit ${symbol}`);
  return found;
};

/** Derived from the exact definitions in rational arithmetic, 18 digits; the base of each quantity is its SI unit. */
const exact: Readonly<Record<string, number>> = {
  ft: 0.3048,
  in: 0.0254,
  '0.1 in': 0.00254,
  '1/64 in': 0.000396875,
  '1/32 in': 0.00079375,
  mi: 1609.344,
  ftUS: 0.3048006096012192,
  in2: 0.00064516,
  ft2: 0.09290304,
  bbl: 0.158987294928,
  gal: 0.003785411784,
  ft3: 0.028316846592,
  in3: 0.000016387064,
  lb: 0.45359237,
  tonUS: 907.18474,
  lbf: 4.4482216152605,
  klbf: 4448.2216152605,
  kgf: 9.80665,
  tf: 9806.65,
  psi: 6894.757293168362,
  'psi(a)': 6894.757293168362,
  'kgf/cm2': 98066.5,
  atm: 101325,
  'lbf/100ft2': 0.47880258980335844,
  'psi/ft': 22620.594793859455,
  'lb/gal': 119.82642731689663,
  'lb/ft3': 16.018463373960138,
  'lb/bbl': 2.8530101742118243,
  'lb/Mgal': 0.11982642731689663,
  'gal/min': 0.0000630901964,
  'gal/h': 1.051503273333333e-6,
  'gal/stk': 0.003785411784,
  'bbl/stk': 0.158987294928,
  'ft/d': 3.527777777777778e-6,
  mmHg: 133.322387415,
  inHg: 3386.388640341,
  'mD.ft': 0.3048,
  'shots/ft': 3.280839895013123,
  'bbl/min': 0.0026497882488,
  'bbl/h': 0.00004416313748,
  'bbl/d': 1.8401307283333333e-6,
  'ft3/min': 0.0004719474432,
  'ft/h': 8.466666666666666e-5,
  'ft/min': 0.00508,
  'mi/h': 0.44704,
  knot: 0.5144444444444445,
  'us/ft': 3.2808398950131235e-6,
  'min/ft': 196.8503937007874,
  'lbf.ft': 1.3558179483314003,
  'klbf.ft': 1355.8179483314004,
  'lbf.in': 0.1129848290276167,
  'kgf.m': 9.80665,
  hp: 745.6998715822702,
  'lb/ft': 1.4881639435695537,
  'lb/min': 0.007559872833333333,
  'dB/ft': 3.2808398950131235,
  'bbl/ft': 0.52161186,
  'gal/ft': 0.01241933,
  klb: 453.59237,
  kpsi: 6894757.293168361,
  Mpsi: 6894757293.168361,
  'psi/1000ft': 22.620594793859453,
  'ft/s': 0.3048,
  mgn: 0.00980665,
  'rad/s': 0.15915494309189535,
  degF: 0.5555555555555556,
  degR: 0.5555555555555556,
  deltaF: 0.5555555555555556,
  deltaR: 0.5555555555555556,
  'degF/100ft': 0.018226888305628464,
  gon: 0.015707963267948967,
  'deg/10m': 0.0017453292519943296,
  'deg/ft': 0.05726145839876416,
  'deg/m': 0.017453292519943295,
  'deg/30ft': 0.0019087152799588053,
  'kW.h': 3600000.0,
  'lb/s': 0.45359237,
  'lb/h': 0.00012599788055555556,
  gn: 9.80665,
  deg: 0.017453292519943295,
  'deg/100ft': 0.0005726145839876416,
  'deg/30m': 0.0005817764173314432,
};

/**
 * Of units without a customary one in them, in the base unit of their quantity: SI prefixes (SI Brochure, 9th edition,
 * table 7), 60 s, 3600 s, and 86,400 s; 1 bar is 10⁵ Pa, 1 P is 0.1 Pa s, 1 Mcf is 1000 ft³, and 1 MMcf is 10⁶ ft³.
 */
const decimal: Readonly<Record<string, number>> = {
  m: 1, mm: 1e-3, cm: 1e-2, km: 1e3, um: 1e-6,
  'L/h': 2.7777777777777776e-7, 'm3/stk': 1, 'L/stk': 1e-3, 'm/d': 0.000011574074074074073, 'MPa(a)': 1e6,
  'mD.m': 1, 'bbl/d/psi': 1, '1/psi': 1, 'scf/bbl': 1, 'shots/m': 1,
  m2: 1, cm2: 1e-4, mm2: 1e-6,
  m3: 1, L: 1e-3, cm3: 1e-6,
  scf: 1, Mcf: 1e3, MMcf: 1e6, Bcf: 1e9,
  kg: 1, g: 1e-3, mg: 1e-6, t: 1e3,
  N: 1, kN: 1e3, MN: 1e6, daN: 10, kdaN: 1e4,
  Pa: 1, kPa: 1e3, MPa: 1e6, GPa: 1e9, hPa: 100, bar: 1e5, mbar: 100,
  'Pa(a)': 1, 'kPa(a)': 1e3, 'bar(a)': 1e5,
  'Pa/m': 1, 'kPa/m': 1e3, 'bar/m': 1e5,
  'kg/m3': 1, 'g/cm3': 1e3, 'mg/L': 1e-3, 'g/L': 1,
  'm3/s': 1, 'm3/min': 0.016666666666666666, 'm3/h': 0.0002777777777777778, 'm3/d': 0.000011574074074074073,
  'L/s': 1e-3, 'L/min': 0.000016666666666666667,
  'scf/d': 1, 'Mcf/d': 1e3, 'MMcf/d': 1e6,
  'm3/m': 1, 'L/m': 1e-3,
  'm/s': 1, 'm/min': 0.016666666666666666, 'm/h': 0.0002777777777777778, 'km/h': 0.2777777777777778,
  's/m': 1, 'us/m': 1e-6, 'ns/m': 1e-9, 'min/m': 60,
  'm/s2': 1,
  'N.m': 1, 'kN.m': 1e3, 'daN.m': 10,
  Hz: 1, kHz: 1e3, rpm: 0.016666666666666666, spm: 0.016666666666666666,
  degC: 1, K: 1, deltaC: 1, deltaK: 1, 'degC/m': 1, 'degC/100m': 1e-2,
  rad: 1, 'rad/m': 1,
  'Pa.s': 1, 'mPa.s': 1e-3, cP: 1e-3, P: 0.1,
  's/qt': 1,
  s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9, min: 60, h: 3600, d: 86_400,
  fraction: 1, '%': 1e-2, ppm: 1e-6, 'gal/Mgal': 1e-3,
  'gas unit': 1, gAPI: 1, 'b/e': 1,
  'counts/s': 1, 'counts/min': 0.016666666666666666,
  'ohm.m': 1,
  'S/m': 1, 'mS/m': 1e-3, 'uS/cm': 1e-4, 'mS/cm': 0.1,
  V: 1, mV: 1e-3, A: 1, mA: 1e-3,
  mD: 1, D: 1e3,
  W: 1, kW: 1e3, J: 1, kJ: 1e3, MJ: 1e6,
  'kg/m': 1, 'kg/s': 1, 'kg/min': 0.016666666666666666, 'kg/h': 0.0002777777777777778, 't/h': 0.2777777777777778,
  T: 1, uT: 1e-6, nT: 1e-9, G: 1e-4,
  'dB/m': 1,
}; // oxfmt-ignore

/** As printed, with seven digits, in NIST SP 811 (2008), appendix B.8. */
const published: Readonly<Record<string, number>> = {
  atm: 1.01325e5,
  bbl: 1.589873e-1,
  cP: 1e-3,
  ft3: 2.831685e-2,
  'ft3/min': 4.719474e-4,
  deg: 1.745329e-2,
  'ft/h': 8.466667e-5,
  'ft/min': 5.08e-3,
  'lbf.ft': 1.355818,
  'lbf.in': 1.129848e-1,
  gal: 3.785412e-3,
  'gal/min': 6.30902e-5,
  hp: 7.456999e2,
  in3: 1.638706e-5,
  'kgf/cm2': 9.80665e4,
  'kgf.m': 9.80665,
  knot: 5.144444e-1,
  'km/h': 2.777778e-1,
  'mi/h': 4.4704e-1,
  lb: 4.535924e-1,
  'lb/ft3': 1.601846e1,
  'lb/gal': 1.198264e2,
  'lb/ft': 1.488164,
  'lb/min': 7.559873e-3,
  lbf: 4.448222,
  psi: 6.894757e3,
  rpm: 1.666667e-2,
  ftUS: 3.048006e-1,
  G: 1e-4,
};

describe('conversion factors', () => {
  test.each(Object.entries(exact))('for %s match the definition in rational arithmetic', (symbol, factor) => {
    expect(Math.abs(unit(symbol).factor / factor - 1)).toBeLessThan(1e-12);
  });

  test.each(Object.entries(published))('for %s match NIST SP 811', (symbol, factor) => {
    expect(Math.abs(unit(symbol).factor / factor - 1)).toBeLessThan(5e-7);
  });

  test.each(Object.entries(decimal))(
    'for %s match the prefix and the time in its symbol',
    (symbol, factor) => {
      expect(Math.abs(unit(symbol).factor / factor - 1)).toBeLessThan(1e-15);
    },
  );

  test.each(['.1IN', '0.1 in', '.1 in', '0.1IN'])('%s is a tenth of an inch, and not an inch', (text) => {
    expect(unitOf(text)?.symbol).toBe('0.1 in');
    expect(120_000 * (factorOf(unit('0.1 in'), unit('ft')) ?? 0)).toBeCloseTo(1000, 9);
  });

  test('of every unit have a second source, each once', () => {
    const sources = [...Object.keys(exact), ...Object.keys(decimal)];
    expect(sources.toSorted()).toEqual(units.map(({ symbol }) => symbol).toSorted());
  });

  test.each([
    [32, 'degF', 'degC', 0],
    [212, 'degF', 'degC', 100],
    [-40, 'degC', 'degF', -40],
    [0, 'degC', 'K', 273.15],
    [491.67, 'degR', 'K', 273.15],
    [1, 'klbf', 'kN', 4.4482216152605],
    [1, 'bar', 'psi', 14.5037737730209],
    [8.345404452021, 'lb/gal', 'g/cm3', 1.0],
    [100, 'ft/h', 'm/h', 30.48],
    [1, 'us/m', 'us/ft', 0.3048],
    [3, 'deg/100ft', 'deg/30m', 2.95275590551181],
    [1, 'kft', 'm', undefined],
  ])('%d %s is as many %s', (value, from, to, result) => {
    const [one, other] = [unitOf(from), unitOf(to)];
    const found = one && other ? convert(value, one, other) : undefined;
    if (result === undefined || found === undefined) expect(found).toBe(result);
    else expect(Math.abs(found - result)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(result)));
  });

  test('return the value after a round trip, for every pair of units of a quantity', () => {
    const pairs = units.flatMap((from) =>
      units.filter((to) => to.quantity === from.quantity).map((to) => ({ from, to })),
    );
    const isReturned =
      (value: number) =>
      ({ from, to }: (typeof pairs)[number]) => {
        const there = convert(value, from, to);
        const back = there === undefined ? undefined : convert(there, to, from);
        // Temperatures have different zeros, so that small readings lose digits to the offset.
        const scale = Math.max(Math.abs(value), from.quantity === 'temperature' ? 500 : 0);
        return Math.abs((back ?? Number.NaN) - value) <= 1e-12 * scale + 1e-300;
      };
    fc.assert(
      fc.property(fc.double({ min: -1e7, max: 1e7, noNaN: true }), (value) => {
        const isRight = isReturned(value);
        const wrong = pairs.filter((pair) => !isRight(pair));
        expect(wrong.map(({ from, to }) => `${from.symbol} to ${to.symbol}`)).toEqual([]);
      }),
    );
  });

  test('don’t exist between different quantities', () => {
    expect(converter(unit('klbf'), unit('psi'))).toBeUndefined();
    expect(factorOf(unit('klbf'), unit('psi'))).toBeUndefined();
    expect(convert(1, unit('psi(a)'), unit('psi'))).toBeUndefined();
    expect(factorOf(unit('klbf'), unit('kN'))).toBe(4.4482216152605);
  });
});

describe('spellings of units', () => {
  test.each([
    ['k-lbs', 'force', 'klbf'],
    ['klbs', 'force', 'klbf'],
    ['1000 lbf', null, 'klbf'],
    ['KN', null, 'kN'],
    ['daN', null, 'daN'],
    ['kg', 'force', 'kgf'],
    ['kg', null, 'kg'],
    ['gal/min', null, 'gal/min'],
    ['gpm', null, 'gal/min'],
    ['galUS/min', null, 'gal/min'],
    ['liters/min', null, 'L/min'],
    ['g/cc', null, 'g/cm3'],
    ['G/C3', null, 'g/cm3'],
    ['K/M3', null, 'kg/m3'],
    ['ppg', null, 'lb/gal'],
    ['lb/gal', null, 'lb/gal'],
    ['degF', null, 'degF'],
    ['°F', null, 'degF'],
    ['deg F', null, 'degF'],
    ['F', 'temperature', 'degF'],
    ['F', 'length', 'ft'],
    ['ft·klbf', null, 'klbf.ft'],
    ['ft*klbf', null, 'klbf.ft'],
    ['m**3', null, 'm3'],
    ['kft.lbf', null, 'klbf.ft'],
    ['Ft-Lbs', null, 'lbf.ft'],
    ['N.m', null, 'N.m'],
    ['(feet)', null, 'ft'],
    ['[m]', null, 'm'],
    ['m³', null, 'm3'],
    ['ft/hr', null, 'ft/h'],
    ['US/F', null, 'us/ft'],
    ['µs/ft', null, 'us/ft'],
    ['OHM-M', null, 'ohm.m'],
    ['API', null, 'gAPI'],
    ['API-GR', null, 'gAPI'],
    ['dega/100ft', null, 'deg/100ft'],
    ['c/s', null, 'Hz'],
    ['CPS', 'count_rate', 'counts/s'],
    ['v/v_decimal', null, 'fraction'],
    ['LPU', null, '%'],
    ['MMHO/M', null, 'mS/m'],
  ] as const)('%s of %s is %s', (text, quantity, symbol) => {
    expect(unitOf(text, quantity)?.symbol).toBe(symbol);
  });

  test.each([
    'F',
    'mPa',
    'D',
    'G',
    'OHM/M',
    'OHM',
    'mph',
    'cps',
    'ton',
    'units',
    'unitless',
    '',
    '-',
    'xyz',
    'HHMMSS',
    '1 ft',
    // Not milliseconds.
    'm·s',
    'm*s',
  ])('“%s” is ambiguous or unknown', (text) => {
    expect(unitOf(text)).toBeUndefined();
  });

  test('of another quantity don’t match the wanted one', () => {
    expect(unitOf('psi', 'torque')).toBeUndefined();
    expect(quantitiesOf('psi')).toEqual(['pressure']);
    expect(quantitiesOf('lbs')).toEqual(['mass', 'force']);
    expect(quantitiesOf('mPa')).toEqual([]);
  });

  test('include every symbol, which is unique', () => {
    expect(new Set(units.map(({ symbol }) => symbol)).size).toBe(units.length);
    for (const each of units) expect(unitOf(each.symbol, each.quantity)).toBe(each);
  });

  test('never mean two units of one quantity', () => {
    const pairs = new Map<string, Quantity>();
    for (const each of units)
      for (const other of units)
        if (
          each !== other &&
          each.quantity === other.quantity &&
          spellingOf(each.symbol) === spellingOf(other.symbol)
        )
          pairs.set(each.symbol, each.quantity);
    expect([...pairs]).toEqual([]);
  });
});

describe('systems of units', () => {
  test.each([
    ['klbf', 'metric', 'kN'],
    ['klbf', 'si', 'N'],
    ['N', 'us', 'klbf'],
    ['N', 'metric', 'kN'],
    ['mm', 'us', 'in'],
    ['m', 'us', 'ft'],
    ['degF', 'si', 'K'],
    ['Pa', 'us', 'psi'],
    ['Pa', 'metric', 'kPa'],
    ['bar', 'metric', 'bar'],
    ['bar', 'si', 'Pa'],
    ['rpm', 'metric', 'rpm'],
    ['gal/min', 'metric', 'L/min'],
    ['m3/s', 'us', 'gal/min'],
    ['g/cm3', 'us', 'g/cm3'],
    ['gAPI', 'metric', 'gAPI'],
  ] as const)('%s in %s is %s', (symbol, system, shown) => {
    expect(unitIn(system, unit(symbol)).symbol).toBe(shown);
  });

  test('have only existing units in the display table, each row of one quantity', () => {
    for (const [us, metric, si, others = ''] of displayRows)
      expect(
        new Set([us, metric, si, ...others.split(' ').filter(Boolean)].map((symbol) => unit(symbol).quantity))
          .size,
      ).toBe(1);
    for (const symbol of furtherUsUnits) expect(unit(symbol).symbol).toBe(symbol);
  });

  test('show every unit in one that it can be converted to', () => {
    for (const system of unitSystems)
      for (const each of units) expect(unitIn(system, each).quantity).toBe(each.quantity);
  });

  test('show symbols in their usual form', () => {
    expect(shownUnit(unit('degC'))).toBe('°C');
    expect(shownUnit(unit('klbf'))).toBe('klbf');
  });
});

/** The units of real files of the field, but those that name no unit, such as NONE. */
const unitsOfRealFiles = [
  '%',
  '.1IN',
  '1/min',
  'AMPS',
  'API',
  'API-GR',
  'BARSA',
  'CPS',
  'D',
  'DBM',
  'DEG',
  'DEG_F',
  'Euc',
  'F',
  'FEET',
  'FT',
  'G/C3',
  'G/CM3',
  'GAPI',
  'Hz',
  'IN',
  'K',
  'K/M',
  'K/M3',
  'KPa',
  'LPU',
  'M',
  'METRES',
  'MM',
  'MMHO/M',
  'MS/M',
  'MV',
  'N',
  'N.m',
  'NS/M',
  'OHM-M',
  'OHMM',
  'PA',
  'PSI',
  'Pa',
  'RPM',
  'S',
  'SECONDS',
  'SPM',
  'Sm3/day',
  'US/F',
  'US/M',
  'V/V',
  'VOL/VOL',
  'api',
  'bbls',
  'c/min',
  'c/s',
  'cps',
  'deg',
  'deg/30m',
  'degC',
  'degF',
  'feet',
  'fraction',
  'ft',
  'ft/hr',
  'g/cc',
  'g/cm3',
  'gAPI',
  'gal/min',
  'galUS/min',
  'gpm',
  'hour',
  'in',
  'inches',
  'k-lbs',
  'kft.lbf',
  'kg',
  'kg/m3',
  'klb',
  'klbf',
  'klbf.ft',
  'klbm',
  'lbs',
  'liters/min',
  'm',
  'm/h',
  'm/s',
  'm3',
  'm3/s',
  'mL',
  'mmo/m',
  'ms',
  'ohm.m',
  'ohmm',
  'ppg',
  'ppm',
  'psi',
  'rpm',
  's',
  'units',
  'us/ft',
  'v/v',
  'v/v_decimal',
  'µS/CM',
];

test('a text that is no unit is shown as it is, whatever objects call by its name', () => {
  for (const text of ['constructor', 'furlong']) {
    expect(symbolText(text)).toBe(text);
    expect(spellingOf(text)).toBe(text);
  }
});

test('the units of real files are known, whatever their spelling', () => {
  expect(unitsOfRealFiles.filter((unit) => quantitiesOf(unit).length === 0)).toEqual([]);
});
