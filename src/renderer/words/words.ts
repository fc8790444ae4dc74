import { commands } from './commands.ts';
import { authenticating, connection, doctor, start } from './connections.ts';
import { datasets } from './datasets.ts';
import { editing } from './editing.ts';
import { exporting } from './export.ts';
import { help } from './help.ts';
import { history } from './history.ts';
import { jobs } from './jobs.ts';
import { live } from './live.ts';
import { opened } from './opened.ts';
import { plot } from './plot.ts';
import { query } from './query.ts';
import { record, results } from './results.ts';
import { saved } from './saved.ts';
import { settings } from './settings.ts';
import { stages } from './stages.ts';
import { tabs } from './tabs.ts';
import { tour } from './tour.ts';
import { upload } from './upload.ts';
import { wells } from './wells.ts';

/** All words of the window, in English. Functions where a word depends on a number or a name. */
export const words = {
  app: 'Wellbench',
  window: (connection: string) => `Wellbench, ${connection}`,
  cancel: 'Cancel',
  notCopied:
    'The text could not be copied. Allow this page to use the clipboard, or select the text and copy it.',
  tryAgain: 'Try again',
  clearSearch: 'Clear the search',
  close: 'Close',
  unknown: 'unknown',
  kept: {
    checking: (ago: string) => `As of ${ago}; asking for news…`,
    stale: (ago: string) => `As of ${ago}`,
    partial: 'Not all of it came.',
    refresh: 'Ask again',
    justNow: 'a moment ago',
  },
  link: {
    connecting: 'Connecting to the application…',
    reconnecting: 'The link to the application was lost. Connecting again…',
    signedOut:
      'Wellbench was restarted. Run “wellbench open”, or press Enter in its terminal, and open the link: this page then continues.',
    unanswered:
      'Wellbench does not answer. If it was restarted, run “wellbench open” and open the link; else start it again.',
  },
  theme: {
    label: 'Theme',
    system: 'As the system',
    light: 'Light',
    dark: 'Dark',
  },
  help,
  settings,
  commands,
  tabs,
  tour,
  saved,
  opened,
  history,
  start,
  connection,
  authenticating,
  doctor,
  wells,
  datasets,
  query,
  plot,
  live,
  editing,
  stages,
  record,
  results,
  export: exporting,
  jobs,
  upload,
};
