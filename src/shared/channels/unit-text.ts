import { bracketedEnd } from './brackets.ts';
import { quantitiesOf, unitOf } from './units.ts';

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

/** The unit in brackets after a column's name, as in `ROP(ft/h)`; null if there is none. */
export function unitInName(name: string): string | null {
  const inside = bracketedEnd(name)?.inside;
  return inside !== undefined && looksLikeUnit(inside) ? inside : null;
}
