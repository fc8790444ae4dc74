import type { JsonValue } from '../../../shared/json.ts';
import type { ReactNode } from 'react';
import type { Range, RangeField } from '../../../shared/language/text/range.ts';
import type { FindRequest, RecordsRequest } from '../../../shared/query/query.ts';
import type { Grouping, SummaryParts } from '../../../shared/language/text/summary.ts';
import type { SortDirection } from './grid-columns.ts';

/** Changes of the query from its result. Paths are dotted. */
export interface QueryLinks {
  /** Sorts by a field and runs again; absent: the query can't be sorted. */
  readonly onSort?: (path: string, direction: SortDirection) => void;
  /** Adds a condition on a field; false: the query can't be changed. */
  readonly onFilter?: (path: string, value: JsonValue) => Promise<boolean>;
  /** Computes figures of groups of the records that match, and runs that query; absent: the query has no groups. */
  readonly onSummarize?: (parts: SummaryParts) => void;
  /** The groups of which the menu of a column offers means, with their words: by well, by well and hour. */
  readonly meanGroups?: readonly { readonly text: string; readonly groups: readonly Grouping[] }[];
  /** Opens an export of all records that match the find; null: with the find's fields. */
  readonly onExport?: (request: FindRequest, fields: readonly string[] | null) => void;
  /** Writes a range of the dataset's index into the query; absent: the dataset has none. */
  readonly range?: {
    readonly field: RangeField;
    /** @returns false: the query can't be changed */
    readonly use: (range: Range) => boolean;
  };
  /** The view of a result without records; absent: a sentence. */
  readonly renderEmpty?: (asked: RecordsRequest) => ReactNode;
  /** Opens a live view of the query; absent: the dataset has no order of time or depth. */
  readonly onFollow?: (request: FindRequest) => void;
}
