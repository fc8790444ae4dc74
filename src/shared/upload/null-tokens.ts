// By itself, without a schema: threads of the window read it, and need nothing else.

/** Numbers that services and loggers write where there is no value. */
export const nullTokens: readonly number[] = [-999.25, -999, -9999, -9999.25, -99999, -99999.25];

/** Words that stand for null in every column of a file, unless a person says that they are text. */
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

/** What a mapping says about null values. */
export interface NullChoices {
  /** Further texts that stand for null. */
  readonly nulls?: readonly string[] | undefined;
  /** Texts of {@link nullWords} that are values in this file. */
  readonly keepAsText?: readonly string[] | undefined;
}

/** Every text that stands for null in a file, in all of its columns alike. */
export const nullsOf = ({ nulls = [], keepAsText = [] }: NullChoices): string[] => [
  ...new Set(['', ...nullWords.filter((word) => !keepAsText.includes(word)), ...nulls]),
];

const nullNumbers: ReadonlySet<number> = new Set(nullTokens);

/** Whether a number is one that services and loggers write where there is no value. */
export const isNullNumber = (value: number): boolean => nullNumbers.has(value);

const nullName =
  /^(?:#\S+|[^\p{L}\p{N}]+|null|nil|none|nan|n\.?\/?a\.?|no ?data|missing|absent|blank|empty|unknown)$/iu;

/** Whether a text is known to stand for no value wherever it is found. */
export const isNullName = (text: string): boolean => isNullNumber(Number(text)) || nullName.test(text);

/**
 * Whether a text among numbers, times or truth values may stand for no value: the name of a well, a date or a code, which
 * have digits, does not.
 */
export const mayMeanNull = (text: string): boolean =>
  isNullName(text) || (text.length <= 20 && !/\p{N}/u.test(text));

/**
 * A column keeps its type while a smaller share than this of its values differs from it: those are problems of their
 * rows, not of the column.
 */
export const defaultExceptionShare = 0.01;

/** The tokens that stand for no value, of numbers by their value. */
export const numericNulls = (nulls: readonly string[]): ReadonlySet<number> =>
  new Set(
    nulls
      .filter((token) => token !== '')
      .map(Number)
      .filter(Number.isFinite),
  );
