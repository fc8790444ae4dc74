import { defaultExceptionShare } from '../../../../shared/upload/null-tokens.ts';
import type { Example } from './time-range.ts';

/** From this number of values on, a single one that differs doesn't change the reading of its column. */
const minValuesForException = 3;
/** Longer texts, and those of several lines, are prose, which columns of text have. */
const maxExceptionLength = 20;

/** Whether a text can be a typing error, or mean null. */
export const isShort = (text: string): boolean => text.length <= maxExceptionLength && !/[\r\n]/.test(text);

/**
 * Whether values that differ from all others of their column are errors of their rows, and don't change how the column
 * is read.
 * @param first of them; null: there is none
 * @param share maximum share of values, from 0 to 1, that can differ; 0: none
 */
export const areExceptions = (
  count: number,
  first: Pick<Example, 'text'> | null,
  values: number,
  share = defaultExceptionShare,
): boolean =>
  (count === 1 && values >= minValuesForException && share > 0 && first !== null && isShort(first.text)) ||
  count < values * share;
