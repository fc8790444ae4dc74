import type { Rules } from '../../../core/tables/model/rules.ts';

const maxRecords = 10_000;
/** Number of records of the first page where each can have megabytes. */
const largeRecords = 4;
/** Size of a page, in characters of JSON: the worker thread parses it whole. */
const pageLength = 6 << 20;

/** Number of records of the first page to request. */
export const firstPageSize = ({ fold }: Pick<Rules, 'fold'>): number => (fold ? largeRecords : maxRecords);

/** Number of records of the page after one with these. @param length of its JSON */
export const nextPageSize = (length: number, records: number): number =>
  Math.max(1, Math.min(maxRecords, Math.floor((pageLength * records) / Math.max(1, length))));
