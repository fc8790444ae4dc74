import type { ExportUnits } from '../export/export.ts';
import { unitInField } from './channels.ts';
import { unitOf, type Unit } from './units.ts';

/** Systems of units in which values can be shown: US oil field, metric, SI. */
export type UnitSystem = Exclude<ExportUnits, 'stored'>;
export const unitSystems: readonly UnitSystem[] = ['us', 'metric', 'si'];

/** Units of the US oil field that are not the first of a {@link displayRows}. */
export const furtherUsUnits: ReadonlySet<string> = new Set([
  'mi', 'ftUS', 'in3', 'ft3', 'tonUS', 'atm', 'ft3/min', 'lbf.in', 'degR', 'deg/ft', 'deg/30ft', 'lb/s',
]); // oxfmt-ignore

/** Units that are shown for each other in the systems of units: US oil field, metric, SI; others of the same kind last. */
export const displayRows: readonly (readonly [us: string, metric: string, si: string, others?: string])[] = [
  ['ft', 'm', 'm', 'km mi ftUS'],
  ['in', 'mm', 'm', 'cm'],
  ['ft2', 'm2', 'm2'],
  ['in2', 'mm2', 'm2', 'cm2'],
  ['bbl', 'm3', 'm3', 'ft3'],
  ['gal', 'L', 'm3', 'cm3 in3'],
  ['klbf', 'kN', 'N', 'daN kdaN MN tf'],
  ['lbf', 'N', 'N', 'kgf'],
  ['lb', 'kg', 'kg', 'g mg'],
  ['klb', 't', 'kg', 'tonUS'],
  ['psi', 'kPa', 'Pa', 'MPa hPa bar mbar atm kgf/cm2'],
  ['kpsi', 'MPa', 'Pa'],
  ['Mpsi', 'GPa', 'Pa'],
  ['lbf/100ft2', 'Pa', 'Pa'],
  ['psi(a)', 'kPa(a)', 'Pa(a)', 'bar(a)'],
  ['psi/ft', 'kPa/m', 'Pa/m', 'bar/m'],
  ['psi/1000ft', 'kPa/m', 'Pa/m'],
  ['lb/gal', 'kg/m3', 'kg/m3', 'g/L'],
  ['g/cm3', 'g/cm3', 'kg/m3'],
  ['lb/ft3', 'kg/m3', 'kg/m3'],
  ['lb/bbl', 'kg/m3', 'kg/m3'],
  ['lb/Mgal', 'g/L', 'kg/m3'],
  ['gal/min', 'L/min', 'm3/s', 'L/s'],
  ['bbl/min', 'm3/min', 'm3/s', 'ft3/min'],
  ['bbl/h', 'm3/h', 'm3/s'],
  ['bbl/d', 'm3/d', 'm3/s'],
  ['bbl/ft', 'm3/m', 'm3/m'],
  ['gal/ft', 'L/m', 'm3/m'],
  ['ft/h', 'm/h', 'm/s'],
  ['ft/min', 'm/min', 'm/s'],
  ['ft/s', 'm/s', 'm/s'],
  ['mi/h', 'km/h', 'm/s', 'knot'],
  ['us/ft', 'us/m', 's/m', 'ns/m'],
  ['min/ft', 'min/m', 's/m'],
  ['klbf.ft', 'kN.m', 'N.m', 'daN.m'],
  ['lbf.ft', 'N.m', 'N.m', 'lbf.in kgf.m'],
  ['rpm', 'rpm', 'rad/s'],
  ['spm', 'spm', 'Hz'],
  ['degF', 'degC', 'K', 'degR'],
  ['deltaF', 'deltaC', 'deltaK', 'deltaR'],
  ['degF/100ft', 'degC/100m', 'degC/m'],
  ['deg', 'deg', 'rad', 'gon'],
  ['deg/100ft', 'deg/30m', 'rad/m', 'deg/10m deg/ft deg/m deg/30ft'],
  ['cP', 'mPa.s', 'Pa.s', 'P'],
  ['lb/ft', 'kg/m', 'kg/m'],
  ['lb/min', 'kg/min', 'kg/s', 'lb/s'],
  ['lb/h', 'kg/h', 'kg/s', 't/h'],
  ['hp', 'kW', 'W'],
  ['dB/ft', 'dB/m', 'dB/m'],
  ['gn', 'm/s2', 'm/s2'],
  ['mS/m', 'mS/m', 'S/m', 'uS/cm mS/cm'],
];

/** The unit in which a system shows values of a unit; the same if it belongs to the system or has no other. */
export function unitIn(system: UnitSystem, unit: Unit): Unit {
  const { symbol, quantity } = unit;
  const main = displayRows.find((row) => row.slice(0, 3).includes(symbol));
  // Other units of the field stay in their own system: bar is as metric as kPa.
  if (!main && system !== 'si' && furtherUsUnits.has(symbol) === (system === 'us')) return unit;
  const row = main ?? displayRows.find(([, , , others = '']) => others.split(' ').includes(symbol));
  return unitOf(row?.[unitSystems.indexOf(system)] ?? symbol, quantity) ?? unit;
}

const isSystem = (text: string): text is UnitSystem => unitSystems.some((system) => system === text);

/**
 * The units before and after a conversion; null: nothing changes, or a unit isn't known. Times keep their unit, which
 * is part of their format.
 * @param text the unit of the values
 * @param wanted a system of units, or a unit of the same quantity
 * @param field in which the values are
 */
export function changeOf(
  text: string,
  wanted: string,
  field: string,
): { readonly from: Unit; readonly to: Unit } | null {
  const unit = unitOf(text);
  if (!unit || unit.quantity === 'time') return null;
  const from = unitInField(unit, field);
  const to = isSystem(wanted) ? unitIn(wanted, from) : unitOf(wanted, from.quantity);
  return to && to !== from ? { from, to } : null;
}

/** The units in which values of a field can be shown: their own, and those of the systems. */
export function shownUnits(text: string, field: string): Unit[] {
  const stored = unitOf(text);
  if (!stored || stored.quantity === 'time') return [];
  const unit = unitInField(stored, field);
  return [...new Set([unit, ...unitSystems.map((system) => unitIn(system, unit))])];
}
