import { start, connection } from './en-connections.ts';
import { datasets } from './en-datasets.ts';
import { exporting } from './en-export.ts';
import { jobs } from './en-jobs.ts';
import { query } from './en-query.ts';
import { record, results } from './en-results.ts';
import { upload } from './en-upload.ts';
import { wells } from './en-wells.ts';

/** All words of the window in English. Functions where a word depends on a number or a name. */
export const en = {
  language: 'en',
  app: 'Wellbench',
  window: (connection: string) => `Wellbench, ${connection}`,
  or: 'or',
  cancel: 'Cancel',
  tryAgain: 'Try again',
  close: 'Close',
  unknown: 'unknown',
  link: {
    connecting: 'Connecting to the application…',
    reconnecting: 'The link to the application was lost. Connecting again…',
  },
  theme: {
    label: 'Theme',
    system: 'As the system',
    light: 'Light',
    dark: 'Dark',
  },
  tabs: {
    label: 'Open queries and uploads',
    loading: 'Loading…',
    close: (title: string) => `Close ${title}`,
    closeHint: 'Press Delete to close the tab.',
    query: (dataset: string, number: number) => `${dataset} · query ${number}`,
    emptyHeading: 'Ask a dataset',
    emptySteps: [
      'Choose one well or several on the left.',
      'Choose a dataset below them: a query for these wells opens here.',
      'Run it, look at the records, and export everything that matches.',
    ],
    emptyUpload: 'To put a CSV file in, press Upload above, or drop the file anywhere on this window.',
  },
  start,
  connection,
  wells,
  datasets,
  query,
  record,
  results,
  export: exporting,
  jobs,
  upload,
};
