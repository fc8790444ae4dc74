import { formatCount } from '../format/numbers.ts';

/** `1 record`, `12,345 records`. */
export const counted = (count: number, singular: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? singular : many}`;
