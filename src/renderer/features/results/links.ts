import type { JsonValue } from '../../../shared/json.ts';
import type { FindRequest } from '../../../shared/query/query.ts';
import type { SortDirection } from './grid-columns.ts';

/** What a person can do to the question from its answer. Paths are dotted. */
export interface QuestionLinks {
  /** Asks again, sorted by this field; absent: the question can't be sorted from here. */
  readonly onSort?: (path: string, direction: SortDirection) => void;
  /** Puts a condition on this field into the question; false: it could not be put in, and nothing was changed. */
  readonly onFilter?: (path: string, value: JsonValue) => Promise<boolean>;
  /** Offers to export all records that match the find of an answer; with these fields only, or null: with its own. */
  readonly onExport?: (request: FindRequest, fields: readonly string[] | null) => void;
  /** Gives the answer the room of the question, or gives it back; absent: there is none. */
  readonly onMaximize?: (isMaximized: boolean) => void;
  readonly isMaximized?: boolean;
  /** Follows what was asked in a tab of its own; absent: newer records can't be told. */
  readonly onFollow?: (request: FindRequest) => void;
}

declare module '../../state/contexts.ts' {
  interface TabParts {
    readonly links: QuestionLinks;
  }
}
