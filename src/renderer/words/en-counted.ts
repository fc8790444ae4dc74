import { formatCount } from '../format/numbers.ts';

const rules = new Intl.PluralRules('en');

/** `1 record`, `12,345 records`. */
export const counted = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${rules.select(count) === 'one' ? one : many}`;
