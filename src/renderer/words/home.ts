import { counted } from './counted.ts';

/** The words of the page without tabs. */
export const home = {
  active: 'Active wells',
  activeNote: (wells: number) =>
    `${counted(wells, 'well', 'wells')}, pinned ones first, then the latest activity`,
  card: (well: string) => `Open ${well}`,
  follow: (well: string) => `Follow ${well} live`,
  live: 'Live',
  depth: 'Depth',
  rop: 'ROP',
  state: 'State',
  age: 'Newest record',
  reading: 'Loading…',
  loadingWells: 'Loading the wells…',
  noRecord: 'No recent record over time',
  noDepth: 'not recorded',
  noRop: 'not recorded',
  noState: 'not recorded',
  activeAgo: (ago: string) => `active ${ago}`,
  notAnswered: 'unknown: no response',
  updated: (ago: string) => `updated ${ago}`,
  offline: 'Offline: these are the last values.',
  late: 'The data service hasn’t responded yet. These are the last values.',
  noDatasets: 'No dataset over time is listed, so depth, ROP, and state are unknown.',
  someDatasets: (read: number, all: number) => `Read from ${read} of ${all} datasets over time.`,
  emptyHeading: 'Query a dataset',
  emptySteps: [
    'Select one or more wells on the left.',
    'Select Datasets, then a dataset. A query for these wells opens here.',
    'Run it, explore the records, and export the matching records.',
  ],
  emptyUpload: 'To upload a file, select Upload above or drop the file on this window.',
};
