import { formatCount } from '../format/numbers.ts';

/** The words of a record and of results in English. */
export const record = {
  heading: 'Record',
  region: 'Record detail',
  number: (row: number) => `Row ${formatCount(row)}`,
  close: 'Close the record',
  loading: 'Fetching the record…',
};
