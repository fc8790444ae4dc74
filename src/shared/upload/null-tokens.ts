// Without imports of schemas: threads of the window use it.

/** Numbers that services and loggers write for null. */
export const nullTokens: readonly number[] = [-999.25, -999, -9999, -9999.25, -99999, -99999.25];

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
];

/** The null values of a mapping. */
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

const nullNumbers: ReadonlySet<number> = new Set(nullTokens);

/** Whether a number is a common null value. */
export const isNullNumber = (value: number): boolean => nullNumbers.has(value);

const nullName =
  /^(?:#\S+|[^\p{L}\p{N}]+|null|nil|none|nan|n\.?\/?a\.?|no ?data|missing|absent|blank|empty|unknown)$/iu;

/** Whether a text is a null value in every column. */
export const isNullName = (text: string): boolean => isNullNumber(Number(text)) || nullName.test(text);

/**
 * Whether a text among numbers, times, or booleans may mean null; names, dates, and codes with digits don't.
 */
export const mayMeanNull = (text: string): boolean =>
  isNullName(text) || (text.length <= 20 && !/\p{N}/u.test(text));

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
