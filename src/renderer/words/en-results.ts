import type { AppError } from '../../shared/errors.ts';
import { formatCount } from '../format/numbers.ts';
import { counted } from './en-counted.ts';

/** The words of one record in English. */
export const record = {
  heading: 'Record',
  region: 'Record detail',
  number: (row: number) => `Row ${formatCount(row)}`,
  close: 'Close the record',
  loading: 'Fetching the record…',
};

/** The words of results in English. */
export const results = {
  region: 'Answer',
  view: 'View',
  views: { table: 'Table', plot: 'Plot' },
  loadingGrid: 'Loading the grid…',
  running: (dataset: string) => `Asking ${dataset}…`,
  records: (count: number) => counted(count, 'record', 'records'),
  recordsSoFar: (count: number) => `${formatCount(count)} records or more`,
  showAll: 'Show all that match',
  coming: 'This row is being fetched.',
  failedCell: '⚠',
  failedTip: (error: AppError) => `This row could not be fetched. ${error.message}`,
  sentinelTip: '-999.25: nothing was measured',
  limited: 'the limit was reached, there may be more',
  idle: 'Run the query to see its records here.',
  cancelled: 'Cancelled. The request was stopped.',
  none: 'No record matches. Widen the query, choose other wells, or count without conditions.',
  times: 'Times',
  utc: 'UTC',
  local: 'Local',
  nullCell: 'null',
  items: (count: number) => `[${counted(count, 'item', 'items')}]`,
  absentTip: 'absent: the record has no such field',
  nullTip: 'null',
  value: '(value)',
  grid: (dataset: string) => `Records of ${dataset}`,
};
