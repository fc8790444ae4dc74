// By itself, without a schema: threads of the window read it, and need nothing else.

/** Numbers that loggers write where they have no value. */
export const nullTokens: readonly number[] = [-999.25, -999, -9999, -9999.25, -99999];

const sentinel = /^-9{3,5}(?:\.(?:25|250+|0+))?$/;
const nullName =
  /^(?:#\S+|[^\p{L}\p{N}]+|null|nil|none|nan|n\.?\/?a\.?|no ?data|missing|absent|blank|empty|unknown)$/iu;

/** Whether a text is known to stand for no value wherever it is found. */
export const isNullName = (text: string): boolean => sentinel.test(text) || nullName.test(text);

/**
 * Whether a text among numbers, times or truth values may stand for no value: the name of a well, a date or a code, which
 * have digits, does not.
 */
export const mayMeanNull = (text: string): boolean =>
  isNullName(text) || (text.length <= 20 && !/\p{N}/u.test(text));
