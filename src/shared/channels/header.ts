import { bracketedEnd } from './brackets.ts';
import { quantitiesOf } from './units.ts';

const maxUnitLength = 20;
const ending = /^(.*?[\p{L}\p{N})])[\s,_]+(%|°[CF]|[A-Za-z%°][\w%°/.·-]{0,11})\s*$/u;
/** Words at the end of a name that are units nowhere else. */
const certain: ReadonlySet<string> = new Set([
  '%', 'pct', '°c', '°f', 'psi', 'kpa', 'mpa', 'bar', 'klbf', 'klbs', 'kn', 'ft', 'feet', 'ft/h', 'ft/hr', 'm/h', 'm/hr',
  'gal/min', 'bbl/min', 'ppg', 'lb/gal', 'g/cc', 'g/cm3', 'kg/m3', 'bbl', 'bbls', 'degf', 'degc', 'ppm', 'ohmm',
]); // oxfmt-ignore

/** The name in a header and the unit behind it. */
interface HeaderParts {
  readonly name: string;
  readonly unit: string | null;
}

/** The unit of a column: that of the file's units, else that in its name; null: neither has one. */
export const columnUnit = ({ name, unit }: HeaderParts): string | null => unit ?? headerParts(name).unit;

/**
 * Splits a header such as `WOB (k-lbs)`, `Flow Out %`, or `depth_ft` into name and unit. A bracket with something else
 * stays part of the name.
 */
export function headerParts(header: string): HeaderParts {
  const text = header.trim();
  const { before: name = '', inside = '' } = bracketedEnd(text) ?? {};
  if (name !== '' && inside.length <= maxUnitLength && quantitiesOf(inside).length > 0)
    return { name, unit: inside };
  const [, stem = '', word = ''] = ending.exec(text) ?? [];
  return certain.has(word.toLowerCase()) ? { name: stem, unit: word } : { name: text, unit: null };
}
