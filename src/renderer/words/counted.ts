import { formatCount, inputText } from '../format/numbers.ts';

/** `1 record`, `12,345 records`. */
export const counted = (count: number, singular: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? singular : many}`;

/** What to enter, in the notation of the window. */
export const enterNumber = (end = '.'): string => `Enter a number such as ${inputText(1250.5)}${end}`;
