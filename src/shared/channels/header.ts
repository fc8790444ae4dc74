import { bracketedEnd, quantitiesOf, unitOf } from './units.ts';

const maxUnitLength = 20;
const ending = /^(.*?[\p{L}\p{N})])[\s,_]+(%|°[CF]|[A-Za-z%°][\w%°/.·-]{0,11})\s*$/u;
/** Words at the end of a name that are units nowhere else. */
const certain: ReadonlySet<string> = new Set([
  '%', 'pct', '°c', '°f', 'psi', 'kpa', 'mpa', 'bar', 'klbf', 'klbs', 'kn', 'ft', 'feet', 'ft/h', 'ft/hr', 'm/h', 'm/hr',
  'gal/min', 'bbl/min', 'ppg', 'lb/gal', 'g/cc', 'g/cm3', 'kg/m3', 'bbl', 'bbls', 'degf', 'degc', 'ppm', 'ohmm',
]); // oxfmt-ignore

interface HeaderParts {
  readonly name: string;
  readonly unit: string | null;
}

/** The unit of a column: that of the file's units, else that in its name; null: neither has one. */
export const columnUnit = ({ name, unit }: HeaderParts): string | null => unit ?? headerParts(name).unit;

const maxNameLength = 500;
const functionCall = /^(?:abs|cos|exp|ln|log\d*|sin|sqrt|tan)[([{]/i;
/** A name in capitals is a curve's, such as LOG(ft). */
const inCapitals = /^[A-Z]+\d*[([{]/;
/** Symbols of elements, axes, and logs, except °C and °F. */
const isSymbol = (text: string): boolean => /^[ABDEG-Z]$/.test(text);

/** The end of a name that can be a unit, and what is before it: in brackets, or a known unit behind a comma. */
function nameEnd(name: string): ReturnType<typeof bracketedEnd> {
  // What is this long isn't a name, and the expression below would take minutes for a million blanks.
  if (name.length > maxNameLength || (functionCall.test(name) && !inCapitals.test(name))) return null;
  const bracketed = bracketedEnd(name);
  if (bracketed) return bracketed;
  const [, before = '', inside = ''] = /^(.*[^\s,])\s*,\s*([^,]+)$/.exec(name) ?? [];
  // `WOB, min` is the least one, `Flow, in` a direction, and `Depth, m, MD` has its unit before.
  const isWord =
    /^(?:in|md)$/i.test(inside) || (/^min$/i.test(inside) && !/time|duration|elapsed/i.test(before));
  if (isWord || isSymbol(inside) || /,|[)\]}]$/.test(before)) return null;
  return quantitiesOf(inside).length > 0 ? { before, inside } : null;
}

/**
 * Splits a header such as `WOB (k-lbs)`, `Flow Out %`, or `depth_ft` into name and unit. A bracket with something else
 * stays part of the name.
 */
export function headerParts(header: string): HeaderParts {
  const text = header.trim();
  const { before: name = '', inside = '' } = nameEnd(text) ?? {};
  if (name !== '' && inside.length <= maxUnitLength && quantitiesOf(inside).length > 0)
    return { name, unit: inside };
  const [, stem = '', word = ''] = ending.exec(text) ?? [];
  return certain.has(word.toLowerCase()) ? { name: stem, unit: word } : { name: text, unit: null };
}

const unitWords = new Set(
  (
    'm ft in inch inches mm cm km dm mi deg degc degf degk rad s sec secs second seconds min mins minutes h hr hrs hour hours ' +
    'd day days ms us date time datetime yyyy psi psia psig kpa mpa pa bar bara barg atm bbl bbls stb m3 m³ sm3 ft3 cf scf mscf gal gals l ' +
    'liters litres klbf lbf kn n kg g t ton tons tonne lb lbs lbm klb klbs kip kips rpm c/min spm hz khz api gapi ohmm ohm.m ohm-m mv v a w kw hp ' +
    'md cp ppg sg % pct percent ppm fraction frac unitless dimensionless none euc - -- ° °c °f deg. degrees c f k nm j'
  ).split(' '),
);
const compound = /^[\p{L}%°µ0-9³².·*^-]{1,12}(?:\/[\p{L}%°µ0-9³²._·*^-]{1,12}){1,2}$/u;
const bracketed = /^[[(]\s*([^[\]()]{1,13}?)\s*[\])]$/;
const product = /^(?:ft|k?n|k?lbf?|kft|m)[.·*-](?:k?lbf?|n|m|ft|s)$/i;

/** Whether a short text is a unit of measure, known or of a unit's form. */
export function looksLikeUnit(cell: string): boolean {
  const text = cell.trim();
  if (text === '' || text.length > 15 || /^[\d\s.,+-]+$/.test(text) !== /^-+$/.test(text)) return false;
  const inside = bracketed.exec(text)?.[1];
  if (inside !== undefined) return looksLikeUnit(inside);
  if (unitWords.has(text.toLowerCase()) || compound.test(text) || product.test(text)) return true;
  return text.length > 1 && quantitiesOf(text).length > 0;
}

/**
 * Whether the texts above columns of numbers are units, whatever is above other columns: at least two are in the table of
 * units, and they are at least half of these columns.
 * @param texts above the columns of numbers; empty: none
 */
export function areUnits(texts: readonly string[]): boolean {
  const unitCount = texts.filter((text) => unitOf(text.trim()) !== undefined).length;
  return unitCount >= 2 && unitCount * 2 >= texts.length;
}

/** What a depth is measured along or from, as in `m MD RKB`. */
const datum = /^(?:MD|TVD|TVDSS|RKB|KB|MSL|SS)$/i;

/** The unit after a column's name, as in `ROP(ft/h)` and `Time, min`; null if there is none. */
export function unitInName(name: string): string | null {
  const inside = nameEnd(name.trim())?.inside;
  const [unit = '', ...rest] = inside?.split(/[\s,]+/) ?? [];
  if (rest.length > 0 && unitOf(unit)?.quantity === 'length' && rest.every((word) => datum.test(word)))
    return unit;
  return inside !== undefined && looksLikeUnit(inside) ? inside : null;
}
