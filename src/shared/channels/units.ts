import { isNullNumber } from '../upload/null-tokens.ts';
import { type Row, unitRows } from './unit-rows.ts';

const opening = '([{';
const closing = ')]}';

const endsWithBracket = (text: string): boolean => text !== '' && closing.includes(text.at(-1) ?? ' ');

/** A text without blanks and one pair of brackets around it. */
export function withoutBrackets(text: string): string {
  const trimmed = text.trim();
  const isInside = trimmed.length > 1 && opening.includes(trimmed.charAt(0)) && endsWithBracket(trimmed);
  return isInside ? trimmed.slice(1, -1).trim() : trimmed;
}

/** A text that ends with a pair of brackets, such as `ROP (ft/h)`: what is before them, and what is inside. */
interface BracketedEnd {
  readonly before: string;
  readonly inside: string;
}

/** The brackets at the end of a text and what is before them; null: it doesn't end with a pair that has content. */
export function bracketedEnd(text: string): BracketedEnd | null {
  const trimmed = text.trim();
  if (!endsWithBracket(trimmed)) return null;
  let open = trimmed.length - 1;
  for (let depth = 1; depth > 0;) {
    if (--open < 0) return null;
    const character = trimmed.charAt(open);
    depth += closing.includes(character) ? 1 : opening.includes(character) ? -1 : 0;
  }
  const inside = trimmed.slice(open + 1, -1).trim();
  if (inside === '') return null;
  return { before: trimmed.slice(0, open).trim(), inside };
}

/** What units measure. Units of one quantity can be converted to each other. */
export type Quantity = keyof typeof unitRows;

/** A unit: a value in the quantity's base unit is `(value - offset) * factor`. */
export interface Unit {
  /** Unique, such as `klbf`. */
  readonly symbol: string;
  readonly quantity: Quantity;
  readonly factor: number;
  /** The reading of this unit at zero of the base unit; 0 except for temperatures. */
  readonly offset: number;
}

const rows: Readonly<Record<Quantity, readonly Row[]>> = unitRows;

const isQuantity = (text: string): text is Quantity => Object.hasOwn(rows, text);

/** Every unit with the spellings that mean it beside its symbol. */
const unitTable: readonly { readonly unit: Unit; readonly spellings: readonly string[] }[] = Object.entries(
  rows,
).flatMap(([quantity, units]) =>
  isQuantity(quantity)
    ? units.map(([symbol, factor, spellings = '', offset = 0]) => ({
        unit: { symbol, quantity, factor, offset },
        spellings: spellings.split(' ').filter((spelling) => spelling !== ''),
      }))
    : [],
);

/** Words and other spellings within a unit's text, by what they mean there. */
const spellingsOfWords: Readonly<Record<string, string>> = {
  ft: 'feet foot',
  m: 'meter meters metre metres',
  in: 'inch inches',
  mile: 'miles',
  bara: 'barsa',
  gal: 'gallon gallons gals',
  bbl: 'barrel barrels bbls',
  l: 'liter liters litre litres ltr ltrs',
  lb: 'pound pounds lbs',
  klb: 'klbs',
  kip: 'kips',
  ftlb: 'ftlbs',
  kftlb: 'kftlbs',
  ftklb: 'ftklbs',
  ftkip: 'ftkips',
  tonne: 'tonnes',
  deg: 'degree degrees',
  d: 'day days',
  h: 'hour hours hr hrs',
  min: 'minute minutes mins',
  s: 'second seconds sec secs',
  us: 'microseconds microsec',
  stk: 'strokes stks',
  rev: 'revolutions',
  volt: 'volts',
  amp: 'amps',
  '/': 'per',
};
const words: ReadonlyMap<string, string> = new Map(
  Object.entries(spellingsOfWords).flatMap(([meaning, spellings]) =>
    spellings.split(' ').map((spelling) => [spelling, meaning] as const),
  ),
);

/** A unit's text without case, spaces, and separators: `Ft-Lbs`, `ft·lb`, and `ft.lb` are one spelling. */
export const spellingOf = (text: string): string =>
  withoutBrackets(text.normalize('NFKC'))
    .replaceAll('μ', 'u')
    .replaceAll('Ω', 'ohm')
    .replaceAll('°', 'deg')
    .toLowerCase()
    .replaceAll(/[a-z]+/g, (word) => words.get(word) ?? word)
    .replaceAll(/[\s.·⋅*^_-]/g, '');

/** Texts that in this case mean a unit that the field doesn't use, where other letters mean one that it does. */
const misread: ReadonlySet<string> = new Set([
  'mPa',
  'mS',
  'nm',
  'Mbar',
  'Mm',
  'k',
  '1in',
  '1IN',
  '1 in',
  '1 IN',
]);

/** Texts that mean too many things to be a unit without the quantity. */
const open: ReadonlySet<string> = new Set([
  'g', 'G', 'T', 'D', 'P', 'A', 'W', 'J', 'u', 'U', 'unit', 'Unit', 'units', 'Units', 'UNITS',
]); // oxfmt-ignore

const bySymbol: ReadonlyMap<string, Unit> = new Map(unitTable.map(({ unit }) => [unit.symbol, unit]));

const bySpelling: ReadonlyMap<string, readonly Unit[]> = (() => {
  const unitsBySpelling = new Map<string, Unit[]>();
  for (const { unit, spellings } of unitTable)
    for (const spelling of new Set([spellingOf(unit.symbol), ...spellings.map(spellingOf)]))
      unitsBySpelling.set(spelling, [...(unitsBySpelling.get(spelling) ?? []), unit]);
  return unitsBySpelling;
})();

/** A multiplication sign in a text without a negative power, which is a quotient. */
const product = /^[^-⁻−]*(?:[·⋅]|(?<!\*|deg)\*(?![*\d]))[^-⁻−]*$/u;

/** The units that a text can mean. A product is no unit that is written alike without its sign: `m·s` is no `ms`. */
function unitsSpelled(text: string): readonly Unit[] {
  const units = bySpelling.get(spellingOf(text)) ?? [];
  return product.test(text) ? units.filter(({ symbol }) => symbol.includes('.')) : units;
}

/** Spellings of several quantities that mean the first one where no quantity is given. */
const usual: Readonly<Record<string, Quantity>> = {
  lb: 'mass',
  kg: 'mass',
  klb: 'mass',
  t: 'mass',
  tonne: 'mass',
  mt: 'mass',
  mg: 'mass',
};

/** Whether a unit is a temperature, whose scales have different zeros. */
export const isTemperature = (text: string): boolean => unitOf(text, 'temperature') !== undefined;

/**
 * The unit that a text means in any spelling; undefined: unknown, or it could mean several.
 * @param quantity what the text is a unit of, if known: `kg` is a mass, but the kilogram-force of a weight on bit
 */
export function unitOf(text: string, quantity?: Quantity | null): Unit | undefined {
  const bareText = withoutBrackets(text);
  if (misread.has(bareText) || (!quantity && open.has(bareText))) return undefined;
  const exact = bySymbol.get(bareText);
  if (exact && (!quantity || exact.quantity === quantity)) return exact;
  const spelling = spellingOf(bareText);
  const units = unitsSpelled(bareText);
  const wanted = quantity ?? usual[spelling] ?? null;
  const fitting = units.filter((unit) =>
    wanted === null ? unit.quantity !== 'temperature_difference' : unit.quantity === wanted,
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

/**
 * The unit of a text, of a quantity if it can be, such as kg of a force.
 * @param quantity that of the channel, if known
 */
export const likelyUnitOf = (text: string, quantity?: Quantity | null): Unit | undefined =>
  unitOf(text, quantity) ?? unitOf(text);

/** The quantities that a text can be a unit of; empty: it is no known unit. */
export const quantitiesOf = (text: string): readonly Quantity[] =>
  misread.has(withoutBrackets(text)) ? [] : unitsSpelled(text).map(({ quantity }) => quantity);

/** The unit with a symbol. */
export const unitNamed = (symbol: string): Unit | undefined => bySymbol.get(symbol);

/** Two units of one quantity that texts mean; undefined: one of them is unknown, or they measure different things. */
export function unitPair(from: string, to: string): { readonly from: Unit; readonly to: Unit } | undefined {
  for (const quantity of quantitiesOf(from)) {
    const [fromUnit, toUnit] = [unitOf(from, quantity), unitOf(to, quantity)];
    if (fromUnit && toUnit) return { from: fromUnit, to: toUnit };
  }
  return undefined;
}

/** Whether two texts mean one unit. */
export function isSameUnit(one: string, other: string): boolean {
  const pair = unitPair(one, other);
  return one.trim() === other.trim() || (pair !== undefined && pair.from === pair.to);
}

/** Number of units `to` in one unit `from`; undefined: they measure different things. */
export const factorOf = (from: Unit, to: Unit): number | undefined =>
  from.quantity === to.quantity ? rounded(from.factor / to.factor) : undefined;

/** Without the noise of binary fractions in the last digit. */
const rounded = (value: number): number => Number(value.toPrecision(15));

/** Converts values of one unit to another; undefined: they measure different things. */
export function converter(from: Unit, to: Unit): ((value: number) => number) | undefined {
  if (from.quantity !== to.quantity) return undefined;
  if (from.factor === to.factor && from.offset === to.offset) return (value) => value;
  // Division is exact where the quotient of the factors is not, such as by 1000.
  const { factor, offset } = from;
  return to.factor >= factor && Number.isInteger(to.factor / factor)
    ? (value) => rounded((value - offset) / (to.factor / factor) + to.offset)
    : (value) => rounded((value - offset) * (factor / to.factor) + to.offset);
}

/** A value in another unit, within 1e-12 of it; undefined: the units measure different things. */
export const convert = (value: number, from: Unit, to: Unit): number | undefined =>
  converter(from, to)?.(value);

/** Converts the numbers of records, except null values such as -999.25; null: one of the units isn't known. */
export function valueConverter(
  from: Unit | undefined,
  to: Unit | undefined,
): ((value: number) => number) | null {
  const convert = from && to ? converter(from, to) : undefined;
  return convert ? (value) => (isNullNumber(value) ? value : convert(value)) : null;
}

export const units: readonly Unit[] = unitTable.map(({ unit }) => unit);

/** Symbols as people read them: `degC` is °C, `lbf.ft` is ft·lbf. */
const shownSymbols: ReadonlyMap<string, string> = new Map(
  Object.entries({
    degC: '°C',
    degF: '°F',
    degR: '°R',
    deltaC: '°C',
    deltaF: '°F',
    deltaK: 'K',
    deltaR: '°R',
    deg: '°',
    'N.m': 'N·m',
    'kN.m': 'kN·m',
    'daN.m': 'daN·m',
    'lbf.ft': 'ft·lbf',
    'klbf.ft': 'ft·klbf',
    'lbf.in': 'in·lbf',
    'kgf.m': 'kgf·m',
    'ohm.m': 'Ω·m',
    m3: 'm³',
    'm3/s': 'm³/s',
    'm3/min': 'm³/min',
    'm3/h': 'm³/h',
    'm3/d': 'm³/d',
    'kg/m3': 'kg/m³',
    'g/cm3': 'g/cm³',
    'lb/ft3': 'lb/ft³',
    m2: 'm²',
    in2: 'in²',
    ft2: 'ft²',
    ft3: 'ft³',
    'us/ft': 'µs/ft',
    'us/m': 'µs/m',
    'm/s2': 'm/s²',
    gn: 'g',
  }),
);

/** The symbol of a unit for people; other texts as they are. */
export const symbolText = (symbol: string): string => shownSymbols.get(symbol) ?? symbol;

/** A unit's symbol for people. */
export const shownUnit = ({ symbol }: Unit): string => symbolText(symbol);
