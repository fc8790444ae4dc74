import { formatCount } from '../format/numbers.ts';
import { counted } from './en-counted.ts';

/** The words of datasets in English. */
export const datasets = {
  heading: 'Datasets',
  search: 'Search datasets',
  searchHint: 'Name',
  type: 'Type',
  types: {
    all: 'All types',
    time: 'Time',
    depth: 'Depth',
    reference: 'Reference',
    timeseries: 'Time series',
  },
  otherType: (said: string) => (said === '' ? 'type unknown' : said),
  loading: 'Loading the datasets…',
  empty: 'This connection shows no datasets. Ask your administrator for read permission.',
  notLoaded: 'The datasets were not loaded.',
  load: 'Load the datasets',
  noMatch: 'No dataset matches. Change the search or the type.',
  clear: 'Clear search and type',
  clearSearch: 'Clear the search',
  count: (count: number) => counted(count, 'record', 'records'),
  shown: (shown: number, all: number) =>
    shown === all
      ? counted(all, 'dataset', 'datasets')
      : `${formatCount(shown)} of ${counted(all, 'dataset', 'datasets')}`,
  open: (address: string) => `Query ${address}`,
};
