import type { Issue } from '../../../shared/errors/errors.ts';
import type { FileWarning } from '../../../shared/upload/upload.ts';
import type { Conversion } from '../tables/model/rules.ts';
import type { ColumnFacts } from '../tables/reading/column-facts.ts';
import type { Layout } from '../tables/reading/layout.ts';
import type { Match } from './match.ts';
import type { RepeatedTimes } from './repeated-times.ts';

/** How the cells of a column are converted, and what to report about it. */
export interface Decided {
  readonly conversion: Conversion;
  readonly warnings: readonly FileWarning[];
}

/** The name of a column at the start of a message. */
export const named = (match: Match): string => `Column “${match.column}”`;
/**
 * An error of a column's mapping.
 * @param message follows the name of the column
 * @param part the part of the mapping that has the error; absent: the whole
 */
export const issue = (match: Match, message: string, part?: 'format' | 'zone' | 'unit'): Issue => ({
  message: `${named(match)}: ${message}`,
  place: { field: `mapping.columns.${match.column}${part ? `.${part}` : ''}` },
});
/** A conversion with nothing to report. */
export const plain = (conversion: Conversion): Decided => ({ conversion, warnings: [] });

/** The facts of a matched column and of the columns joined to it. */
export interface MatchedFacts {
  readonly facts: ColumnFacts;
  readonly joined: readonly ColumnFacts[];
  /** The unit of places in the facts; absent: lines. */
  readonly placeKind: Layout['placeKind'];
  /** Its local times that occur twice, by the order of rows; absent: none, or not determined yet. */
  readonly repeated: RepeatedTimes | undefined;
}
