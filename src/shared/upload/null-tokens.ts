// Without imports of schemas: threads of the window use it.

/** Numbers that services and loggers write for null. */
export const nullTokens: readonly number[] = [-999.25, -999, -9999, -9999.25, -99999, -99999.25];

/** What C programs on Windows write for a number that isn't one, to any number of decimals: `-1.#IND`, `1.#INF00`. */
const windowsNan: readonly string[] = ['', '-', '+'].flatMap((sign) => [
  ...['IND', 'INF', 'QNAN', 'SNAN'].flatMap((word) =>
    Array.from({ length: 13 }, (_, zeros) => `${sign}1.#${word}${'0'.repeat(zeros)}`),
  ),
  // Rounded to two or three decimals as if the letters were digits.
  ...['J', 'R', 'T', 'IO', 'QO', 'SO', 'QNB', 'SNB'].map((letters) => `${sign}1.#${letters}`),
]);

/** Words that mean null in every column, unless the user treats them as text. */
export const nullWords: readonly string[] = [
  'NULL',
  'Null',
  'null',
  'NaN',
  'nan',
  'NAN',
  'NA',
  'N/A',
  'n/a',
  '#N/A',
  '#NV',
  '#DIV/0!',
  '#VALUE!',
  '-',
  '--',
  'None',
  '\\N',
  ...windowsNan,
];

interface NullChoices {
  /** Further texts that mean null. */
  readonly nulls?: readonly string[] | undefined;
  /** Texts of {@link nullWords} that are values in this file. */
  readonly keepAsText?: readonly string[] | undefined;
}

/** All texts that mean null in a file's columns. */
export const nullsOf = ({ nulls = [], keepAsText = [] }: NullChoices): string[] => [
  ...new Set(['', ...nullWords.filter((word) => !keepAsText.includes(word)), ...nulls]),
];

export const nullNumbers: ReadonlySet<number> = new Set(nullTokens);

/** Whether a number is a common null value. */
export const isNullNumber = (value: number): boolean => nullNumbers.has(value);

/** A number of records; NaN: there is none, as -999.25 and others say. */
export const valueOrNaN = (value: number): number => (isNullNumber(value) ? Number.NaN : value);

/** Further numbers that mean null in files: those of Petrel and ZMAP+, and the lowest 16-bit integer. */
export const furtherNulls: readonly number[] = [1e30, -32_768];
/**
 * Null values that can also be measurements, such as a modulus of 2 GPa: those of RMS and xtgeo, and the limits of 32-bit
 * integers.
 */
const doubtfulNulls: ReadonlySet<number> = new Set([1e33, 2_000_000_000, 2_147_483_647, -2_147_483_648]);

/** Whether a number in a file often means null. Those of records are {@link isNullNumber}. */
export const isNullOfFiles = (value: number): boolean => isNullNumber(value) || furtherNulls.includes(value);

/** Whether a number in a file may mean null; the user is asked. */
export const mayBeNullOfFiles = (value: number): boolean => isNullOfFiles(value) || doubtfulNulls.has(value);

/** Whether a number is far enough beyond the nearest measured one to be a null value: at least twice as far from zero. */
export const isFarBeyond = (token: number, nearest: number): boolean =>
  nearest * Math.sign(token) < Math.abs(token) / 2;

const nullName =
  /^(?:#\S+|[^\p{L}\p{N}]+|null|nil|none|nan|n\.?\/?a\.?|no ?data|missing|absent|blank|empty|unknown)$/iu;

/** Whether a text is a null value in every column. */
export const isNullName = (text: string): boolean => isNullNumber(Number(text)) || nullName.test(text);

/**
 * Whether a text among numbers, times, or booleans may mean null; names, dates, and codes with digits don't.
 */
export const mayMeanNull = (text: string): boolean =>
  isNullName(text) || mayBeNullOfFiles(Number(text)) || (text.length <= 20 && !/\p{N}/u.test(text));

/** A column keeps its type if a smaller share of its values differs; those are problems of their rows. */
export const defaultExceptionShare = 0.01;

/** The null tokens, numbers by value. */
export const numericNulls = (nulls: readonly string[]): ReadonlySet<number> =>
  new Set(
    nulls
      .filter((token) => token !== '')
      .map(Number)
      .filter(Number.isFinite),
  );

/** Texts that are null values, prepared once for all columns of a file: it can have 10,000. */
export interface NullTexts {
  readonly texts: ReadonlySet<string>;
  /** As {@link numericNulls}. */
  readonly numbers: ReadonlySet<number>;
  /** Whether any of them begins like a number. */
  readonly hasDigits: boolean;
}

/** Prepares texts that are null values. */
export const nullTexts = (nulls: readonly string[]): NullTexts => ({
  texts: new Set(nulls),
  numbers: numericNulls(nulls),
  hasDigits: nulls.some((text) => /^[-+]?[.,]?\d[^#]*$/.test(text)),
});
