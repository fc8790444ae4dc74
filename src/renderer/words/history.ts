import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

/** The words of the history. */
export const history = {
  heading: 'History',
  search: 'Search the history',
  searchHint: 'Query, dataset or well',
  loading: 'Loading the history…',
  empty: 'Nothing was asked yet. Every query that you run is noted here.',
  noMatch: 'Nothing in the history matches.',
  noText: 'everything',
  wells: (first: string, others: number) => (others === 0 ? first : `${first} +${formatCount(others)}`),
  rows: (rows: number) => counted(rows, 'record', 'records'),
  outcomes: { done: 'done', failed: 'failed', cancelled: 'cancelled' },
  shown: (shown: number, matching: number, all: number) =>
    shown < matching
      ? `newest ${formatCount(shown)} of ${formatCount(matching)} found`
      : matching === all
        ? counted(all, 'run', 'runs')
        : `${formatCount(matching)} of ${counted(all, 'run', 'runs')}`,
  menu: (subject: string) => `Actions for ${subject}`,
  open: 'Open in a new tab',
  again: 'Run again',
  remove: 'Remove',
  removeAll: 'Remove all',
  more: 'More of the history',
  removed: (count: number) => `${counted(count, 'run', 'runs')} removed.`,
  undo: 'Undo',
};
