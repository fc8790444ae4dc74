import type { ColumnFacts } from './column-facts.ts';
import { columnType, type Notation } from './column-type.ts';

/** A null value is at least twice as low as anything that was measured. */
const maxShare = 0.5;

/**
 * Numbers such as -999 that mean null in a file: in at least one column all other numbers are far above them, and in no
 * column with them is any number near them or below.
 */
export function likelyNulls(columns: readonly ColumnFacts[], notation: Notation): string[] {
  const numeric = columns.filter((facts) => {
    const { type } = columnType(facts, notation);
    return type === 'number' || type === 'integer';
  });
  const tokens = new Set(numeric.flatMap(({ sentinels }) => [...sentinels.keys()].map(Number)));
  return [...tokens]
    .filter((token) => {
      const lowest = numeric.flatMap((facts) => (hasToken(facts, token) ? (facts.minMeasured ?? []) : []));
      return lowest.length > 0 && lowest.every((number) => number > token * maxShare);
    })
    .map(String);
}

const hasToken = ({ sentinels }: ColumnFacts, token: number): boolean =>
  sentinels.keys().some((text) => Number(text) === token);
