import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

/** The words of the history. */
export const history = {
  heading: 'History',
  search: 'Search history',
  searchHint: 'Query, dataset, or well',
  loading: 'Loading history…',
  empty: 'No queries yet. Every query that you run appears here.',
  noMatch: 'No matching runs',
  noText: { find: 'all records', aggregate: 'all records', pipeline: 'no stages', sql: 'no statement' },
  wells: (first: string, otherCount: number) =>
    otherCount === 0 ? first : `${first} +${formatCount(otherCount)}`,
  rows: (rows: number) => counted(rows, 'record', 'records'),
  outcomes: { done: 'done', failed: 'failed', cancelled: 'canceled' },
  shown: (shown: number, matching: number, all: number) =>
    shown < matching
      ? `newest ${formatCount(shown)} of ${formatCount(matching)} matches`
      : matching === all
        ? counted(all, 'run', 'runs')
        : `${formatCount(matching)} of ${counted(all, 'run', 'runs')}`,
  menu: (subject: string) => `Actions for ${subject}`,
  open: 'Open in new tab',
  again: 'Run again',
  remove: 'Remove',
  removeAll: 'Remove all',
  more: 'More actions',
  removed: (count: number) => `${counted(count, 'run', 'runs')} removed.`,
  undo: 'Undo',
};
